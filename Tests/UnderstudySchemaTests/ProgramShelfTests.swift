import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Schemas of which each reaches all others, as in the contracts of large interfaces.
struct ProgramShelfTests {
  /// So many schemas that refer to each other, each with properties of its own.
  private static func definitions(_ count: Int) -> String {
    let schemas = (0..<count).map { number in
      let properties = (0..<20).map { "\"p\($0)\": {\"type\": \"integer\", \"maximum\": \(number * 20 + $0)}" }
      return """
        "s\(number)": {"type": "object", "properties": {"next": {"$ref": "#/$defs/s\((number + 1) % count)"}, \
        \(properties.joined(separator: ", "))}}
        """
    }
    return "{\"$defs\": {\(schemas.joined(separator: ",\n"))}}"
  }

  @Test func `schemas that share a program validate as they do alone`() throws {
    let root = try SchemaText.parse(Self.definitions(120))
    let library = SchemaLibrary(dialect: .draft2020)
    let nodes = try (0..<120).map { try #require(root["$defs"]?["s\($0)"]) }
    let schemas = nodes.map { library.schema(at: $0) }
    for (number, schema) in schemas.enumerated() {
      let next = (number + 1) % 120
      #expect(schema.accepts(try SchemaText.parse("{\"p3\": \(number * 20 + 3), \"next\": {\"p0\": \(next * 20)}}")))
      let value = try SchemaText.parse("{\"next\": {\"p0\": \(next * 20 + 1)}}")
      #expect(schema.failures(value).map(\.instance.description) == ["/next/p0"])
      #expect(schema.failures(value).map(\.schema.pointer.description) == ["/$defs/s\(next)/properties/p0/maximum"])
    }
    #expect(library.programCount == 1)
  }

  @Test func `a schema may be added to a program before or after others are used`() throws {
    let own = (0..<8).map { "\"r\($0)\": {\"$ref\": \"#/$defs/s0\", \"required\": [\"p\($0)\"]}" }
    let root = try SchemaText.parse("{\(own.joined(separator: ",")), \(Self.definitions(120).dropFirst())")
    let value = try (0..<8).map { try SchemaText.parse("{\"p\($0)\": 0}") }
    for order in [[0, 1, 2, 3, 4, 5, 6, 7], [7, 0, 6, 1, 5, 2, 4, 3]] {
      let library = SchemaLibrary(dialect: .draft2020)
      var schemas: [(number: Int, schema: Schema)] = []
      for number in order {
        schemas.append((number, library.schema(at: try #require(root["r\(number)"]))))
        // Every second one, the latest first.
        guard schemas.count.isMultiple(of: 2) else { continue }
        for (number, schema) in schemas.reversed() {
          for other in value.indices { #expect(schema.accepts(value[other]) == (number == other)) }
        }
        #expect(library.programCount == 1)
      }
    }
  }

  @Test func `programs beyond the limit are dropped, and compiled again when they are used`() throws {
    let library = SchemaLibrary(dialect: .draft2020, largeProgramBytes: 1)
    // Each document by itself has nothing in common with the others.
    let roots = try (0..<3).map { _ in try SchemaText.parse(Self.definitions(120)) }
    let schemas = try roots.map { library.schema(at: try #require($0["$defs"]?["s0"])) }
    #expect(library.programCount == 1)
    for schema in schemas + schemas {
      #expect(schema.accepts(try SchemaText.parse("{\"p1\": 1}")))
      #expect(!schema.accepts(try SchemaText.parse("{\"p1\": 2}")))
      #expect(library.programCount == 1)
    }
  }
}
