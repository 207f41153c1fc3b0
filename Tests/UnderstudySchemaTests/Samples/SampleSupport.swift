import UnderstudySchema

/// A schema in a library of its own, and questions to it.
struct SchemaUnderTest {
  let node: JSON
  let library: SchemaLibrary

  init(_ text: String, dialect: Dialect = .openAPI31) throws(TextProblem) {
    node = try JSONParser.parse(Array(text.utf8)).root
    library = SchemaLibrary(dialect: dialect)
  }

  func sample(seed: String = "0", direction: Direction = .either, within budget: WorkBudget? = nil) -> JSON? {
    SampleGenerator(schemas: library, seed: seed).sample(of: node, direction: direction, within: budget)
  }

  /// The sample as JSON text.
  func text(seed: String = "0", direction: Direction = .either) -> String? {
    sample(seed: seed, direction: direction).map { JSONWriter.text($0) }
  }

  func accepts(_ value: JSON, direction: Direction = .either) -> Bool {
    library.schema(at: node, direction: direction).accepts(value)
  }

  func invalidSamples(direction: Direction = .either) -> [InvalidSample] {
    SampleGenerator(schemas: library, seed: "0").invalidSamples(of: node, direction: direction)
  }

  func conflict() -> String? { SampleGenerator(schemas: library, seed: "0").conflict(of: node)?.description }
}
