/// An operation that is learnt from exchanges.
struct OperationDraft: Sendable {
  private var count = 0
  private var parameters: [SchemaDraft]
  private var queryNames: [String] = []
  private var query: [String: (schema: SchemaDraft, count: Int)] = [:]
  private var bodyTypes: [String] = []
  private var bodies: [String: SchemaDraft] = [:]
  private var bodyCount = 0
  private var responses: [Int: ResponseDraft] = [:]
  /// How many requests had the credentials of a scheme.
  private var schemes: [String: Int] = [:]

  /// - Parameter expressions: The number of expressions of the template.
  init(expressions: Int) { parameters = Array(repeating: SchemaDraft(), count: expressions) }

  /// - Parameters:
  ///   - ids: The values of the expressions.
  ///   - schemes: The names of the security schemes that the request has credentials for.
  mutating func add(_ entry: HAREntry, ids: [String], query pairs: [(String, String)], schemes used: [String]) {
    count += 1
    for (index, id) in ids.enumerated() where index < parameters.count { parameters[index].add(wire: id) }
    for name in pairs.map(\.0).unique() {
      if query[name] == nil { queryNames.append(name) }
      var parameter = query.removeValue(forKey: name) ?? (SchemaDraft(), 0)
      for pair in pairs where pair.0.utf8.elementsEqual(name.utf8) { parameter.schema.add(wire: pair.1) }
      parameter.count += 1
      query[name] = parameter
    }
    for scheme in used { schemes[scheme, default: 0] += 1 }
    addBody(entry)
    responses[entry.answer.status, default: ResponseDraft()].add(entry.answer, method: entry.method)
  }

  private mutating func addBody(_ entry: HAREntry) {
    guard entry.requestBody.isPresent else { return }
    bodyCount += 1
    let type = entry.requestFields.contentType.flatMap { MediaRange($0) }
    let essence = type?.essence ?? "application/octet-stream"
    if bodies[essence] == nil { bodyTypes.append(essence) }
    bodies[essence, default: SchemaDraft()].add(entry.requestBody.bytes, type)
  }

  mutating func merge(_ other: OperationDraft) {
    count += other.count
    for (own, theirs) in zip(parameters.indices, other.parameters) { parameters[own].merge(theirs) }
    for name in other.queryNames {
      guard let theirs = other.query[name] else { continue }
      guard var own = query[name] else {
        queryNames.append(name)
        query[name] = theirs
        continue
      }
      own.schema.merge(theirs.schema)
      own.count += theirs.count
      query[name] = own
    }
    bodyCount += other.bodyCount
    for type in other.bodyTypes {
      if bodies[type] == nil { bodyTypes.append(type) }
      if let theirs = other.bodies[type] { bodies[type, default: SchemaDraft()].merge(theirs) }
    }
    for (status, theirs) in other.responses { responses[status, default: ResponseDraft()].merge(theirs) }
    schemes.merge(other.schemes, uniquingKeysWith: +)
  }

  /// The same for a template with one more expression, whose value was a literal so far.
  func inserting(_ literal: String, at index: Int) -> OperationDraft {
    var draft = self
    var values = SchemaDraft()
    for _ in 0..<max(1, count) { values.add(wire: literal) }
    draft.parameters.insert(values, at: index)
    return draft
  }

  /// What the answers of success are like; empty without one.
  var likeness: Set<String> { Set(responses.filter { 200...299 ~= $0.key }.values.flatMap(\.features)) }

  // MARK: - Writing

  /// The operation object.
  func json(id: String, names: [String]) -> JSON {
    let path = zip(names, parameters).map { name, schema -> JSON in
      ["name": .string(name), "in": "path", "required": true, "schema": schema.json()]
    }
    let queries = queryNames.map { name -> JSON in
      let parameter = query[name]
      return .object(
        ("name", .string(name)), ("in", "query"), ("required", parameter?.count == count ? true : nil as JSON?),
        ("schema", parameter?.schema.json(named: name) ?? .object([])))
    }
    let all = path + queries
    let answers = responses.sorted { $0.key < $1.key }.map { (String($0.key), $0.value.json($0.key)) }
    return .object(
      ("operationId", .string(id)), ("security", security), ("parameters", all.isEmpty ? nil as JSON? : .array(all)),
      ("requestBody", requestBody), ("responses", .object(answers)))
  }

  private var requestBody: JSON? {
    guard bodyCount > 0 else { return nil }
    let content = bodyTypes.map { ($0, JSON.object([("schema", bodies[$0]?.json() ?? .object([]))])) }
    return .object(("required", bodyCount == count ? true : nil as JSON?), ("content", .object(content)))
  }

  /// The alternatives of one scheme each; an empty one if some requests had none.
  private var security: JSON? {
    guard !schemes.isEmpty else { return nil }
    let all = schemes.keys.sorted().map { JSON.object([($0, .array([]))]) }
    let isOptional = !schemes.values.contains { $0 == count }
    return .array(all + (isOptional ? [.object([])] : []))
  }
}

extension SchemaDraft {
  /// Adds a body, as far as its media type has values.
  mutating func add(_ bytes: [UInt8], _ type: MediaRange?) {
    switch type?.syntax {
    case .json?: if let root = try? JSONParser.parse(bytes).root { add(root) }
    case .form?:
      let form = WirePairs(form: bytes)
      let names = form.names.unique()
      add(.object(names.map { ($0, Self.value(form.texts(of: $0))) }))
    default: break
    }
  }

  /// A field of a form, typed as its text allows.
  private static func value(_ texts: [String]) -> JSON {
    let values = texts.map { text -> JSON in
      guard text.utf8.count < 16, let root = (try? JSONParser.parse(Array(text.utf8)))?.root,
        root.kind == .number || root.bool != nil
      else { return .string(text) }
      return root
    }
    return values.count == 1 ? values[0] : .array(values)
  }
}
