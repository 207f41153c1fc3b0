import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The work of several validations together is bounded, in units of fuel.
struct WorkLimitTests {
  private static let costly = #"{"type": "array", "items": {"type": "string", "pattern": "^(\\w+\\s?)*$"}}"#

  /// Texts of which each takes the pattern more steps than one match may have.
  private static func texts(_ count: Int) throws -> JSON {
    let text = String(repeating: "ab ", count: 30)
    return try SchemaText.parse("[" + (0..<count).map { "\"\(text)\($0)!\"" }.joined(separator: ",") + "]")
  }

  @Test func `the work for a value is bounded with any number of costly texts`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try Self.texts(200)
    let sufficed = WorkLimit.run(WorkLimit.units(forBytes: 20_000)) { #expect(!schema.failures(value).isEmpty) }
    #expect(sufficed)
  }

  @Test func `validations within a call share a limit`() throws {
    let schema = try SchemaText.schema(#"{"type": "array", "items": {"type": "integer"}}"#)
    let value = try SchemaText.parse("[" + (0..<100).map(String.init).joined(separator: ",") + "]")
    func run(_ count: Int) -> Bool {
      WorkLimit.run(2_000) { for _ in 0..<count where !schema.accepts(value) { break } }
    }
    #expect(run(5))
    #expect(!run(1_000))
  }

  @Test func `an inner limit counts towards the outer one`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try Self.texts(1)
    let outerSufficed = WorkLimit.run(50_000) {
      let innerSufficed = WorkLimit.run(1_000_000_000) { _ = schema.accepts(value) }
      #expect(!innerSufficed)
      #expect(WorkLimit.isExceeded)
    }
    #expect(!outerSufficed)
    #expect(!WorkLimit.isExceeded)
  }

  @Test func `a sufficient limit does not change the result`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try SchemaText.parse(#"["ab cd", "ab!", 7]"#)
    var messages: [String] = []
    let sufficed = WorkLimit.run(1_000_000) { messages = schema.failures(value).map(\.message) }
    #expect(sufficed)
    #expect(messages == schema.failures(value).map(\.message))
  }
}
