/// What an operation takes, as it is learnt from requests: query parameters, bodies and credentials.
struct InputDraft: Sendable {
  /// Fewer requests do not show that none is without a parameter or a body.
  private static let evidence = 5

  private(set) var count = 0
  private var names: [String] = []
  private var query: [String: Parameter] = [:]
  private var types: [String] = []
  private var bodies: [String: BodyDraft] = [:]
  private var bodyCount = 0
  /// How many requests had the credentials of a scheme.
  private var schemes: [String: Int] = [:]

  private struct Parameter: Sendable {
    var schema = SchemaDraft()
    var count = 0
    /// Whether a request had it more than once.
    var isList = false

    mutating func merge(_ other: Parameter) {
      schema.merge(other.schema)
      count += other.count
      isList = isList || other.isList
    }
  }

  mutating func add(_ entry: Exchange, query pairs: [(String, String)], schemes used: [String]) {
    count += 1
    for name in pairs.map(\.0).unique() {
      if query[name] == nil { names.append(name) }
      let values = pairs.filter { $0.0.utf8Equals(name) }.map(\.1)
      var parameter = query.removeValue(forKey: name) ?? Parameter()
      for value in values { parameter.schema.add(wire: value) }
      parameter.count += 1
      if values.count > 1 { parameter.isList = true }
      query[name] = parameter
    }
    for scheme in used { schemes[scheme, default: 0] += 1 }
    guard entry.requestBody.isPresent else { return }
    bodyCount += 1
    let type = entry.requestFields.contentType.flatMap { MediaRange($0) }
    let essence = type?.essence ?? "application/octet-stream"
    if bodies[essence] == nil { types.append(essence) }
    bodies[essence, default: BodyDraft()].add(entry.requestBody.bytes, type)
  }

  mutating func merge(_ other: InputDraft) {
    count += other.count
    for name in other.names {
      if query[name] == nil { names.append(name) }
      if let theirs = other.query[name] { query[name, default: Parameter()].merge(theirs) }
    }
    bodyCount += other.bodyCount
    for type in other.types {
      if bodies[type] == nil { types.append(type) }
      if let theirs = other.bodies[type] { bodies[type, default: BodyDraft()].merge(theirs) }
    }
    schemes.merge(other.schemes, uniquingKeysWith: +)
  }

  var parameters: [JSON] {
    names.map { name in
      let parameter = query[name] ?? Parameter()
      let value = parameter.schema.json(named: name)
      let schema: JSON = parameter.isList ? ["type": "array", "items": value] : value
      return .object(
        ("name", .string(name)), ("in", "query"), ("required", isInAll(parameter.count) ? true : nil),
        ("schema", schema))
    }
  }

  /// The request body object; `nil` if no request had one.
  var requestBody: JSON? {
    guard bodyCount > 0 else { return nil }
    let content = types.map { ($0, JSON.object([("schema", bodies[$0]?.schema.json() ?? .object([]))])) }
    return .object(("required", isInAll(bodyCount) ? true : nil), ("content", .object(content)))
  }

  private func isInAll(_ requests: Int) -> Bool { requests == count && count >= Self.evidence }

  /// The alternatives of one scheme each; an empty one if some requests had none.
  var security: JSON? {
    guard !schemes.isEmpty else { return nil }
    let all = schemes.keys.sorted().map { JSON.object([($0, .array([]))]) }
    let isOptional = !schemes.values.contains { $0 == count }
    return .array(all + (isOptional ? [.object([])] : []))
  }
}
