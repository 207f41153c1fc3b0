import Testing
import UnderstudySchema

@Suite struct NameHintsTests {
  @Test(arguments: [
    ("createdAt", "2024-05-17T09:30:00Z"), ("CREATED-AT", "2024-05-17T09:30:00Z"),
    ("created_at", "2024-05-17T09:30:00Z"),
    ("HTTPUrl", "https://example.com/text"), ("userID", "a1b2c3"), ("first_name", "Ada"), ("billing.city", "Berlin"),
    ("lastName", "Lovelace"), ("petName", "Ada Lovelace"), ("frobnication", "text"), ("", "text"), ("größe", "text"),
    ("city2", "Berlin"),
  ])
  func `the last words of a name decide the value`(name: String, text: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "object", "properties": {"\#(name)": {"type": "string"}}}"#)
    #expect(schema.sample()?[name]?.string == text)
  }

  @Test(
    arguments: [
      "date-time", "date", "time", "duration", "uuid", "email", "idn-email", "hostname", "idn-hostname", "uri", "iri",
      "uri-reference", "iri-reference", "uri-template", "ipv4", "ipv6", "byte", "json-pointer", "relative-json-pointer",
      "regex",
    ], ["0", "1", "2", "3"])
  func `a sample is of its format`(format: String, seed: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "string", "format": "\#(format)"}"#)
    let strict = SchemaLibrary(dialect: .openAPI31, assertsFormats: .always)
    let sample = try #require(SampleGenerator(schemas: strict, seed: seed).sample(of: schema.node, direction: .either))
    #expect(strict.schema(at: schema.node).accepts(sample))
  }

  @Test(arguments: [
    (#""x-understudy-latest": "-17y""#, "1970-"), (#""x-understudy-earliest": "-1d""#, "2100-"),
    (#""x-understudy-earliest": "-1d", "x-understudy-latest": "+30d""#, "2024-"), (#""title": "no limit""#, "2024-"),
  ])
  func `a date lies within the time limit of its schema`(limit: String, year: String) throws {
    for format in ["date", "date-time"] {
      let schema = try SchemaUnderTest(#"{"type": "string", "format": "\#(format)", \#(limit)}"#)
      #expect(schema.sample()?.string?.hasPrefix(year) == true)
    }
  }
}
