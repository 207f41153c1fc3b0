/// The keywords that annotate a value without asserting anything about it.
extension Dialect {
  /// The kinds of values that a member of a schema annotates with its own value; none for keywords that assert, apply
  /// subschemas or identify.
  func annotated(by member: JSON.Member, of schema: JSON) -> JSONTypeSet {
    let keyword = Keyword.named(member.key).flatMap { keywords.contains($0) ? $0 : nil }
    guard has(.annotates) else { return keyword != .xNullable ? listed(member) : [] }
    switch keyword {
    // A comment is for readers of the schema, never for readers of the value (Core 2020-12, 8.3).
    case nil: return member.key.isString("$comment") || member.key.isString("$vocabulary") ? [] : .any
    case .format, .discriminator, .readOnly, .writeOnly: return .any
    case .contentEncoding, .contentMediaType: return .string
    // Without a media type it means nothing (Validation 2020-12, 8.5).
    case .contentSchema: return schema[Keyword.contentMediaType.name] == nil ? [] : .string
    default: return []
    }
  }

  /// The same for dialects that ignore keywords they do not know, and so list those that annotate.
  private func listed(_ member: JSON.Member) -> JSONTypeSet {
    let key = member.name
    if Self.annotations[name]?.contains(key) == true { return key.hasPrefix("content") ? .string : .any }
    // Extensions are the one thing that may stand in a Schema Object beside its fields (OpenAPI 3.0.3, 4.8).
    return has(.openAPI) && key.utf8.starts(with: "x-".utf8) ? .any : []
  }

  /// By name of the dialect: metadata, and formats and contents, which annotate whether they assert or not (Validation
  /// draft 7, 3.3 and 10); the fields of a Schema Object that are for readers (OpenAPI 3.0.3, 4.7.24; Swagger 2.0).
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
