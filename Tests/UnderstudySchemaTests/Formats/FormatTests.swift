import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What the official suite does not ask of `relative-json-pointer`.
struct FormatTests {
  @Test(arguments: [
    ("0+1/foo", true), ("1-12", true), ("0-1#", true), ("0+0", false), ("0+", false), ("0+-1", false), ("+1", false),
    ("0+01", false), ("0+1foo", false),
  ])
  func `a relative pointer may lead to a sibling element`(text: String, fits: Bool) throws {
    let schema = try SchemaText.schema(#"{"format": "relative-json-pointer"}"#, formats: .always)
    #expect(schema.accepts(.string(text)) == fits)
  }
}
