import Testing
import Understudy

@Suite struct ArrayTests {
  @Test(arguments: [
    #"{"type": ["integer", "boolean"], "minimum": 0, "maximum": 9223372036854775806}"#,
    #"{"type": ["integer", "null"], "minimum": -9223372036854775808, "maximum": 9223372036854775807}"#,
  ])
  func `integers beyond counting are enough for different elements`(items: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "uniqueItems": true, "minItems": 3, "items": \#(items)}"#)
    #expect(try #require(schema.sample()).count == 3)
  }

  /// Four hundred values each.
  static let few = [
    #"{"type": "integer", "minimum": -100, "maximum": 299}"#,
    #"{"enum": [\#((0..<400).map(String.init).joined(separator: ", "))]}"#,
  ]

  @Test(arguments: few, ["0", "1", "7"])
  func `every one of few values is found at every seed`(items: String, seed: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "uniqueItems": true, "minItems": 400, "items": \#(items)}"#)
    #expect(try #require(schema.sample(seed: seed)).count == 400)
  }
}
