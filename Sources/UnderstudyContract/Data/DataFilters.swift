/// The parameters of a list: filters by the members of its items, order, pages, and related items.
struct DataFilters {
  let collection: DataCollection
  /// The names that `_embed` and `_expand` may have.
  let embedded: [String]
  let expanded: [String]

  /// The words after a member of any type, of numbers and strings, and of strings alone.
  private static let equalities = ["eq", "ne"]
  private static let bounds = ["lt", "lte", "gt", "gte"]
  private static let texts = ["like", "contains", "startsWith", "endsWith"]
  static let reserved = ["q", "_sort", "_order", "_page", "_per_page", "_limit", "_start", "_end", "_embed", "_expand"]

  /// All parameters of a list.
  var list: [JSON] {
    let natural: JSON = ["type": "integer", "minimum": 0]
    let positive: JSON = ["type": "integer", "minimum": 1]
    return [filter].compactMap(\.self) + [
      Self.parameter("q", ["type": "string"], "Selects items with this string in a member."),
      Self.parameter("_sort", ["type": "string"], "Members, separated by commas; `-views` sorts downwards."),
      Self.parameter("_order", ["type": "string"], "`asc` or `desc` for each member of `_sort`."),
      Self.parameter("_page", positive, "The number of the page, from 1."),
      Self.parameter("_per_page", positive, "The items of a page; 10 by default."),
      Self.parameter("_limit", natural, "The maximum number of items."),
      Self.parameter("_start", natural, "The number of the first item, from 0."),
      Self.parameter("_end", natural, "The number of the item after the last one."),
    ] + relations
  }

  /// The parameters that add related items.
  var relations: [JSON] {
    [("_embed", embedded, "Adds related items."), ("_expand", expanded, "Adds the item that a member refers to.")]
      .filter { !$0.1.isEmpty }.map { name, names, description in
        Self.parameter(
          name,
          ["type": "array", "items": .object([("type", "string"), ("enum", .array(names.map { .string($0) }))])],
          description)
      }
  }

  private static func parameter(_ name: String, _ schema: JSON, _ description: String) -> JSON {
    ["name": .string(name), "in": "query", "description": .string(description), "schema": schema]
  }

  /// One parameter for all filters: an object whose members are parameters of the query (`style: form`, exploded).
  private var filter: JSON? {
    var filters = collection.schema.filters.filter {
      !Self.reserved.contains($0.path) && $0.path != collection.idMember
    }
    if let id = collection.idMember { filters.insert(DataSchema.Filter(path: id, kind: nil), at: 0) }
    let properties = filters.map { ($0.path, Self.list(of: $0.kind)) }
    var patterns: [(String, JSON)] = []
    for (kinds, words, kind) in [
      ([.number], Self.equalities + Self.bounds, DataSchema.Kind.number), ([.boolean], Self.equalities, .boolean),
      ([.string], Self.equalities + Self.bounds + Self.texts, .string),
      ([nil], Self.equalities + Self.bounds + Self.texts, nil),
    ] as [([DataSchema.Kind?], [String], DataSchema.Kind?)] {
      let names = filters.filter { kinds.contains($0.kind) }.map(\.path)
      if !names.isEmpty { patterns.append((Self.pattern(names, words), Self.list(of: kind))) }
    }
    patterns.append((Self.pattern(filters.map(\.path), ["in"]), Self.list(of: nil)))
    return [
      "name": "filter", "in": "query", "style": "form", "explode": true,
      "description": "Members with a value, or with `_gte`, `:gte` and other words after their names.",
      "schema": [
        "type": "object", "properties": .object(properties), "patternProperties": .object(patterns),
        // An empty collection shows no members.
        "additionalProperties": JSON(booleanLiteral: collection.items.isEmpty),
      ],
    ]
  }

  private static func list(of kind: DataSchema.Kind?) -> JSON {
    .object(("type", "array"), ("items", kind.map { ["type": .string($0.rawValue)] } ?? .object([])))
  }

  /// `^(views|author\.name)[_:](lt|gte)$`
  private static func pattern(_ names: [String], _ words: [String]) -> String {
    let syntax = "^$\\.*+?()[]{}|/"
    let escaped = names.map { $0.reduce(into: "") { $0 += (syntax.contains($1) ? "\\" : "") + String($1) } }
    return "^(\(escaped.joined(separator: "|")))[_:](\(words.joined(separator: "|")))$"
  }
}
