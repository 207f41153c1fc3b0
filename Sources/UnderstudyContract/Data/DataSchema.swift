/// The schema that the values of one place have in common.
struct DataSchema {
  private var kinds: Set<Kind> = []
  /// The names of properties, sorted by first appearance.
  private(set) var names: [String] = []
  private var properties: [String: DataSchema] = [:]
  private var items: [DataSchema] = []

  /// The JSON types in the order of a `type` list.
  enum Kind: String, CaseIterable { case string, number, boolean, array, object }

  /// The maximum depth of a schema: values below it are any.
  static let depthLimit = 16
  /// The maximum number of properties of an object: the members of a map with more keys are any.
  static let propertyLimit = 200

  mutating func add(_ value: JSON, depth: Int = 0) {
    switch value.kind {
    case .null: break
    case .true, .false: kinds.insert(.boolean)
    case .number: kinds.insert(.number)
    case .string: kinds.insert(.string)
    case .array:
      kinds.insert(.array)
      if items.isEmpty { items = [DataSchema()] }
      if depth < Self.depthLimit { for element in value.elements { items[0].add(element, depth: depth + 1) } }
    case .object:
      kinds.insert(.object)
      if depth < Self.depthLimit { for member in value.distinctMembers { add(member, depth) } }
    }
  }

  private mutating func add(_ member: JSON.Member, _ depth: Int) {
    let name = member.name
    guard properties[name] != nil || names.count < Self.propertyLimit else { return }
    if properties[name] == nil { names.append(name) }
    var property = properties.removeValue(forKey: name) ?? DataSchema()
    property.add(member.value, depth: depth + 1)
    properties[name] = property
  }

  /// The schema of an item or a singular object; `idSchema` replaces the schema of the id.
  func object(id: String? = nil, idSchema: JSON = .object([])) -> JSON {
    let members = names.filter { $0 != id }.map { ($0, properties[$0]?.json ?? .object([])) }
    let all = (id.map { [($0, idSchema)] } ?? []) + members
    return .object(
      ("type", "object"), ("properties", all.isEmpty ? nil : .object(all)), ("additionalProperties", true))
  }

  /// The schema of a value, which may also be null: a few values do not show that a member cannot be cleared.
  private var json: JSON {
    var members: [(String, JSON?)] = []
    let types = Kind.allCases.filter(kinds.contains)
    if !types.isEmpty { members.append(("type", .array((types.map(\.rawValue) + ["null"]).map { .string($0) }))) }
    if kinds.contains(.array) { members.append(("items", items.first?.json)) }
    if kinds.contains(.object), !names.isEmpty {
      members.append(("properties", .object(names.map { ($0, properties[$0]?.json ?? .object([])) })))
    }
    return .object(present: members)
  }

  // MARK: - Filters

  /// A member that filters may name: `author`, `author.name`, or the elements of `tags`.
  struct Filter {
    var path: String
    /// `nil` for values of several types.
    var kind: Kind?
  }

  /// The maximum number of members that filters may name, and how deep they are.
  static let filterLimit = 200
  static let filterDepth = 3

  /// The members with scalar values, outer ones first.
  var filters: [Filter] {
    var found: [Filter] = []
    var level: [(path: String, schema: DataSchema)] = names.compactMap { name in properties[name].map { (name, $0) } }
    for _ in 0..<Self.filterDepth {
      found += level.compactMap { path, schema in schema.scalar.map { Filter(path: path, kind: $0) } }
      level = level.flatMap { path, schema in
        schema.names.compactMap { name in schema.properties[name].map { ("\(path).\(name)", $0) } }
      }
    }
    return Array(found.prefix(Self.filterLimit))
  }

  /// The type of the scalar values, or of the elements of lists; `.none` within an optional for several types.
  private var scalar: Kind?? {
    var kinds = kinds
    if kinds == [.array], let element = items.first { kinds = element.kinds }
    guard kinds.isDisjoint(with: [.array, .object]) else { return nil }
    return .some(kinds.count == 1 ? kinds.first : nil)
  }
}
