/// A set of rules for reading schemas, as a value of flags.
public struct Dialect: Sendable, Hashable {
  /// The name people use for it.
  public internal(set) var name: String
  /// The keywords that mean something.
  package var keywords: KeywordSet
  package var options: Options
  /// Whether `format` is asserted: the format-assertion vocabulary requires it.
  package var assertsFormats = false

  /// Whatever is not a matter of which keywords exist.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `exclusiveMinimum: true` modifies `minimum` (drafts 3 and 4).
    static let booleanExclusive = Options(rawValue: 1 << 0)
    /// Everything beside a `$ref` is ignored (up to draft 7).
    static let refHidesSiblings = Options(rawValue: 1 << 1)
    /// `$id: "#name"` is an anchor (up to draft 7).
    static let anchorsInID = Options(rawValue: 1 << 2)
    /// `items` may be an array of schemas (up to 2019-09).
    static let itemsLists = Options(rawValue: 1 << 3)
    /// Elements that `contains` matched count as evaluated (from 2020-12).
    static let containsEvaluates = Options(rawValue: 1 << 4)
    /// `readOnly` and `writeOnly` bend `required`; discriminators name branches (OpenAPI).
    static let openAPI = Options(rawValue: 1 << 5)
    /// `type: file` stands for any body (Swagger 2.0).
    static let fileType = Options(rawValue: 1 << 6)
    /// Unknown keywords annotate values, and applicators annotate the children that they have reached (from 2019-09).
    static let annotates = Options(rawValue: 1 << 7)
  }

  /// Whether it matters to it which way a value travels.
  package var knowsDirections: Bool { has(.openAPI) }

  func has(_ option: Options) -> Bool { options.contains(option) }
}

// MARK: - The dialects

extension Dialect {
  private static let common: KeywordSet = [
    .ref, .type, .enum, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength,
    .pattern, .format, .minItems, .maxItems, .uniqueItems, .items, .minProperties, .maxProperties, .required,
    .properties, .additionalProperties, .allOf,
  ]

  /// JSON Schema draft 4.
  public static let draft4 = Dialect(
    name: "draft 4",
    keywords: common.union([
      .schema, .draft4ID, .definitions, .anyOf, .oneOf, .not, .patternProperties, .additionalItems, .dependencies,
    ]),
    options: [.booleanExclusive, .refHidesSiblings, .anchorsInID, .itemsLists])

  /// JSON Schema draft 6.
  public static let draft6 = Dialect(
    name: "draft 6",
    keywords: draft4.keywords.subtracting([.draft4ID]).union([.id, .const, .contains, .propertyNames]),
    options: [.refHidesSiblings, .anchorsInID, .itemsLists])

  /// JSON Schema draft 7.
  public static let draft7 = Dialect(
    name: "draft 7",
    keywords: draft6.keywords.union([.if, .then, .else, .contentEncoding, .contentMediaType]),
    options: draft6.options)

  /// JSON Schema draft 2019-09.
  public static let draft2019 = Dialect(
    name: "2019-09",
    keywords: draft7.keywords.union([
      .anchor, .recursiveAnchor, .recursiveRef, .defs, .minContains, .maxContains, .dependentRequired,
      .dependentSchemas, .unevaluatedItems, .unevaluatedProperties, .contentSchema,
    ]),
    options: [.itemsLists, .annotates])

  /// JSON Schema draft 2020-12.
  public static let draft2020 = Dialect(
    name: "2020-12",
    keywords: draft2019.keywords.subtracting([.recursiveAnchor, .recursiveRef, .additionalItems]).union([
      .dynamicAnchor, .dynamicRef, .prefixItems,
    ]),
    options: [.containsEvaluates, .annotates])

  /// The keywords of the OAS base vocabulary that affect validation.
  static let openAPIKeywords: KeywordSet = [.discriminator, .readOnly, .writeOnly]

  /// The base dialect of OpenAPI 3.1 and 3.2: draft 2020-12 and the OpenAPI vocabulary.
  public static let openAPI31 = Dialect(
    name: "OpenAPI 3.1",
    keywords: draft2020.keywords.union(openAPIKeywords),
    options: draft2020.options.union(.openAPI))

  /// The Schema Object of OpenAPI 3.0.
  public static let openAPI30 = Dialect(
    name: "OpenAPI 3.0",
    keywords: common.union([.anyOf, .oneOf, .not, .nullable, .discriminator, .readOnly, .writeOnly]),
    options: [.booleanExclusive, .refHidesSiblings, .openAPI])

  /// The Schema Object of Swagger 2.0.
  public static let swagger2 = Dialect(
    name: "Swagger 2.0",
    keywords: common.union([.xNullable, .discriminator, .readOnly]),
    options: [.booleanExclusive, .refHidesSiblings, .openAPI, .fileType])

  /// The dialect of a `$schema` or `jsonSchemaDialect`; `nil` when it is none that is built in.
  package init?(uri: String) {
    let plain = uri.utf8.last == UInt8(ascii: "#") ? String(uri.dropLast()) : uri
    switch plain {
    case "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema": self = .draft4
    case "http://json-schema.org/draft-06/schema", "https://json-schema.org/draft-06/schema": self = .draft6
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema": self = .draft7
    case "https://json-schema.org/draft/2019-09/schema": self = .draft2019
    case "https://json-schema.org/draft/2020-12/schema": self = .draft2020
    default:
      guard plain.hasPrefix("https://spec.openapis.org/oas/3."), plain.contains("/dialect/") else { return nil }
      self = .openAPI31
    }
  }
}
