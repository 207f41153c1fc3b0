extension Dialect {
  /// The dialect that a metaschema describes by its `$vocabulary` (Core 2020-12, 8.1.2).
  ///
  /// `nil` when the metaschema is written in no known dialect, or demands a vocabulary that is not known.
  init?(metaschema: JSON) {
    guard let base = metaschema["$schema"]?.string.flatMap(Dialect.init(uri:)) else { return nil }
    self = base
    guard let vocabularies = metaschema["$vocabulary"], vocabularies.isObject else { return }
    var used = Set<Vocabulary>()
    for member in vocabularies.members {
      if let vocabulary = Vocabulary(uri: member.name) {
        used.insert(vocabulary)
      } else if member.value.bool == true {
        return nil
      }
    }
    for vocabulary in Vocabulary.allCases where !used.contains(vocabulary) {
      keywords.subtract(vocabulary.keywords)
    }
    assertsFormats = used.contains(.formatAssertion)
  }

  /// A vocabulary of 2019-09 or 2020-12, by the last part of its URI.
  private enum Vocabulary: String, CaseIterable {
    case core, applicator, unevaluated, validation, content, format
    case formatAnnotation = "format-annotation"
    case formatAssertion = "format-assertion"
    case metaData = "meta-data"

    init?(uri: String) {
      for prefix in ["https://json-schema.org/draft/2020-12/vocab/", "https://json-schema.org/draft/2019-09/vocab/"]
      where uri.hasPrefix(prefix) {
        self.init(rawValue: String(uri.dropFirst(prefix.count)))
        return
      }
      return nil
    }

    /// The keywords that go when the vocabulary is not used; those of other vocabularies stay.
    var keywords: KeywordSet {
      switch self {
      case .applicator:
        [
          .items, .prefixItems, .additionalItems, .contains, .properties, .patternProperties, .additionalProperties,
          .propertyNames, .dependentSchemas, .dependencies, .allOf, .anyOf, .oneOf, .not, .if, .then, .else,
        ]
      case .validation:
        [
          .type, .enum, .const, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength,
          .maxLength, .pattern, .minItems, .maxItems, .uniqueItems, .minContains, .maxContains, .minProperties,
          .maxProperties, .required, .dependentRequired,
        ]
      case .content: [.contentEncoding, .contentMediaType, .contentSchema]
      // 2019-09 has no vocabulary of its own for unevaluated*, so its absence says nothing.
      case .core, .unevaluated, .format, .formatAnnotation, .formatAssertion, .metaData: []
      }
    }
  }
}
