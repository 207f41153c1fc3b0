/// A schema that is learnt from values: what they have in common, and how often.
struct SchemaDraft: Sendable {
  private var counts: [Kind: Int] = [:]
  /// In the order of their first appearance.
  private var names: [String] = []
  private var properties: [String: Property] = [:]
  private var items: [SchemaDraft] = []
  /// The schema of the values of a map, whose keys are data.
  private var others: [SchemaDraft] = []
  /// The texts and how often they came; `nil` once there are too many for an enum.
  private var texts: [String: Int]? = [:]
  private var formats: Set<String> = Set(TextFormat.names)

  private enum Kind: Int, Sendable, CaseIterable { case null, boolean, integer, number, string, array, object }

  private struct Property: Sendable {
    var schema: SchemaDraft
    var count: Int
  }

  /// An enum has at most this many values, each of which came at least so often.
  private static let enumLimit = 8
  private static let enumRepeats = 3
  private static let enumTotal = 20
  /// Fewer values do not show what other values lack: that no object is without a member, and no number has a fraction.
  private static let evidence = 5
  /// Properties beyond this number are data for names.
  private static let propertyLimit = 200

  init() {}

  /// Recursive, since the parser limits the depth.
  mutating func add(_ value: JSON) {
    switch value.kind {
    case .null: counts[.null, default: 0] += 1
    case .true, .false: counts[.boolean, default: 0] += 1
    case .number: counts[value.int == nil ? .number : .integer, default: 0] += 1
    case .string: add(text: value.text)
    case .array:
      counts[.array, default: 0] += 1
      if items.isEmpty { items = [SchemaDraft()] }
      for element in value.elements { items[0].add(element) }
    case .object:
      counts[.object, default: 0] += 1
      for member in value.members { add(member) }
    }
  }

  private mutating func add(_ member: JSON.Member) {
    let name = member.name
    if VolatileText.isKey(name) || properties[name] == nil && names.count >= Self.propertyLimit {
      if others.isEmpty { others = [SchemaDraft()] }
      return others[0].add(member.value)
    }
    if properties[name] == nil { names.append(name) }
    var property = properties.removeValue(forKey: name) ?? Property(schema: SchemaDraft(), count: 0)
    property.schema.add(member.value)
    property.count += 1
    properties[name] = property
  }

  /// A text of a query or a form, which may be a number or a truth value.
  mutating func add(wire text: String) {
    if text == "true" || text == "false" {
      counts[.boolean, default: 0] += 1
    } else if text.utf8.count < 16, let number = (try? JSONParser.parse(Array(text.utf8)))?.root, number.kind == .number
    {
      add(number)
    } else {
      add(text: text)
    }
  }

  private mutating func add(text: String) {
    counts[.string, default: 0] += 1
    formats = formats.filter { TextFormat.has(text, $0) }
    texts?[text, default: 0] += 1
    if texts?.count ?? 0 > Self.enumLimit { texts = nil }
  }

  mutating func merge(_ other: SchemaDraft) {
    counts.merge(other.counts, uniquingKeysWith: +)
    for name in other.names {
      guard let theirs = other.properties[name] else { continue }
      guard var property = properties[name] else {
        names.append(name)
        properties[name] = theirs
        continue
      }
      property.schema.merge(theirs.schema)
      property.count += theirs.count
      properties[name] = property
    }
    Self.merge(&items, other.items)
    Self.merge(&others, other.others)
    formats.formIntersection(other.formats)
    if let theirs = other.texts { texts?.merge(theirs, uniquingKeysWith: +) } else { texts = nil }
    if texts?.count ?? 0 > Self.enumLimit { texts = nil }
  }

  private static func merge(_ own: inout [SchemaDraft], _ other: [SchemaDraft]) {
    guard let theirs = other.first else { return }
    if own.isEmpty { own = other } else { own[0].merge(theirs) }
  }

  /// The names of the properties, for a list those of its elements.
  var propertyNames: [String] { names.isEmpty ? items.first?.names ?? [] : names }

  /// The schema in the dialect of OpenAPI 3.1; by the name of the property or parameter, a few repeated words count as
  /// an enumeration, and `isId` says that the values are ids in paths, whose shape is known.
  func json(named name: String = "", isId: Bool = false) -> JSON {
    var kinds = Kind.allCases.filter { counts[$0] != nil }
    // Every integer is a number.
    if kinds.contains(.number) { kinds.removeAll { $0 == .integer } }
    let hasIntegers = isId || counts[.integer] ?? 0 >= Self.evidence
    let types = kinds.map { JSON.string("\($0 == .integer && !hasIntegers ? .number : $0)") }
    let required =
      counts[.object] ?? 0 >= Self.evidence ? names.filter { properties[$0]?.count == counts[.object] } : []
    var members: [(String, JSON)] = []
    // That there was nothing else than null excludes nothing.
    if let first = types.first, kinds != [.null] { members.append(("type", types.count == 1 ? first : .array(types))) }
    if counts[.string] != nil, let format = TextFormat.names.first(where: { formats.contains($0) }) {
      members.append(("format", .string(format)))
    } else if counts[.string] != nil, SecretNames.strength(of: name, as: .member) == .strong {
      members.append(("format", "password"))
    }
    if Self.listed.contains(where: { name.lowercased().hasSuffix($0) }), let enumeration {
      members.append(("enum", enumeration))
    }
    if counts[.array] != nil { members.append(("items", items.first?.json(named: name) ?? .object([]))) }
    if !required.isEmpty { members.append(("required", .array(required.map { .string($0) }))) }
    if !names.isEmpty {
      members.append(("properties", .object(names.map { ($0, properties[$0]?.schema.json(named: $0) ?? .object([])) })))
    }
    if let others = others.first { members.append(("additionalProperties", others.json())) }
    return .object(members)
  }

  /// The last words of names whose values a contract lists. Others may repeat as well, such as the name of the only user.
  private static let listed = [
    "status", "state", "type", "kind", "role", "category", "level", "gender", "currency", "language", "priority",
    "severity", "mode", "visibility", "direction", "unit", "phase", "reason", "sort", "order", "format",
  ]

  /// Few words that come again and again.
  private var enumeration: JSON? {
    guard let texts, let total = counts[.string], counts.count == 1, total >= Self.enumTotal, formats.isEmpty,
      texts.count > 1, texts.allSatisfy({ $0.value >= Self.enumRepeats && Self.isWord($0.key) })
    else { return nil }
    return .array(texts.keys.sorted().map { .string($0) })
  }

  private static func isWord(_ text: String) -> Bool {
    1...32 ~= text.utf8.count
      && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) } && !text.utf8.contains { 48...57 ~= $0 }
  }
}
