import Testing
import UnderstudySchema

struct JSONTypeSetTests {
  static func values() throws -> [JSON] {
    Array(try JSONParser.parse(Array(#"[null, true, false, 1, 1.5, 1.0, "a", [], {}]"#.utf8)).root.elements)
  }

  static let schemas: [JSON] = [
    ["type": "integer"], ["type": "number"], ["type": "boolean"], ["type": "null"],
    ["type": "string", "nullable": true],
    ["type": "string", "x-nullable": true], ["type": "string", "nullable": "true"], ["nullable": true],
    ["type": ["integer", "null"]], ["type": ["integer", "string"], "nullable": true], ["type": []], ["type": "file"],
    ["type": ["object", "array", "boolean"]],
  ]

  static let dialects: [Dialect] = [
    .swagger2, .openAPI30, .openAPI31, .draft4, .draft6, .draft7, .draft2019, .draft2020,
  ]

  @Test(arguments: dialects)
  func `the types of a schema hold exactly the values that the engine accepts`(dialect: Dialect) throws {
    for schema in Self.schemas {
      let types = JSONTypeSet(schema: schema, dialect: dialect) ?? .any
      let compiled = SchemaLibrary(dialect: dialect).schema(at: schema)
      for value in try Self.values() {
        #expect(types.isSuperset(of: JSONTypeSet(of: value)) == compiled.accepts(value), "\(schema) \(value)")
      }
    }
  }

  @Test func `a schema without a type, or with an unknown one, restricts nothing`() {
    #expect(JSONTypeSet(schema: ["nullable": true], dialect: .openAPI30) == nil)
    #expect(JSONTypeSet(schema: ["type": "text"], dialect: .openAPI30) == nil)
    #expect(JSONTypeSet(schema: ["type": ["string", "file"]], dialect: .swagger2) == nil)
    #expect(JSONTypeSet(schema: ["type": 1], dialect: .draft2020) == nil)
  }

  @Test func `integers are numbers, and number covers integer in the names`() throws {
    #expect(JSONTypeSet.number.isSuperset(of: .integer))
    #expect(JSONTypeSet([.number, .integer, .null]).names == ["number", "null"])
    #expect(JSONTypeSet.integer.names == ["integer"])
    let numbers = try Self.values().filter { $0.kind == .number }.map { JSONTypeSet(of: $0) }
    #expect(numbers == [.integer, .number.subtracting(.integer), .integer])
    #expect(numbers[1].names == ["number"])
  }
}
