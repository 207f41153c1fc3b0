import Testing

@Suite struct LastResortTests {
  @Test(arguments: [
    #"{"type": "array", "not": {"uniqueItems": true}}"#,
    #"{"type": "array", "items": {"type": "integer"}, "minItems": 3, "not": {"uniqueItems": true}}"#,
    #"{"not": {"properties": {"a": {"const": 0}}}}"#,
    #"{"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}, "not": {"properties": {"a": {}, "b": {"const": 1}}}}"#,
    #"{"type": "array", "not": {"items": {"type": "string"}}}"#,
    #"{"type": "string", "format": "ipv4", "minLength": 15}"#,
  ])
  func `a schema that few values fit has a sample`(text: String) throws {
    let schema = try SchemaUnderTest(text)
    let sample = try #require(schema.sample(), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }
}
