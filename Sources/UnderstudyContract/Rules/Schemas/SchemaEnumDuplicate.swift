extension LintRule {
  static let schemaEnumDuplicate = LintRule(
    "spec.schema.enum-duplicate", .warning, "An `enum` lists a value twice",
    help: "The values of `enum` should be unique (JSON Schema Validation, 6.1.2). `1` and `1.0` are the same value.",
    .schemas(
      """
      Color: {type: string, enum: [red, green, ↓red]}
      Size: {type: number, enum: [1, 2, ↓1.0]}
      """)
  ) { subject, rule in
    subject.schemas.flatMap { schema -> [Diagnostic] in
      guard let values = schema["enum"], values.isArray else { return [] }
      var seen: Set<EnumValue> = []
      return values.elements.filter { !seen.insert(EnumValue(value: $0)).inserted }.map { value in
        Diagnostic(rule, "`enum` lists \(JSONWriter.text(value)) twice", at: value)
      }
    }
  }

  /// Equal numbers have one hash, however they are written.
  private struct EnumValue: Hashable {
    let value: JSON

    static func == (a: EnumValue, b: EnumValue) -> Bool { a.value == b.value }

    func hash(into hasher: inout Hasher) {
      hasher.combine(value.kind)
      switch value.kind {
      case .number: hasher.combine(value.number?.digits)
      case .string: hasher.combine(value.bytes)
      default: hasher.combine(value.count)
      }
    }
  }
}
