/// A vocabulary of 2019-09 or 2020-12, by the last part of its URI, or that of OpenAPI.
private enum Vocabulary: String, CaseIterable {
  case core, applicator, unevaluated, validation, content, format
  case formatAnnotation = "format-annotation"
  case formatAssertion = "format-assertion"
  case metaData = "meta-data"
  /// The OAS base vocabulary (OpenAPI 3.1.1, 4.8.24.5).
  case openAPI

  init?(uri: String) {
    for prefix in ["https://json-schema.org/draft/2020-12/vocab/", "https://json-schema.org/draft/2019-09/vocab/"]
    where uri.hasPrefix(prefix) {
      self.init(rawValue: String(uri.dropFirst(prefix.count)))
      return
    }
    guard uri.hasPrefix("https://spec.openapis.org/oas/3."), uri.contains("/vocab/base") else { return nil }
    self = .openAPI
  }

  /// The keywords of the vocabulary, which are removed if it is not used.
  func keywords(in draft: Dialect) -> KeywordSet {
    // In 2019-09 the applicators include `unevaluated*`.
    let hasUnevaluated = draft.keywords.contains(.dynamicRef)
    return switch self {
    case .applicator:
      (hasUnevaluated ? [] : Self.unevaluatedKeywords).union([
        .items, .prefixItems, .additionalItems, .contains, .properties, .patternProperties, .additionalProperties,
        .propertyNames, .dependentSchemas, .dependencies, .allOf, .anyOf, .oneOf, .not, .if, .then, .else,
      ])
    case .unevaluated: hasUnevaluated ? Self.unevaluatedKeywords : []
    case .validation:
      [
        .type, .enum, .const, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength,
        .maxLength, .pattern, .minItems, .maxItems, .uniqueItems, .minContains, .maxContains, .minProperties,
        .maxProperties, .required, .dependentRequired,
      ]
    case .content: [.contentEncoding, .contentMediaType, .contentSchema]
    // `draft` has the keywords of OpenAPI only if it is the base dialect of OpenAPI, which a metaschema may extend.
    case .core, .format, .formatAnnotation, .formatAssertion, .metaData, .openAPI: []
    }
  }

  private static let unevaluatedKeywords: KeywordSet = [.unevaluatedItems, .unevaluatedProperties]
}

extension Dialect {
  /// The dialect that a metaschema describes by its `$vocabulary` (Core 2020-12, 8.1.2), else the one it is written in;
  /// `nil` if it requires an unknown vocabulary.
  ///
  /// - Parameter draft: The source of the keywords: the metaschema may be written in a dialect that lacks some.
  func described(by metaschema: JSON, of draft: Dialect) -> Dialect? {
    guard let vocabularies = metaschema["$vocabulary"], vocabularies.isObject else { return self }
    var dialect = draft
    dialect.name = "a dialect of \(draft.name)"
    var used = Set<Vocabulary>()
    for member in vocabularies.members {
      if let vocabulary = Vocabulary(uri: member.name) {
        used.insert(vocabulary)
      } else if member.value.bool == true {
        return nil
      }
    }
    for vocabulary in Vocabulary.allCases where !used.contains(vocabulary) {
      dialect.keywords.subtract(vocabulary.keywords(in: draft))
    }
    if used.contains(.openAPI) {
      dialect.keywords = dialect.keywords.union(Dialect.openAPIKeywords)
      dialect.options.insert(.openAPI)
    }
    dialect.assertsFormats = used.contains(.formatAssertion)
    return dialect
  }

  /// The draft whose core vocabulary a metaschema uses; it may name itself, or nothing, as its own.
  init?(core metaschema: JSON) {
    for (year, draft) in [("2020-12", Dialect.draft2020), ("2019-09", .draft2019)]
    where metaschema["$vocabulary"]?["https://json-schema.org/draft/\(year)/vocab/core"] != nil {
      self = draft
      return
    }
    return nil
  }
}
