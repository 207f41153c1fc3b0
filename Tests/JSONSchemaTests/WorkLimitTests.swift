import JSONSchema
import TestSupport
import Testing

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
    let (failures, sufficed) = WorkLimit.run(WorkLimit.units(forBytes: 20_000)) { schema.failures(value) }
    #expect(!failures.isEmpty)
    #expect(sufficed)
  }

  @Test func `validations within a call share a limit`() throws {
    let schema = try SchemaText.schema(#"{"type": "array", "items": {"type": "integer"}}"#)
    let value = try SchemaText.parse("[" + (0..<100).map(String.init).joined(separator: ",") + "]")
    func run(_ count: Int) -> Bool {
      WorkLimit.run(2_000) { (0..<count).allSatisfy { _ in schema.accepts(value) } }.sufficed
    }
    #expect(run(5))
    #expect(!run(1_000))
  }

  @Test func `an inner limit counts towards the outer one`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try Self.texts(1)
    let outer = WorkLimit.run(50_000) {
      let inner = WorkLimit.run(1_000_000_000) { schema.accepts(value) }
      #expect(!inner.sufficed)
      return WorkLimit.isExceeded
    }
    #expect(outer.result)
    #expect(!outer.sufficed)
    #expect(!WorkLimit.isExceeded)
  }

  @Test func `a sufficient limit does not change the result`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try SchemaText.parse(#"["ab cd", "ab!", 7]"#)
    let limited = WorkLimit.run(1_000_000) { schema.failures(value).map(\.message) }
    #expect(limited.sufficed)
    #expect(limited.result == schema.failures(value).map(\.message))
  }
}
