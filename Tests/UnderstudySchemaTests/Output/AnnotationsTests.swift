import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What a schema says about a value that fits it (Core 2020-12, 7.7, 10 and 11; Validation 2020-12, 7 to 9).
struct AnnotationsTests {
  /// Every annotation as `value keyword: annotation`, both places as pointers; the root of the value is `.`.
  private func notes(
    by schema: String, of value: JSON, _ dialect: Dialect = .draft2020,
    load: @escaping @Sendable (String) -> JSONDocument? = { _ in nil }
  ) throws -> [String] {
    let node = try SchemaText.parse(schema)
    let library = SchemaLibrary(dialect: dialect, assertsFormats: .never, traces: true, load: load)
    let output = SchemaOutput(of: node, in: library, base: "file:///here/")
    let schema = library.schema(at: node)
    let annotations = schema.annotations(of: value, for: output)
    #expect(annotations.gap == nil)
    let basic = output.basic(schema.verdict(value), annotations)
    return (basic["annotations"]?.elements.map { $0 } ?? []).map { unit in
      let place = unit["instanceLocation"]?.string ?? "?"
      let annotation = unit["annotation"].map { JSONWriter.text($0) } ?? "?"
      return "\(place.isEmpty ? "." : place) \(unit["keywordLocation"]?.string ?? "?"): \(annotation)"
    }
  }

  // MARK: - Metadata, formats and contents

  @Test func `metadata annotates any value, in the order of the schema`() throws {
    let schema = """
      {
        "deprecated": true, "title": "T", "description": "D", "default": null, "readOnly": false, "writeOnly": true,
        "examples": [1, 2]
      }
      """
    #expect(
      try notes(by: schema, of: 7) == [
        ". /deprecated: true", #". /title: "T""#, #". /description: "D""#, ". /default: null", ". /readOnly: false",
        ". /writeOnly: true", ". /examples: [1,2]",
      ])
  }

  @Test func `a format annotates every value`() throws {
    for value: JSON in ["2020-01-01", "no date", 5] {
      #expect(try notes(by: #"{"format": "date"}"#, of: value) == [#". /format: "date""#])
    }
  }

  @Test func `contents annotate strings only, and a schema of contents needs a media type`() throws {
    let schema = """
      {"contentEncoding": "base64", "contentMediaType": "application/json", "contentSchema": {"title": "in"}}
      """
    #expect(
      try notes(by: schema, of: "e30=") == [
        #". /contentEncoding: "base64""#, #". /contentMediaType: "application/json""#,
        #". /contentSchema: {"title":"in"}"#,
      ])
    #expect(try notes(by: schema, of: 5) == [])
    #expect(try notes(by: #"{"contentSchema": {"title": "in"}}"#, of: "e30=") == [])
  }

  @Test func `keywords that assert, identify or comment annotate nothing`() throws {
    let schema = """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/s", "$anchor": "a",
        "$dynamicAnchor": "b", "$comment": "for readers", "$vocabulary": {}, "$defs": {"x": {"title": "unused"}},
        "type": "integer", "enum": [5], "const": 5, "minimum": 1, "minLength": 2, "required": ["a"], "minContains": 0,
        "not": {"title": "not", "type": "string"}
      }
      """
    #expect(try notes(by: schema, of: 5) == [])
  }

  // MARK: - Objects

  @Test func `keywords of objects annotate with the names that they reach`() throws {
    let schema = """
      {
        "properties": {"a": {"title": "A"}, "b": true, "z": {"title": "Z"}},
        "patternProperties": {"^a": {"title": "P"}, "b$": {}},
        "additionalProperties": {"title": "R"}
      }
      """
    #expect(
      try notes(by: schema, of: ["a": 1, "b": 2, "ab": 3, "c": 4]) == [
        #". /properties: ["a","b"]"#, #"/a /properties/a/title: "A""#,
        #". /patternProperties: ["a","b","ab"]"#, #"/a /patternProperties/^a/title: "P""#,
        #"/ab /patternProperties/^a/title: "P""#,
        #". /additionalProperties: ["c"]"#, #"/c /additionalProperties/title: "R""#,
      ])
  }

  @Test(arguments: ["{}", #"{"z": true}"#])
  func `without reached names the annotation is the empty set, and other values have none`(properties: String) throws {
    let schema = #"{"properties": \#(properties), "patternProperties": {}, "additionalProperties": {}}"#
    #expect(
      try notes(by: schema, of: [:])
        == [". /properties: []", ". /patternProperties: []", ". /additionalProperties: []"])
    #expect(try notes(by: schema, of: 5) == [])
  }

  @Test func `names of properties are not annotated, as they have no location in the value`() throws {
    #expect(try notes(by: #"{"propertyNames": {"title": "N"}}"#, of: ["a": 1]) == [])
  }

  @Test func `a schema that depends on a property annotates values with the property`() throws {
    let schema = #"{"dependentSchemas": {"a": {"title": "A"}, "b/c": {"title": "B"}}}"#
    #expect(try notes(by: schema, of: ["a": 1]) == [#". /dependentSchemas/a/title: "A""#])
    #expect(try notes(by: schema, of: ["b/c": 1]) == [#". /dependentSchemas/b~1c/title: "B""#])
    #expect(
      try notes(by: #"{"dependencies": {"a": ["b"], "b": {"title": "B"}}}"#, of: ["a": 1, "b": 2], .draft7)
        == [#". /dependencies/b/title: "B""#])
  }

  @Test func `unevaluatedProperties annotates with the names that no other keyword evaluates`() throws {
    let schema = """
      {
        "anyOf": [
          {"properties": {"a": {"title": "a"}}, "required": ["a"]}, {"properties": {"b": true}, "required": ["b"]}
        ],
        "unevaluatedProperties": {"title": "left"}
      }
      """
    #expect(
      try notes(by: schema, of: ["a": 1, "b": 2, "c": 3]) == [
        #". /anyOf/0/properties: ["a"]"#, #"/a /anyOf/0/properties/a/title: "a""#, #". /anyOf/1/properties: ["b"]"#,
        #". /unevaluatedProperties: ["c"]"#, #"/c /unevaluatedProperties/title: "left""#,
      ])
    // The branch that fails has evaluated nothing.
    #expect(
      try notes(by: schema, of: ["b": 2]) == [#". /anyOf/1/properties: ["b"]"#, ". /unevaluatedProperties: []"])
  }

  // MARK: - Arrays

  @Test func `items annotate with true, and prefixItems with the last index`() throws {
    let schema = #"{"prefixItems": [{"title": "0"}, true], "items": {"title": "rest"}}"#
    #expect(
      try notes(by: schema, of: [1, 2, 3]) == [
        ". /prefixItems: 1", #"/0 /prefixItems/0/title: "0""#, ". /items: true", #"/2 /items/title: "rest""#,
      ])
    #expect(try notes(by: schema, of: [1]) == [". /prefixItems: true", #"/0 /prefixItems/0/title: "0""#])
    #expect(try notes(by: schema, of: []) == [])
    #expect(try notes(by: #"{"items": true}"#, of: [1]) == [". /items: true"])
  }

  @Test func `the two forms of items in 2019-09 annotate alike`() throws {
    let schema = #"{"items": [{"title": "0"}], "additionalItems": {"title": "rest"}}"#
    #expect(
      try notes(by: schema, of: [1, 2], .draft2019) == [
        ". /items: 0", #"/0 /items/0/title: "0""#, ". /additionalItems: true", #"/1 /additionalItems/title: "rest""#,
      ])
    #expect(try notes(by: #"{"items": {}}"#, of: [1], .draft2019) == [". /items: true"])
  }

  @Test func `contains annotates with the elements that fit, and only these are annotated`() throws {
    let schema = #"{"contains": {"type": "number", "title": "n"}, "minContains": 0}"#
    #expect(
      try notes(by: schema, of: [1, "a", 2])
        == [". /contains: [0,2]", #"/0 /contains/title: "n""#, #"/2 /contains/title: "n""#])
    #expect(try notes(by: schema, of: []) == [". /contains: []"])
    // Before 2020-12 it says nothing itself.
    #expect(try notes(by: schema, of: ["a", 2], .draft2019) == [#"/1 /contains/title: "n""#])
  }

  @Test func `unevaluatedItems annotates with true where it reaches an element`() throws {
    let schema = #"{"prefixItems": [true], "contains": {"const": 3}, "unevaluatedItems": {"title": "left"}}"#
    #expect(
      try notes(by: schema, of: [1, 2, 3]) == [
        ". /prefixItems: 0", ". /contains: [2]", ". /unevaluatedItems: true", #"/1 /unevaluatedItems/title: "left""#,
      ])
    #expect(try notes(by: schema, of: [3]) == [". /prefixItems: true", ". /contains: [0]"])
  }

  // MARK: - The value itself

  @Test func `every alternative that fits annotates, not only the first`() throws {
    let schema = #"{"anyOf": [{"title": "a"}, {"title": "b", "type": "string"}, {"title": "c"}]}"#
    #expect(try notes(by: schema, of: 5) == [#". /anyOf/0/title: "a""#, #". /anyOf/2/title: "c""#])
    let one = #"{"oneOf": [{"title": "a", "type": "string"}, {"title": "b", "type": "number"}]}"#
    #expect(try notes(by: one, of: 5) == [#". /oneOf/1/title: "b""#])
  }

  @Test func `annotations inside a failed alternative are dropped`() throws {
    let schema = #"{"anyOf": [{"allOf": [{"title": "lost"}, {"type": "string"}]}, {"title": "kept"}]}"#
    #expect(try notes(by: schema, of: 5) == [#". /anyOf/1/title: "kept""#])
  }

  @Test func `schemas under not never annotate`() throws {
    #expect(try notes(by: #"{"not": {"not": {"title": "x"}}}"#, of: 5) == [])
  }

  @Test func `if annotates with its then, or else annotates instead`() throws {
    let schema = #"{"if": {"minimum": 3, "title": "i"}, "then": {"title": "t"}, "else": {"title": "e"}}"#
    #expect(try notes(by: schema, of: 5) == [#". /if/title: "i""#, #". /then/title: "t""#])
    #expect(try notes(by: schema, of: 1) == [#". /else/title: "e""#])
  }

  @Test func `if annotates without then and else, but not the reverse`() throws {
    let schema = #"{"if": {"minimum": 3, "title": "i"}}"#
    #expect(try notes(by: schema, of: 5) == [#". /if/title: "i""#])
    #expect(try notes(by: schema, of: 1) == [])
    #expect(try notes(by: #"{"then": {"title": "t"}, "else": {"title": "e"}}"#, of: 1) == [])
  }

  @Test func `references are part of the location, and the keywords beside them annotate`() throws {
    let schema = """
      {"title": "outer", "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"title": "b"}}}
      """
    #expect(try notes(by: schema, of: 5) == [#". /title: "outer""#, #". /$ref/$ref/title: "b""#])
    // Up to draft 7 a reference hides what stands beside it.
    let old = ##"{"title": "hidden", "$ref": "#/definitions/b", "definitions": {"b": {"title": "b"}}}"##
    #expect(try notes(by: old, of: 5, .draft7) == [#". /$ref/title: "b""#])
  }

  @Test func `a dynamic reference leads to the outermost anchor, even when that only annotates`() throws {
    let schema = """
      {
        "$id": "https://example.com/strict", "$ref": "list",
        "$defs": {
          "element": {"$dynamicAnchor": "T", "title": "dynamic"},
          "list": {
            "$id": "list", "items": {"$dynamicRef": "#T"}, "$defs": {"T": {"$dynamicAnchor": "T", "title": "default"}}
          }
        }
      }
      """
    #expect(
      try notes(by: schema, of: [1]) == [". /$ref/items: true", #"/0 /$ref/items/$dynamicRef/title: "dynamic""#])
    let recursive = """
      {"$id": "https://example.com/r", "$recursiveAnchor": true, "title": "r", "items": {"$recursiveRef": "#"}}
      """
    #expect(
      try notes(by: recursive, of: [1], .draft2019)
        == [#". /title: "r""#, ". /items: true", #"/0 /items/$recursiveRef/title: "r""#])
  }

  @Test func `only a value that fits is annotated`() throws {
    #expect(try notes(by: #"{"title": "T", "type": "string"}"#, of: 5) == [])
  }

  // MARK: - Dialects

  @Test func `unknown keywords annotate from 2019-09 on`() throws {
    let schema = #"{"x-own": {"a": 1}, "nullable": true, "title": "T"}"#
    for dialect: Dialect in [.draft2019, .draft2020, .openAPI31] {
      #expect(try notes(by: schema, of: 5, dialect) == [#". /x-own: {"a":1}"#, ". /nullable: true", #". /title: "T""#])
    }
    for dialect: Dialect in [.draft4, .draft6, .draft7] {
      #expect(try notes(by: schema, of: 5, dialect) == [#". /title: "T""#])
    }
  }

  @Test func `a keyword of an unused vocabulary counts as unknown`() throws {
    let metaschema = """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/meta",
        "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true}
      }
      """
    let document = try SchemaText.parse(metaschema).document
    let schema = #"{"$schema": "https://example.com/meta", "minimum": 7, "properties": {"a": {"title": "A"}}}"#
    #expect(
      try notes(by: schema, of: 5, load: { $0 == "https://example.com/meta" ? document : nil })
        == [". /minimum: 7", #". /properties: {"a":{"title":"A"}}"#])
  }

  private static let everything = """
    {
      "type": "string", "title": "t", "description": "d", "default": "", "format": "f", "examples": [], "readOnly": true,
      "writeOnly": true, "contentMediaType": "text/plain", "discriminator": {"propertyName": "a"}, "xml": {"name": "x"},
      "externalDocs": {"url": "u"}, "example": "e", "deprecated": true, "x-own": 1, "x-nullable": true, "other": 1,
      "allOf": [{"title": "in"}]
    }
    """

  @Test(arguments: [
    (Dialect.draft4, "title description default format allOf/0/title"),
    (.draft6, "title description default format examples allOf/0/title"),
    (.draft7, "title description default format examples readOnly writeOnly contentMediaType allOf/0/title"),
    (.swagger2, "title description default format readOnly discriminator xml externalDocs example x-own allOf/0/title"),
    (
      .openAPI30,
      """
      title description default format readOnly writeOnly discriminator xml externalDocs example deprecated x-own x-nullable \
      allOf/0/title
      """
    ),
    (
      .openAPI31,
      """
      title description default format examples readOnly writeOnly contentMediaType discriminator xml externalDocs example \
      deprecated x-own x-nullable other allOf/0/title
      """
    ),
  ])
  func `each dialect has its own annotations`(dialect: Dialect, keywords: String) throws {
    let lines = try notes(by: Self.everything, of: "v", dialect)
    #expect(lines.map { $0.split(separator: " ")[1].dropFirst().dropLast() }.joined(separator: " ") == keywords)
  }

  @Test func `before 2019-09 applicators do not annotate, but their subschemas do`() throws {
    let schema = #"{"properties": {"a": {"title": "A"}}, "items": {"title": "I"}, "contains": {"title": "C"}}"#
    #expect(try notes(by: schema, of: ["a": 1], .draft7) == [#"/a /properties/a/title: "A""#])
    #expect(try notes(by: schema, of: [1], .draft7) == [#"/0 /items/title: "I""#, #"/0 /contains/title: "C""#])
  }

  @Test func `of a duplicate keyword the last one annotates`() throws {
    #expect(try notes(by: #"{"title": "first", "title": "last"}"#, of: 5) == [#". /title: "last""#])
  }
}
