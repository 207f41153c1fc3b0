import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What the Schema Objects of OpenAPI and Swagger mean by the same words.
struct OpenAPIDialectTests {
  @Test(arguments: [
    (Dialect.openAPI30, #"{"type": "string", "nullable": true}"#, "null", true),
    (.openAPI30, #"{"nullable": true, "enum": ["a"]}"#, "null", false),
    (.openAPI30, #"{"type": "string", "nullable": true, "enum": ["a"]}"#, "null", false),
    (.openAPI30, #"{"type": "string", "nullable": true, "allOf": [{"type": "string"}]}"#, "null", false),
    (.openAPI31, #"{"type": "string", "nullable": true}"#, "null", false),
    (.openAPI31, #"{"type": ["string", "null"]}"#, "null", true),
    (.swagger2, #"{"type": "string", "x-nullable": true}"#, "null", true),
    (.swagger2, #"{"type": "string", "nullable": true}"#, "null", false),
    (.swagger2, #"{"type": "file"}"#, #""anything""#, true),
    (.openAPI30, #"{"minimum": 1, "exclusiveMinimum": true}"#, "1", false),
    (.openAPI30, #"{"minimum": 1, "exclusiveMinimum": false}"#, "1", true),
    (.openAPI31, #"{"exclusiveMinimum": 1}"#, "1", false),
    (
      .openAPI30, ##"{"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "integer"}}}"##, "1",
      true
    ),
    (
      .openAPI31, ##"{"$ref": "#/definitions/a", "maximum": 0, "definitions": {"a": {"type": "integer"}}}"##, "1", false
    ),
    (.openAPI30, #"{"const": 1, "patternProperties": {"a": false}, "if": true, "then": false}"#, #"{"a": 1}"#, true),
    (.swagger2, #"{"oneOf": [false]}"#, "1", true),
    (.openAPI30, #"{"type": "integer"}"#, "1.0", true),
    (.openAPI31, #"{"type": "integer", "format": "int32"}"#, "2147483648", false),
    (.openAPI31, #"{"type": "integer", "format": "int64"}"#, "9223372036854775808", false),
    (.openAPI31, #"{"type": "integer", "format": "int64"}"#, "-9223372036854775808", true),
    (.openAPI30, #"{"type": "string", "format": "byte"}"#, #""a""#, false),
    (.openAPI30, #"{"type": "string", "format": "password"}"#, #""a""#, true),
    (.openAPI30, #"{"type": "string", "format": "hostname"}"#, #""my_host""#, true),
    (
      .openAPI31, #"{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}"#,
      "1", false
    ),
  ])
  func `each version reads the keywords its own way`(
    dialect: Dialect, schema: String, value: String, isValid: Bool
  ) throws {
    #expect(try SchemaText.schema(schema, dialect).accepts(try SchemaText.parse(value)) == isValid)
  }

  @Test(arguments: [
    #"{"required": ["id", "key"], "properties": {"id": {"readOnly": true}, "key": {"writeOnly": true}}}"#,
    ##"{"required": ["id", "key"], "properties": {"id": {"$ref": "#/d/id"}, "key": {"allOf": [{"$ref": "#/d/key"}]}}, "d": {"id": {"readOnly": true}, "key": {"writeOnly": true}}}"##,
    ##"{"required": ["id", "key"], "allOf": [{"$ref": "#/d"}], "d": {"properties": {"id": {"readOnly": true}, "key": {"writeOnly": true}}}}"##,
  ])
  func `a property that does not travel in a direction is not required`(text: String) throws {
    for dialect in [Dialect.openAPI30, .openAPI31] {
      #expect(try SchemaText.schema(text, dialect, direction: .request).accepts(["key": 1]))
      #expect(try !SchemaText.schema(text, dialect, direction: .request).accepts(["id": 1]))
      #expect(try SchemaText.schema(text, dialect, direction: .response).accepts(["id": 1]))
      #expect(try !SchemaText.schema(text, dialect, direction: .response).accepts(["key": 1]))
      #expect(try !SchemaText.schema(text, dialect).accepts(["key": 1]))
    }
    // Plain JSON Schema knows no directions.
    #expect(try !SchemaText.schema(text, .draft2020, direction: .request).accepts(["key": 1]))
  }

  /// What holds in place, each refusing `{"a": 1}`.
  private static let inPlace = [
    #""allOf": [{"not": {}}]"#, #""anyOf": [{"not": {}}]"#, #""oneOf": [{"not": {}}]"#, #""not": {}"#,
    #""if": {}, "then": {"not": {}}"#, #""dependencies": {"a": {"not": {}}}"#, #""dependencies": {"a": ["b"]}"#,
    #""dependentSchemas": {"a": {"not": {}}}"#, #""dependentRequired": {"a": ["b"]}"#, #""type": "string""#,
    #""enum": [1]"#, #""const": 1"#, #""required": ["b"]"#, #""properties": {"a": {"type": "string"}}"#,
    #""patternProperties": {"a": {"type": "string"}}"#, #""additionalProperties": {"type": "string"}"#,
    #""propertyNames": {"type": "null"}"#, #""minProperties": 2"#, #""maxProperties": 0"#,
    #""unevaluatedProperties": {"not": {}}"#, ##""$recursiveRef": "#/definitions/none""##,
  ]

  @Test(arguments: inPlace)
  func `up to draft 7 and OpenAPI 3_0 the keywords beside a reference are ignored`(keyword: String) throws {
    let text = ##"{"$ref": "#/definitions/any", \##(keyword), "definitions": {"any": {}}}"##
    for dialect in [Dialect.draft4, .draft6, .draft7, .openAPI30, .swagger2] {
      #expect(try SchemaText.schema(text, dialect).accepts(["a": 1]), "\(dialect.name)")
      #expect(try SchemaText.schema(text, dialect).problems.isEmpty, "\(dialect.name)")
    }
    #expect(try !SchemaText.schema(text, .draft2019).accepts(["a": 1]))
  }

  @Test(arguments: [
    ##"{"$ref": "#/d/Base", "allOf": [{"properties": {"id": {"readOnly": true}}}], "d": {"Base": {"required": ["id"]}}}"##,
    ##"{"$ref": "#/d/Base", "properties": {"id": {"readOnly": true}}, "d": {"Base": {"required": ["id"]}}}"##,
    ##"{"required": ["id"], "properties": {"id": {"$ref": "#/d/id", "allOf": [{"readOnly": true}]}}, "d": {"id": {}}}"##,
    ##"{"required": ["id"], "properties": {"id": {"$ref": "#/d/id", "readOnly": true}}, "d": {"id": {}}}"##,
  ])
  func `a readOnly that a reference hides exempts nothing`(text: String) throws {
    #expect(try !SchemaText.schema(text, .openAPI30, direction: .request).accepts([:]))
    #expect(try SchemaText.schema(text, .openAPI31, direction: .request).accepts([:]))
  }

  private static let siblings = ##"""
    {"Pet": {"allOf": [{"$ref": "#/Base"}, {"required": ["id", "name"]}]},
     "Cat": {"allOf": [{"$ref": "#/Pet"}, {"properties": {"purrs": {}}}]},
     "Dog": {"allOf": [{"$ref": "#/Base"}, {"$ref": "#/Needs"}]},
     "Plain": {"allOf": [{"$ref": "#/Needs"}]},
     "Base": {"properties": {"id": {"readOnly": true}, "name": {"type": "string"}}},
     "Needs": {"required": ["id", "name"]}}
    """##

  @Test(arguments: ["Pet", "Cat", "Dog"])
  func `a property that one part of an allOf flags is not required by another`(name: String) throws {
    for dialect in [Dialect.openAPI30, .openAPI31] {
      let node = try #require(try SchemaText.parse(Self.siblings)[name])
      let library = SchemaLibrary(dialect: dialect)
      #expect(library.schema(at: node, direction: .request).failures(["name": "Tom"]).map(\.message) == [])
      #expect(!library.schema(at: node, direction: .request).accepts(["id": 1]))
      #expect(!library.schema(at: node, direction: .response).accepts(["name": "Tom"]))
      let sample = SampleGenerator(schemas: library, seed: "0").sample(of: node, direction: .request)
      #expect(sample?["name"] != nil)
      #expect(sample?["id"] == nil)
    }
  }

  @Test func `an exemption in a shared part does not affect other uses`() throws {
    let root = try SchemaText.parse(Self.siblings)
    let nodes = try ["Dog", "Plain", "Needs"].map { try #require(root[$0]) }
    let library = SchemaLibrary(dialect: .openAPI31)
    library.prepare(nodes, direction: .request)
    #expect(nodes.map { library.schema(at: $0, direction: .request).accepts(["name": "Tom"]) } == [true, false, false])
  }

  @Test func `an alternative keeps its required properties beside a flagged property`() throws {
    let schema = try SchemaText.schema(
      #"""
      {"properties": {"id": {"readOnly": true}, "name": {}},
       "allOf": [{"oneOf": [{"required": ["id"]}, {"required": ["name"]}]}, {"required": ["id"]}]}
      """#, .openAPI31, direction: .request)
    #expect(schema.accepts(["name": "Tom"]))
    #expect(!schema.accepts([:]))
  }

  @Test func `hundreds of parts with their own flags stay within bounds`() throws {
    let links = (0..<400).map { link in
      ##""d\##(link)": {"allOf": [{"$ref": "#/d\##(link + 1)"}, {"properties": {"p\##(link)": {"readOnly": true}}}, {"required": ["p\##(link)"]}]}"##
    }
    let root = try SchemaText.parse("{" + links.joined(separator: ",") + #", "d400": {"required": ["name"]}}"#)
    let library = SchemaLibrary(dialect: .openAPI31)
    let nodes = try ["d0", "d399"].map { try #require(root[$0]) }
    #expect(!library.schema(at: nodes[0], direction: .request).accepts([:]))
    #expect(library.schema(at: nodes[0], direction: .request).problems.isEmpty)
    #expect(library.schema(at: nodes[1], direction: .request).accepts(["name": 1]))
  }

  @Test func `the version of a document decides its dialect`() throws {
    let old = try SchemaText.parse(
      #"{"openapi": "3.0.3", "components": {"schemas": {"A": {"type": "string", "nullable": true}}}}"#)
    let schema = try #require(old["components"]?["schemas"]?["A"])
    #expect(SchemaLibrary(dialect: .openAPI31).schema(at: schema).accepts(.null))
  }

  @Test func `an unknown dialect is refused with a reason`() throws {
    let document = try SchemaText.parse(
      #"{"openapi": "3.1.0", "jsonSchemaDialect": "https://example.com/mine", "components": {"schemas": {"A": {"not": {}}}}}"#
    )
    let schema = SchemaLibrary(dialect: .openAPI31).schema(at: try #require(document["components"]?["schemas"]?["A"]))
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.dialect"])
    #expect(schema.problems.first?.location?.pointer == "/jsonSchemaDialect")
    #expect(!schema.accepts(1))
    #expect(
      schema.failures(1).map(\.message) == ["not validated: the dialect of the schema is unknown"])
  }

  @Test func `a reference into another file is resolved from its own file`() throws {
    let library = SchemaLibrary(dialect: .openAPI31) { uri in
      uri == "specs/parts/common.json"
        ? try? JSONParser.parse(
          SourceFile(path: uri, text: ##"{"Id": {"$ref": "#/Base"}, "Base": {"type": "integer"}}"##)) : nil
    }
    let text = #"{"openapi": "3.1.0", "components": {"schemas": {"A": {"$ref": "parts/common.json#/Id"}}}}"#
    let document = try JSONParser.parse(SourceFile(path: "specs/api.json", text: text)).root
    let schema = library.schema(at: try #require(document["components"]?["schemas"]?["A"]))
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(1))
    #expect(schema.failures("a").map(\.schema.document.source?.path) == ["specs/parts/common.json"])
  }
}
