import Testing
import UnderstudySchema

@Suite struct BestEffortTests {
  private static let overlapping = """
    {"oneOf": [{"type": "object", "required": ["error"], "properties": {"error": {"const": "A"}}},
      {"type": "object", "required": ["error"], "properties": {"error": {"const": "A"}}}]}
    """

  @Test(arguments: [
    (overlapping, #"{"error":"A"}"#),
    (
      #"{"type": "object", "required": ["e"], "properties": {"e": {"oneOf": [{"const": 1}, {"const": 1}]}}}"#,
      #"{"e":1}"#
    ),
    (#"{"type": "string", "enum": [7]}"#, "7"), (#"{"type": "array", "minItems": 2, "maxItems": 1}"#, "[]"),
    (#"{"type": "object", "required": ["a"], "properties": {"a": false}}"#, "{}"),
    (#"{"allOf": [{"type": "string"}, {"type": "object"}]}"#, "{}"), ("false", "\"text\""),
  ])
  func `a schema without a sample has a value that resembles it`(text: String, value: String) throws {
    let schema = try SchemaUnderTest(text)
    #expect(schema.sample() == nil)
    let generator = SampleGenerator(schemas: schema.library, seed: "0")
    #expect(JSONWriter.text(generator.bestEffort(of: schema.node, direction: .response)) == value)
  }
}
