import Testing
import UnderstudySchema

struct ResolvedSchemaTests {
  static func view(_ document: JSON, _ dialect: Dialect = .openAPI31) throws -> ResolvedSchema {
    SchemaLibrary(dialect: dialect).resolved(try #require(document["schema"]))
  }

  @Test func `references and allOf are followed, and their types meet`() throws {
    let view = try Self.view([
      "schema": ["$ref": "#/a", "allOf": [["type": ["integer", "null"]], ["required": ["x"]]]],
      "a": ["type": ["integer", "string", "null"]],
    ])
    #expect(view.types == [.integer, .null])
    #expect(view.parts.count == 4)
    #expect(view.requirement(of: "x") != nil)
    #expect(view.requirement(of: "y") == nil)
  }

  @Test func `alternatives widen types and add properties that no part declares`() throws {
    let view = try Self.view([
      "schema": [
        "properties": ["a": ["type": "string"]],
        "oneOf": [
          ["type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "boolean"]]], ["type": "null"],
        ],
      ]
    ])
    #expect(view.types == [.object, .null])
    #expect(view.properties.map(\.name) == ["a", "b"])
    #expect(view.declaredProperties.map(\.name) == ["a"])
    #expect(view.property("a")?.types == .string)
    #expect(view.property("b")?.types == .boolean)
    #expect(view.declaredProperty("b") == nil)
    #expect(view.alternatives.count == 2)
  }

  @Test func `keywords that the dialect does not define are ignored`() throws {
    let schema: JSON = ["schema": ["oneOf": [["type": "string"]], "const": 1, "prefixItems": [true]]]
    #expect(try Self.view(schema, .swagger2).types == .any)
    #expect(try Self.view(schema, .openAPI30).types == .string)
    #expect(try Self.view(schema, .openAPI31).types == [])
    #expect(try !Self.view(schema, .openAPI30).has(.prefixItems))
    #expect(try Self.view(schema, .openAPI31).has(.prefixItems))
  }

  @Test func `keywords beside a reference count in dialects that allow them`() throws {
    let schema: JSON = [
      "schema": ["$ref": "#/a", "properties": ["b": [:]], "required": ["b"]], "a": ["type": "object"],
    ]
    #expect(try Self.view(schema, .openAPI30).properties.isEmpty)
    #expect(try Self.view(schema, .openAPI30).requirement(of: "b") == nil)
    #expect(try Self.view(schema, .openAPI31).properties.map(\.name) == ["b"])
  }

  @Test func `a list of values stands in for a type, and removes a null that it lacks`() throws {
    #expect(try Self.view(["schema": ["enum": [1, "a", .null]]]).types == [.number, .string, .null])
    #expect(try Self.view(["schema": ["type": ["string", "null"], "enum": ["a"]]]).types == .string)
    #expect(try Self.view(["schema": ["type": ["string", "null"], "enum": ["a", .null]]]).types == [.string, .null])
    #expect(try Self.view(["schema": ["const": .null]]).types == .null)
    #expect(try Self.view(["schema": ["type": "string", "enum": [1]]]).types == .string)
  }

  @Test func `a schema that contains itself in place allows any value`() throws {
    let cycle: JSON = ["schema": ["$ref": "#/a"], "a": ["anyOf": [["$ref": "#/schema"], ["type": "string"]]]]
    #expect(try Self.view(cycle).types == .any)
    #expect(try Self.view(["schema": ["$ref": "#/schema"]]).types == .any)
    #expect(try Self.view(["schema": ["allOf": [["$ref": "#/schema"], ["type": "string"]]]]).types == .string)
  }

  @Test func `a schema that contains itself in a property is followed to any depth`() throws {
    var view = try Self.view(["schema": ["type": "object", "properties": ["next": ["$ref": "#/schema"]]]])
    for _ in 0..<1_000 { view = try #require(view.property("next")) }
    #expect(view.types == .object)
  }

  @Test func `schemas beyond the limit allow any value`() throws {
    func choice(of count: Int) -> JSON {
      ["schema": ["anyOf": .array((0..<count).map { _ in ["type": "string"] })]]
    }
    #expect(try Self.view(choice(of: 255)).types == .string)
    #expect(try Self.view(choice(of: 256)).types == .any)
    #expect(
      try Self.view(["schema": ["allOf": .array((0..<10_000).map { _ in ["type": "string"] })]]).parts.count == 256)
  }

  @Test func `the chain leads through references and a lone allOf`() throws {
    let document: JSON = [
      "schema": ["$ref": "#/a"], "a": ["allOf": [["$ref": "#/b"]]], "b": ["allOf": [["type": "string"], [:]]],
    ]
    #expect(try Self.view(document).chain.map(\.pointer.description) == ["/schema", "/a", "/a/allOf/0", "/b"])
  }

  @Test func `elements and other members with a schema have a view`() throws {
    let view = try Self.view([
      "schema": ["items": ["type": "integer"], "additionalProperties": ["type": "string"], "anyOf": [["items": [:]]]]
    ])
    #expect(view.describesElements && view.describesOthers)
    #expect(view.element.types == .integer)
    #expect(view.other.types == .string)
    let closed = try Self.view(["schema": ["additionalProperties": false, "items": false]])
    #expect(!closed.describesElements && !closed.describesOthers)
    #expect(closed.closure != nil)
    #expect(closed.element.types == .any)
    let open = try Self.view(["schema": ["additionalProperties": true, "items": true]])
    #expect(open.describesElements && open.describesOthers)
    #expect(open.other.types == .any)
    #expect(try Self.view(["schema": false]).types == [])
  }
}
