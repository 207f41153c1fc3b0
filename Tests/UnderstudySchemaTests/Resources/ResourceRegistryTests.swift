import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Where schemas with names of their own are found, and in which dialect they are read.
struct ResourceRegistryTests {
  private static let named = #"{"$id": "http://x/a", "type": "string"}"#

  private func parse(_ text: String, _ path: String = "api.json") throws -> JSON {
    try JSONParser.parse(SourceFile(path: path, text: text)).root
  }

  /// A library that starts at a document, among other files by their paths.
  private func library(
    at root: JSON, _ files: [String: String] = [:], _ dialect: Dialect = .draft2020
  ) throws -> SchemaLibrary {
    var documents: [String: JSONDocument] = [:]
    for (path, text) in files { documents[path] = try parse(text, path).document }
    let known = documents
    return SchemaLibrary(dialect: dialect, startingAt: root.document, loader: SchemaLoader { known[$0] })
  }

  @Test func `a recursive anchor marks the roots of resources only`() throws {
    let schema = try SchemaText.schema(
      ##"""
      {
        "$id": "http://x/strict", "$recursiveAnchor": true, "$ref": "tree",
        "$defs": {
          "tree": {
            "$id": "tree", "$recursiveAnchor": true, "type": "object",
            "properties": {"children": {"items": {"$recursiveRef": "#"}}, "meta": {"$recursiveAnchor": true, "type": "string"}}
          }
        }, "properties": {"meta": {"$recursiveAnchor": true, "type": "string"}}
      }
      """##, .draft2019)
    #expect(schema.accepts(try parse(#"{"children": [{"data": 1}]}"#)))
  }

  // MARK: - Where schemas stand

  @Test(arguments: [
    #""paths": {"/a": {"get": {"responses": {"default": {"content": {"a/b": {"schema": SCHEMA}}}}}}}"#,
    #""paths": {"/a": {"get": {"responses": {"200": {"headers": {"value": {"schema": SCHEMA}}}}}}}"#,
    #""paths": {"/a": {"get": {"callbacks": {"example": {"enum": {"post": {"requestBody": {"content": {"default": {"schema": SCHEMA}}}}}}}}}}"#,
    #""paths": {"/a": {"parameters": [{"name": "a", "in": "query", "schema": SCHEMA}]}}"#,
    #""webhooks": {"value": {"post": {"requestBody": {"content": {"a/b": {"itemSchema": SCHEMA}}}}}}"#,
    #""components": {"schemas": {"default": SCHEMA}}"#,
    #""components": {"schemas": {"b": {"properties": {"enum": {"items": SCHEMA}}}}}"#,
    #""components": {"responses": {"value": {"content": {"a/b": {"schema": SCHEMA}}}}}"#,
    #""components": {"parameters": {"example": {"content": {"a/b": {"schema": SCHEMA}}}}}"#,
    #""components": {"headers": {"examples": {"schema": SCHEMA}}}"#,
    #""components": {"requestBodies": {"links": {"content": {"a/b": {"schema": SCHEMA}}}}}"#,
    #""components": {"pathItems": {"enum": {"get": {"responses": {"default": {"content": {"a/b": {"schema": SCHEMA}}}}}}}}"#,
    #""components": {"callbacks": {"value": {"default": {"get": {"responses": {"4XX": {"content": {"a/b": {"schema": SCHEMA}}}}}}}}}"#,
    #""x-more": {"schema": SCHEMA}"#,
  ])
  func `a member named like a keyword hides no schema`(section: String) throws {
    let text = section.replacing("SCHEMA", with: Self.named)
    let root = try parse(##"{"openapi": "3.1.0", "x-a": {"schema": {"$ref": "http://x/a"}}, \##(text)}"##)
    let schema = try library(at: root).schema(at: try #require(root["x-a"]?["schema"]))
    #expect(schema.problems.map(\.message) == [])
    #expect(schema.accepts("a"))
    #expect(!schema.accepts(1))
  }

  @Test(arguments: [
    #""components": {"schemas": {"b": {"default": SCHEMA, "enum": [SCHEMA], "const": SCHEMA, "examples": [SCHEMA]}}}"#,
    #""components": {"examples": {"schema": {"value": {"schema": SCHEMA}}}}"#,
    #""components": {"links": {"a": {"parameters": {"schema": SCHEMA}}}}"#,
    #""components": {"headers": {"a": {"example": {"schema": SCHEMA}}}}"#,
    #""components": {"responses": {"a": {"content": {"b": {"examples": {"c": {"value": {"schema": SCHEMA}}}}}}}}"#,
  ])
  func `an example value is never read as a schema`(section: String) throws {
    let text = section.replacing("SCHEMA", with: Self.named)
    let root = try parse(##"{"openapi": "3.1.0", "x-a": {"schema": {"$ref": "http://x/a"}}, \##(text)}"##)
    let schema = try library(at: root).schema(at: try #require(root["x-a"]?["schema"]))
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.ref"])
  }

  @Test(arguments: [
    #"{"default": {"description": "", "content": {"a/b": {"schema": SCHEMA}}}}"#,
    #"{"$id": "http://x/b", "properties": {"default": SCHEMA}}"#, #"{"Pet": {"allOf": [SCHEMA]}}"#,
    #"{"description": "", "content": {"value": {"schema": SCHEMA}}}"#, "SCHEMA",
  ])
  func `names are found in parts of a description in other files`(part: String) throws {
    let root = try parse(
      #"{"openapi": "3.1.0", "x-a": {"schema": {"allOf": [{"not": {"not": {"$ref": "part.json#"}}}, {"$ref": "http://x/a"}]}}}"#
    )
    let files = ["part.json": part.replacing("SCHEMA", with: Self.named)]
    let schema = try library(at: root, files).schema(at: try #require(root["x-a"]?["schema"]))
    #expect(schema.problems.map(\.message) == [])
  }

  // MARK: - Dialects

  @Test(arguments: ["#/$defs/a", "http://x/a"])
  func `an embedded schema in an unknown dialect is not validated under any of its names`(reference: String) throws {
    let schema = try SchemaText.schema(
      #"{"$defs": {"a": {"$id": "http://x/a", "$schema": "http://unknown/", "type": "string"}}, "$ref": "\#(reference)"}"#
    )
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.dialect"])
    #expect(schema.problems.first?.location?.pointer == "/$defs/a/$schema")
    guard case .notValidated = schema.verdict("x") else {
      Issue.record("it was validated")
      return
    }
  }

  private static let common = [
    "common.json": #"{"Pet": {"type": "integer", "nullable": true, "minimum": 0, "exclusiveMinimum": true}}"#,
    "tuple.json": #"{"items": [{"type": "string"}]}"#,
  ]

  @Test func `a file without a version is read as the one that refers to it`() throws {
    let root = try parse(
      #"{"openapi": "3.0.3", "components": {"schemas": {"A": {"$ref": "common.json#/Pet"}}}}"#)
    let schema = try library(at: root, Self.common).schema(at: try #require(root["components"]?["schemas"]?["A"]))
    #expect([.null, 1, 0].map { schema.accepts($0) } == [true, true, false])
  }

  @Test func `a file without a version is read in the default dialect of the description`() throws {
    let root = try parse(
      """
      {"openapi": "3.1.0", "jsonSchemaDialect": "http://json-schema.org/draft-07/schema#",
        "components": {"schemas": {"A": {"$ref": "tuple.json"}}}}
      """)
    let schema = try library(at: root, Self.common).schema(at: try #require(root["components"]?["schemas"]?["A"]))
    #expect(schema.accepts(["x"]))
    #expect(!schema.accepts([1]))
  }

  @Test func `a file without a version is read twice where two dialects refer to it`() throws {
    let root = try parse(
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"new": {"$ref": "tuple.json"},
        "old": {"$id": "old.json", "$schema": "http://json-schema.org/draft-07/schema#", "allOf": [{"$ref": "tuple.json"}]}}}
      """)
    let schema = try library(at: root, Self.common).schema(at: root)
    #expect(schema.accepts(["new": [1], "old": ["x"]]))
    #expect(!schema.accepts(["old": [1]]))
  }

  @Test(arguments: [("3.0", false), ("3.0.3", false), (#""3.0.3""#, false), ("3.1", true), ("3", false)])
  func `an unquoted version counts`(version: String, isModern: Bool) throws {
    let text = "openapi: \(version)\ncomponents: {schemas: {A: {type: integer, minimum: 1, exclusiveMinimum: true}}}"
    let root = try YAMLReader.parse(SourceFile(path: "api.yaml", text: text)).root
    let schema = try library(at: root).schema(at: try #require(root["components"]?["schemas"]?["A"]))
    #expect(schema.accepts(1) == isModern)
  }

  @Test func `an unknown version is not a dialect`() throws {
    let root = try parse(#"{"openapi": "4.0.0", "components": {"schemas": {"A": {"type": "string"}}}}"#)
    let schema = try library(at: root).schema(at: try #require(root["components"]?["schemas"]?["A"]))
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.dialect"])
  }

  // MARK: - Names and references

  @Test(arguments: [
    "https://example.com/api/main.json#/components/schemas/S", "main.json#/components/schemas/S",
    "api.json#/components/schemas/S", "parts.json#/S", "#/components/schemas/S",
  ])
  func `a description with its own name still finds its neighbours`(reference: String) throws {
    let root = try parse(
      """
      {"openapi": "3.2.0", "$self": "https://example.com/api/main.json",
        "components": {"schemas": {"A": {"$ref": "\(reference)"}, "S": {"type": "string"}}}}
      """)
    let schema = try library(at: root, ["parts.json": #"{"S": {"type": "string"}}"#])
      .schema(at: try #require(root["components"]?["schemas"]?["A"]))
    #expect(schema.problems.map(\.message) == [])
    #expect(schema.accepts("a"))
    #expect(!schema.accepts(1))
  }

  @Test(arguments: [("text.json", #""secret""#), ("null.json", "null"), ("list.json", "[]"), ("one.json", "1")])
  func `a reference to a value that is not a schema is refused without showing the value`(
    path: String, text: String
  ) throws {
    let root = try parse(#"{"$ref": "\#(path)"}"#, "s.json")
    let schema = try library(at: root, [path: text]).schema(at: root)
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.ref"])
    #expect(schema.problems.map(\.severity) == [.error])
    #expect(schema.problems.allSatisfy { !$0.message.contains("secret") && $0.location?.path == "s.json" })
    guard case .notValidated = schema.verdict(1) else {
      Issue.record("it was validated")
      return
    }
  }

  @Test func `a broken reference is reported with its target`() throws {
    let root = try parse(
      ##"{"$id": "https://ex.com/schemas/", "anyOf": [{"$ref": "item.json"}, {"$ref": "a.json#/b"}]}"##)
    let schema = try library(at: root, ["https://ex.com/schemas/a.json": "{}"]).schema(at: root)
    #expect(
      schema.problems.map(\.message) == [
        "the reference `item.json` leads nowhere: it resolves to `https://ex.com/schemas/item.json`",
        "the reference `a.json#/b` leads nowhere: `https://ex.com/schemas/a.json` has no `#/b`",
      ])
  }

  /// More than two thousand scopes would be a problem.
  @Test func `eight thousand dynamic anchors of one resource share their scope`() throws {
    let count = 8_000
    let definitions = (0..<count).map {
      ##""d\##($0)": {"$dynamicAnchor": "a\##($0)", "items": {"$ref": "#/$defs/d0"}}"##
    }
    let text =
      ##"{"$defs": {\##(definitions.joined(separator: ","))}, "anyOf": [\##((0..<count).map { ##"{"$ref": "#/$defs/d\##($0)"}"## }.joined(separator: ","))]}"##
    let root = try parse(text)
    let schema = SchemaLibrary(dialect: .draft2020).schema(at: root)
    #expect(schema.problems.map(\.message) == [])
    #expect(schema.accepts(1))
  }
}
