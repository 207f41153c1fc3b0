/// A dialect of JSON Schema, as a set of keywords and options.
public struct Dialect: Sendable, Hashable {
  /// The common name.
  package internal(set) var name: String
  /// The keywords that the dialect defines.
  package var keywords: KeywordSet
  package var options: Options
  /// Whether `format` is asserted: the format-assertion vocabulary requires it.
  package var assertsFormats = false

  /// Differences between dialects beside their keywords.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `exclusiveMinimum: true` modifies `minimum` (drafts 3 and 4).
    static let booleanExclusive = Options(rawValue: 1 << 0)
    /// Siblings of a `$ref` are ignored (up to draft 7).
    static let refHidesSiblings = Options(rawValue: 1 << 1)
    /// `$id: "#name"` is an anchor (up to draft 7).
    static let anchorsInID = Options(rawValue: 1 << 2)
    /// `items` may be an array of schemas (up to 2019-09).
    static let itemsLists = Options(rawValue: 1 << 3)
    /// Elements that `contains` matched count as evaluated (from 2020-12).
    static let containsEvaluates = Options(rawValue: 1 << 4)
    /// `readOnly` and `writeOnly` change `required`; discriminators select branches (OpenAPI).
    static let openAPI = Options(rawValue: 1 << 5)
    /// `type: file` stands for any body (Swagger 2.0).
    static let fileType = Options(rawValue: 1 << 6)
    /// Unknown keywords annotate values, and applicators annotate the children that they reach (from 2019-09).
    static let annotates = Options(rawValue: 1 << 7)
  }

  /// Whether `format` only annotates values, unless a tool is asked to assert it (Validation 2020-12, 7.2.1).
  var annotatesFormats: Bool { has(.annotates) && !assertsFormats }

  /// Whether the result depends on the direction of a value.
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

  /// The dialect of a `$schema` or `jsonSchemaDialect`; `nil` if it is not built in.
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

// MARK: - Names

extension Dialect {
  /// The names for the command line, the oldest dialect first.
  package static let names = named.map(\.name)

  private static let named: [(name: String, dialect: Dialect)] = [
    ("draft4", .draft4), ("draft6", .draft6), ("draft7", .draft7), ("2019-09", .draft2019), ("2020-12", .draft2020),
    ("swagger2.0", .swagger2), ("openapi3.0", .openAPI30), ("openapi3.1", .openAPI31), ("openapi3.2", .openAPI31),
  ]

  /// Reads a name of `names`, the bare number or year of a draft, or the URI of a metaschema.
  package init?(named name: String) {
    let plain = name.hasPrefix("draft-0") ? "draft" + name.dropFirst(7) : name
    let known = Self.named.first { $0.name == plain || $0.name == "draft" + plain || "draft" + $0.name == plain }
    if let known {
      self = known.dialect
    } else if plain.utf8.count == 4, let year = Self.named.first(where: { $0.name.hasPrefix(plain + "-") }) {
      self = year.dialect
    } else if let dialect = Dialect(uri: name) {
      self = dialect
    } else {
      return nil
    }
  }
}

// MARK: - Annotations

extension Dialect {
  /// The types of values that a member of a schema annotates with its own value; none for keywords that assert, apply
  /// subschemas or identify.
  func annotated(by member: JSON.Member, of schema: JSON) -> JSONTypeSet {
    let keyword = Keyword.named(member.key).flatMap { keywords.contains($0) ? $0 : nil }
    guard has(.annotates) else { return keyword != .xNullable ? listed(member) : [] }
    switch keyword {
    // Comments do not annotate values (Core 2020-12, 8.3).
    case nil: return member.key.isString("$comment") || member.key.isString("$vocabulary") ? [] : .any
    case .format, .discriminator, .readOnly, .writeOnly: return .any
    case .contentEncoding, .contentMediaType: return .string
    // It has no meaning without a media type (Validation 2020-12, 8.5).
    case .contentSchema: return schema[Keyword.contentMediaType.name] == nil ? [] : .string
    default: return []
    }
  }

  /// The same for dialects that ignore unknown keywords and list those that annotate.
  private func listed(_ member: JSON.Member) -> JSONTypeSet {
    let key = member.name
    if Self.annotations[name]?.contains(key) == true { return key.hasPrefix("content") ? .string : .any }
    // A Schema Object may have extensions beside its fields (OpenAPI 3.0.3, 4.8).
    return has(.openAPI) && key.utf8.starts(with: "x-".utf8) ? .any : []
  }

  /// The keywords by name of the dialect: metadata, formats and contents, which annotate even if they assert
  /// (Validation draft 7, 3.3 and 10), and the descriptive fields of a Schema Object (OpenAPI 3.0.3, 4.7.24; Swagger
  /// 2.0).
  private static let annotations: [String: Set<String>] = {
    let common: Set = ["title", "description", "default", "format"]
    let openAPI = common.union(["discriminator", "readOnly", "xml", "externalDocs", "example"])
    let draft7: Set = ["examples", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"]
    return [
      Dialect.draft4.name: common, Dialect.draft6.name: common.union(["examples"]),
      Dialect.draft7.name: common.union(draft7), Dialect.swagger2.name: openAPI,
      Dialect.openAPI30.name: openAPI.union(["writeOnly", "deprecated"]),
    ]
  }()
}
