import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The work of several validations together is bounded, in units of fuel.
struct WorkBudgetTests {
  private static let costly = #"{"type": "array", "items": {"type": "string", "pattern": "^(\\w+\\s?)*$"}}"#

  /// Texts of which each takes the pattern more steps than one match may have.
  private static func texts(_ count: Int) throws -> JSON {
    let text = String(repeating: "ab ", count: 30)
    return try SchemaText.parse("[" + (0..<count).map { "\"\(text)\($0)!\"" }.joined(separator: ",") + "]")
  }

  @Test func `the work for a value is bounded with any number of costly texts`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try Self.texts(200)
    let budget = WorkBudget.forBytes(20_000)
    #expect(!schema.failures(value, within: budget).isEmpty && !budget.isExceeded)
  }

  @Test func `validations share a budget`() throws {
    let schema = try SchemaText.schema(#"{"type": "array", "items": {"type": "integer"}}"#)
    let value = try SchemaText.parse("[" + (0..<100).map(String.init).joined(separator: ",") + "]")
    func run(_ count: Int) -> Bool {
      let budget = WorkBudget(2_000)
      for _ in 0..<count where !schema.accepts(value, within: budget) { break }
      return !budget.isExceeded
    }
    #expect(run(5))
    #expect(!run(1_000))
  }

  @Test func `an inner budget counts towards the outer one`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try Self.texts(1)
    let outer = WorkBudget(50_000)
    let inner = WorkBudget(1_000_000_000, within: outer)
    _ = schema.accepts(value, within: inner)
    #expect(inner.isExceeded && outer.isExceeded && outer.left <= 0)
    // The inner one may end first.
    let large = WorkBudget(1_000_000_000)
    let part = WorkBudget(50_000, within: large)
    _ = schema.accepts(value, within: part)
    #expect(part.isExceeded && !large.isExceeded && large.left < 1_000_000_000)
  }

  @Test func `a sufficient budget does not change the result`() throws {
    let schema = try SchemaText.schema(Self.costly)
    let value = try SchemaText.parse(#"["ab cd", "ab!", 7]"#)
    let budget = WorkBudget(1_000_000)
    let messages = schema.failures(value, within: budget).map(\.message)
    #expect(!budget.isExceeded)
    #expect(messages == schema.failures(value).map(\.message))
  }
}
