extension Rule {
  package static let specSchemaEnumDuplicate = Rule(
    "spec.schema.enum-duplicate", .warning, owner: .contract, "An `enum` lists a value twice",
    help: "The values of `enum` should be unique (JSON Schema Validation, 6.1.2). `1` and `1.0` are the same.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            Color: {type: string, enum: [red, green, ↓red]}
            Size: {type: number, enum: [1, 2, ↓1.0]}
        """)
    ])
}

extension LintRule {
  static let schemaEnumDuplicate = LintRule(.specSchemaEnumDuplicate) { subject in
    subject.schemas.flatMap { schema -> [Diagnostic] in
      guard let values = schema["enum"], values.isArray else { return [] }
      var seen: Set<Value> = []
      return values.elements.filter { !seen.insert(Value($0)).inserted }.map { value in
        Diagnostic(.specSchemaEnumDuplicate, "`enum` lists \(JSONWriter.text(value)) twice", at: value)
      }
    }
  }

  /// A value by what it means: equal numbers are one, however they are spelled.
  private struct Value: Hashable {
    let value: JSON
    private let hash: Int

    init(_ value: JSON) {
      self.value = value
      var hasher = Hasher()
      hasher.combine(value.kind)
      switch value.kind {
      case .number: hasher.combine(value.number?.digits)
      case .string: hasher.combine(value.bytes)
      default: hasher.combine(value.count)
      }
      hash = hasher.finalize()
    }

    static func == (a: Value, b: Value) -> Bool { a.value == b.value }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
}
