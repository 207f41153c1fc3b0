import Testing
import UnderstudySchema

/// Schemas that would ask for work or memory without end: each must be given up, or done, within the effort for one
/// value.
@Suite struct GenerationBudgetTests {
  private func object(_ members: [String]) -> String { "{" + members.joined(separator: ", ") + "}" }

  private func names(_ prefix: String, _ count: Int) -> String {
    (0..<count).map { #""\#(prefix)\#($0)""# }.joined(separator: ", ")
  }

  @Test func `a long text costs budget in proportion to its length`() throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "minItems": 5000, "items": {"minLength": 50000}}"#)
    #expect(schema.sample() == nil)
    #expect(try #require(schema.conflict()).hasPrefix(SampleConflict.givenUp))
  }

  @Test(arguments: ["example", "const"])
  func `copies of a long text cost budget in proportion to its length`(keyword: String) throws {
    let text = String(repeating: "x", count: 1_000_000)
    let schema = try SchemaUnderTest(
      #"{"type": "array", "minItems": 5000, "items": {"type": "string", "\#(keyword)": "\#(text)"}}"#)
    #expect(schema.sample() == nil)
  }

  @Test func `one element serves several contains in an array that is too short for one each`() throws {
    let parts = (1...3).map { #"{"contains": {"minimum": \#($0)}, "minContains": 2000}"# }
    let schema = try SchemaUnderTest(#"{"type": "array", "allOf": [\#(parts.joined(separator: ", "))]}"#)
    #expect(try #require(schema.sample()).count == 2_000)
  }

  @Test func `optional properties are left out for many required ones`() throws {
    let optional = (0..<2_000).map { #""p\#($0)": {"type": "integer"}"# }
    let schema = try SchemaUnderTest(
      #"{"type": "object", "required": [\#(names("r", 2_000))], "properties": \#(object(optional)), "maxProperties": 2001}"#
    )
    let sample = try #require(schema.sample())
    #expect(sample["p0"] != nil && sample["p1"] == nil)
    #expect(sample.count == 2_001)
  }

  @Test func `the budget of the caller ends the search`() throws {
    let schema = try SchemaUnderTest(
      #"{"type": "array", "minItems": 200, "items": {"type": "string", "minLength": 5000}}"#)
    let large = WorkBudget(10_000_000)
    #expect(schema.sample(within: large) != nil && !large.isExceeded)
    let small = WorkBudget(50_000)
    #expect(schema.sample(within: small) == nil && small.isExceeded)
    #expect(schema.sample() != nil)
  }

  @Test func `every name that is matched with a pattern costs budget`() throws {
    let patterns = (0..<3_000).map { #""^x\#($0).*y$": {"type": "integer"}"# }
    let schema = try SchemaUnderTest(
      #"{"type": "object", "required": [\#(names("r", 5_000))], "patternProperties": \#(object(patterns))}"#)
    #expect(schema.sample() == nil)
  }
}
