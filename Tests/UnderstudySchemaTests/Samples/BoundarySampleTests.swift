import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct BoundarySampleTests {
  /// The values at the edges, as JSON; the one that they are made from is not among them.
  private func boundaries(_ schema: String) throws -> [String] {
    let library = SchemaLibrary(dialect: .openAPI31)
    let node = try JSONParser.parse(Array(schema.utf8)).root
    return SampleGenerator(schemas: library, seed: "0").boundaries(of: node, direction: .request).map {
      JSONWriter.text($0.value)
    }
  }

  @Test func `boundaries include the least and the greatest number`() throws {
    #expect(try boundaries(#"{"type": "integer", "minimum": -3, "exclusiveMaximum": 9, "example": 0}"#) == ["-3", "8"])
    #expect(try boundaries(#"{"type": "integer", "format": "int32", "example": 0}"#) == ["-2147483648", "2147483647"])
  }

  @Test func `boundaries include the shortest and the longest text`() throws {
    let found = try boundaries(#"{"type": "string", "minLength": 2, "maxLength": 5, "example": "abc"}"#)
    #expect(found.map(\.utf8.count) == [4, 7])
  }

  @Test func `boundaries include the empty text where no length is required`() throws {
    #expect(try boundaries(#"{"type": "string", "example": "abc"}"#) == [#""""#])
    #expect(try boundaries(#"{"type": "string", "pattern": "^[a-z]+$", "example": "abc"}"#) == [])
    #expect(try boundaries(#"{"type": "string", "format": "date", "example": "2030-01-02"}"#) == [])
    #expect(try boundaries(#"{"type": "string", "format": "duration", "example": "P1D"}"#) == [])
  }

  @Test func `boundaries include the empty map within a list`() throws {
    let schema = """
      {"type": "array", "items": {"allOf": [
        {"type": "object", "properties": {"note": {"type": "object", "additionalProperties": {"type": "string"}}}},
        {"type": "object", "required": ["labels"], "properties": {
          "labels": {"type": "object", "additionalProperties": {"type": "string"}}}}
      ]}}
      """
    let found = try boundaries(schema)
    #expect(found.contains { $0.contains(#""labels":{}"#) }, "\(found)")
    #expect(found.contains { $0.contains(#""note":{}"#) }, "\(found)")
  }

  @Test func `boundaries include every listed value`() throws {
    #expect(try boundaries(#"{"enum": ["a", "b", "c"]}"#) == [#""b""#, #""c""#])
  }

  @Test func `boundaries include null where the type allows it`() throws {
    #expect(try boundaries(#"{"type": ["integer", "null"], "example": 7}"#) == ["null"])
    #expect(try boundaries(#"{"type": "integer", "example": 7}"#) == [])
  }

  @Test func `boundaries include the empty object where no member is required`() throws {
    let map = #"{"type": "object", "additionalProperties": {"type": "string"}, "example": {"a": "b"}}"#
    #expect(try boundaries(map) == ["{}", #"{"a":""}"#])
    #expect(try boundaries(#"{"type": "object", "required": ["a"], "example": {"a": "b"}}"#) == [])
  }

  @Test func `a boundary of a part is inside a value that fits`() throws {
    let schema = """
      {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 5, "example": 3}}}
      """
    #expect(try boundaries(schema).contains(#"{"n":5}"#))
  }

  /// Only the edges of the last part fit.
  @Test(arguments: [(30, 2), (3_000, 0)])
  func `the budget for edges ends before the last of three thousand parts`(parts: Int, edges: Int) throws {
    let number = #""type": "integer", "minimum": 1, "maximum": 5, "example": 3"#
    let properties = (1...parts).map { part in
      #""p\#(part)": {\#(number)\#(part == parts ? "" : #", "not": {"enum": [1, 5]}"#)}"#
    }
    let schema =
      #"{"type": "object", "minProperties": \#(parts), "properties": {\#(properties.joined(separator: ", "))}}"#
    #expect(try boundaries(schema).count == edges)
  }

  @Test func `a schema without bounds has no boundaries`() throws {
    #expect(try boundaries(#"{"type": "integer"}"#).isEmpty)
    #expect(try boundaries(#"{"type": "boolean", "enum": [true]}"#).isEmpty)
  }
}
