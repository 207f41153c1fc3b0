/// Values that the server knows: from the config file, from fixtures, and from its own answers and their links.
///
/// A request with an invented id only meets 404. Ids are taken from lists (`GET /servers`), from created resources and from
/// members whose name says what they identify (`server_id`).
struct KnownValues: Sendable {
  /// By parameter (`petId`), by operation and parameter (`readPet.petId`) or by schema (`#/components/schemas/PetId`).
  private let given: [String: [JSON]]
  /// Whether some are given by schema.
  private let hasSchemas: Bool
  /// What fixtures name, by operation and parameter.
  private var chosen: [String: [JSON]] = [:]
  /// What links of answers name, by operation and parameter.
  private var linked: [String: [JSON]] = [:]
  /// What a collection has, by its path: `/pets`, `/servers/localhost/zones`; created things come first.
  private var items: [String: [JSON]] = [:]
  /// By the plain form of the name: `serverid`.
  private var named: [String: [JSON]] = [:]
  /// What created something in this run, by the path of the collection, or by the operation and parameter of a link.
  private var creations: [String: [Creation]] = [:]
  /// Knows the secrets of the answers.
  private var redactor: Redactor

  /// The values that are kept of one name or collection.
  private static let limit = 5
  /// The members of an answer that are looked at.
  static let memberLimit = 2_000
  static let depthLimit = 4

  init(_ given: [String: [JSON]] = [:], secrets: [ContractSecrets] = []) {
    self.given = given
    hasSchemas = given.keys.contains { $0.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "/") } }
    redactor = Redactor(secrets, style: .marker)
  }

  /// A text without the secrets of the answers that values came from.
  ///
  /// - Parameter answers: Further answers.
  func withoutSecrets(_ text: String, of answers: [LiveAnswer] = []) -> String {
    var redactor = redactor
    for answer in answers { _ = redactor.redact(ExchangeContent(answer)) }
    return redactor.hidingKnown(in: text)
  }
}

// MARK: - Learning

extension KnownValues {
  /// Takes the values of a successful answer, and of its request.
  mutating func learn(from call: LiveCall, _ answer: LiveAnswer, of subject: LiveOperation) {
    guard 200...299 ~= answer.status, let path = Self.path(call, of: subject) else { return }
    _ = redactor.redact(ExchangeContent(answer, subject.operation))
    let method = subject.operation.method
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    // A value that was read or written under an id exists.
    if let id = Self.lastPathValue(call, subject.operation), ["GET", "PUT", "PATCH"].contains(method) {
      let collection = parts.dropLast().map { "/" + $0 }.joined()
      if method == "PUT", items[collection]?.contains(id) != true {
        creations[collection, default: []].append(Creation(subject: subject, call: call, item: id))
      }
      add(id, to: collection, isCreated: method == "PUT")
    }
    let created = answer.response.headerFields[.location].flatMap(Self.lastSegment)
    if method == "POST", let created {
      add(.string(created), to: path, isCreated: true)
      creations[path, default: []].append(
        Creation(
          subject: subject, call: call, item: .string(created), location: answer.response.headerFields[.location]))
    }
    let source = LinkValue(call, answer)
    learn(linksOf: source, from: subject)
    guard let body = source.body else { return }
    learn(names: body)
    let searched = Self.isSearch(path) ? parts.dropLast() : parts[...]
    let collection = searched.map { "/" + $0 }.joined()
    // What creates one thing answers with its parts: `{"data": {...}, "permissions": {...}}`.
    let isListing = method == "GET" || Self.isSearch(path)
    let found = Self.elements(of: body, collection: String(searched.last ?? ""), hasNames: isListing)
    for item in found.prefix(Self.limit) { add(item, to: collection, isCreated: false) }
    if method == "POST", found.isEmpty, body.isObject {
      let whole = body["data"].flatMap { $0.isObject ? $0 : nil } ?? body
      add(whole, to: collection, isCreated: true)
      creations[collection, default: []].append(Creation(subject: subject, call: call, item: whole, answer: body))
    }
  }

  /// The last segments of operations that search the collection before them: `POST /flows/filter`.
  private static let searches: Set<String> = ["filter", "search", "list", "query", "find", "all", "paginate"]

  static func isSearch(_ path: String) -> Bool {
    path.split(separator: "/").last.map { searches.contains($0.lowercased()) } ?? false
  }

  /// Takes the values that the links of an answer give to the parameters of other operations.
  private mutating func learn(linksOf source: LinkValue, from subject: LiveOperation) {
    for link in subject.operation.response(for: source.answer.status)?.links ?? [] {
      guard let target = Self.target(of: link, in: subject) else { continue }
      for member in link.parameters?.members ?? JSON.object([]).members {
        guard let value = source.value(of: member.value), ItemIdentifier.isScalar(value) else { continue }
        // `path.id` or `id`
        let place = member.name.utf8.firstIndex(of: UInt8(ascii: "."))
        let isPlaced = place.map { Parameter.Location(rawValue: String(member.name[..<$0])) != nil } ?? false
        let name = isPlaced ? place.map { String(member.name[$0...].dropFirst()) } ?? member.name : member.name
        let key = "\(target).\(name)"
        guard linked[key, default: []].count < Self.limit, linked[key]?.contains(value) != true else { continue }
        linked[key, default: []].append(value)
        if subject.operation.method == "POST" {
          creations[key, default: []].append(Creation(subject: subject, call: source.call, item: value))
        }
      }
    }
  }

  /// The id of the operation that a link leads to.
  private static func target(of link: Link, in subject: LiveOperation) -> String? {
    if let id = link.operationId { return id }
    guard let reference = link.node["operationRef"],
      case .success(let node) = subject.compiled.api.resolver.target(of: reference)
    else { return nil }
    return node["operationId"]?.string
  }

  /// Takes the values by which fixtures of successes are chosen: their author knows that they exist.
  mutating func learn(fromFixturesOf subject: LiveOperation) {
    for fixture in subject.fixtures where FixtureReference(fixture).isSuccess {
      for condition in fixture.when?.conditions ?? [] {
        guard let location = Parameter.Location(rawValue: condition.part.rawValue) else { continue }
        let texts: [String] =
          switch condition.test {
          case .equals(let text): [text]
          case .oneOf(let texts): texts
          case .contains, .matches, .present: []
          }
        let name = subject.operation.parameter(condition.name, in: location)?.name ?? condition.name
        chosen["\(subject.operation.id).\(name)", default: []] += texts.map { .string($0) }
      }
    }
  }

  private mutating func add(_ item: JSON, to collection: String, isCreated: Bool) {
    var known = items[collection] ?? []
    guard !known.contains(item) else { return }
    if isCreated { known.insert(item, at: 0) } else if known.count < Self.limit { known.append(item) }
    items[collection] = known
    guard let id = ItemIdentifier.value(in: item, for: "id") else { return }
    if let name = Self.name(ofItemsIn: collection) { learn(id, as: name) }
  }

  /// `/pets` has what `petId` names elsewhere: `petid`.
  static func name(ofItemsIn collection: String) -> String? {
    let name = ItemIdentifier.plain(ItemIdentifier.singular(String(collection.split(separator: "/").last ?? "")))
    return name.isEmpty ? nil : name + "id"
  }

  /// Takes the members of an answer whose names say what they identify.
  private mutating func learn(names root: JSON) {
    var pending = [(value: root, depth: 0)]
    var seen = 0
    while let (value, depth) = pending.popLast(), seen < Self.memberLimit {
      for member in value.members where seen < Self.memberLimit {
        seen += 1
        if ItemIdentifier.isScalar(member.value) {
          let name = ItemIdentifier.plain(member.name)
          if ItemIdentifier.isSpecific(name) { learn(member.value, as: name) }
        } else if depth < Self.depthLimit {
          pending.append((member.value, depth + 1))
        }
      }
      if depth < Self.depthLimit { pending += value.elements.prefix(Self.limit).map { ($0, depth + 1) } }
    }
  }

  private mutating func learn(_ value: JSON, as name: String) {
    var known = named[name] ?? []
    guard known.count < Self.limit, !known.contains(value) else { return }
    known.append(value)
    named[name] = known
  }

  /// The path of a call below the base path, without a slash at its end.
  private static func path(_ call: LiveCall, of subject: LiveOperation) -> String? {
    let path = call.wire.target.utf8.prefix { $0 != UInt8(ascii: "?") }.dropFirst(subject.writer.base.utf8.count)
    guard let decoded = PercentEncoding.decode(Array(path)[...]) else { return nil }
    return decoded.utf8.last == UInt8(ascii: "/") ? String(decoded.dropLast()) : decoded
  }

  /// The value of the path's last segment, if that is a parameter.
  private static func lastPathValue(_ call: LiveCall, _ operation: Operation) -> JSON? {
    guard let part = PathTemplate(operation.path).segments.last, part.count == 1, case .expression(let name) = part[0]
    else { return nil }
    return call.draft.arguments.first {
      $0.parameter.location == .path && $0.parameter.name.utf8.elementsEqual(name)
    }?.value
  }

  private static func lastSegment(_ location: String) -> String? {
    let path = URIReference(location).path
    guard let segment = path.utf8.split(separator: UInt8(ascii: "/")).last else { return nil }
    return PercentEncoding.decode(Array(segment)[...])
  }

  /// What an answer lists: an array, also as a member; or the names of an object whose members are all objects.
  ///
  /// - Parameter hasNames: Whether the names of members may be ids.
  private static func elements(of body: JSON, collection: String, hasNames: Bool) -> [JSON] {
    func usable(_ value: JSON) -> [JSON] {
      value.elements.prefix(limit).filter { $0.isObject || ItemIdentifier.isScalar($0) }
    }
    func names(_ value: JSON) -> [JSON] {
      guard hasNames, value.isObject, value.count > 0, value.members.allSatisfy({ $0.value.isObject }) else {
        return []
      }
      return value.members.prefix(limit).map { .string($0.name) }
    }
    if body.isArray { return usable(body) }
    let preferred = [collection, "data", "items", "results", "value", "features"]
    let lists = preferred.compactMap { body[$0] } + body.members.map(\.value)
    if let list = lists.first(where: { $0.isArray && !usable($0).isEmpty }) { return usable(list) }
    let map = body[collection].map(names) ?? []
    return map.isEmpty ? names(body) : map
  }
}

// MARK: - Using

extension KnownValues {
  /// A draft with known values in its path, its other parameters and its body.
  ///
  /// - Parameters:
  ///   - variant: Selects among several.
  ///   - schemas: Resolves the schemas for which values are given.
  func applied(
    to draft: RequestDraft, of operation: Operation, _ variant: Int, _ schemas: SchemaLibrary? = nil
  ) -> RequestDraft {
    var draft = draft
    var prefix: String? = ""
    for segment in PathTemplate(operation.path).segments {
      guard segment.count == 1, let part = segment.first else {
        prefix = segment.isEmpty ? prefix : nil
        continue
      }
      switch part {
      case .literal(let text): prefix = prefix.map { $0 + "/" + String(decoding: text, as: UTF8.self) }
      case .expression(let name):
        guard
          let parameter = operation.parameters.first(where: {
            $0.location == .path && $0.name.utf8.elementsEqual(name)
          })
        else { continue }
        let values = values(of: parameter, in: operation, collection: prefix)
        if !values.isEmpty { draft = draft.setting(parameter, to: values[variant % values.count]) }
        let value = draft.index(of: parameter).map { draft.arguments[$0].value.plainText }
        prefix = prefix.flatMap { prefix in value.map { "\(prefix)/\($0)" } }
      }
    }
    for parameter in operation.parameters where parameter.location != .path && !FramingFields.contains(parameter) {
      guard let index = draft.index(of: parameter) else { continue }
      let values = values(of: parameter, in: operation, collection: nil)
      if !values.isEmpty {
        draft = draft.setting(parameter, to: values[variant % values.count])
      } else if hasSchemas, let schema = parameter.schema ?? parameter.content?.schema, let schemas {
        let value = draft.arguments[index].value
        draft.arguments[index].value = applied(to: value, by: schemas.resolved(schema), variant, 0)
      }
    }
    if case .value(let body, let media)? = draft.body {
      var filled = applied(to: body, variant, 0)
      if hasSchemas, let schemas { filled = applied(to: filled, media, variant, schemas) }
      draft.body = .value(filled, media)
    }
    return draft
  }

  /// A body with the values that are given for its schemas.
  private func applied(to body: JSON, _ media: MediaTypeObject, _ variant: Int, _ schemas: SchemaLibrary) -> JSON {
    if let schema = media.schema { return applied(to: body, by: schemas.resolved(schema), variant, 0) }
    guard let items = media.itemSchema, body.isArray else { return body }
    let schema = schemas.resolved(items)
    return .array(body.elements.map { applied(to: $0, by: schema, variant, 0) })
  }

  /// A value with those that are given for the schemas that it and its parts refer to.
  private func applied(to value: JSON, by schema: ResolvedSchema, _ variant: Int, _ depth: Int) -> JSON {
    let references = (schema.chain + schema.alternatives).compactMap { $0.reference?.string }
    let fitting = references.flatMap { given[$0] ?? [] }.filter { $0.kind == value.kind }
    if !fitting.isEmpty { return fitting[variant % fitting.count] }
    guard depth < Self.depthLimit else { return value }
    if value.isArray, schema.describesElements {
      let element = schema.element
      return .array(
        value.elements.enumerated().map { applied(to: $0.element, by: element, variant + $0.offset, depth + 1) })
    }
    guard value.isObject else { return value }
    return .object(
      value.distinctMembers.map { member in
        let part = schema.property(member.name) ?? (schema.describesOthers ? schema.other : nil)
        return (member.name, part.map { applied(to: member.value, by: $0, variant, depth + 1) } ?? member.value)
      })
  }

  /// Whether every parameter of the path has a known value.
  func knowsPath(of operation: Operation) -> Bool {
    let bare = RequestDraft(method: operation.method)
    let filled = applied(to: bare, of: operation, 0)
    return operation.parameters.filter { $0.location == .path }.allSatisfy { filled.index(of: $0) != nil }
  }

  private func given(for parameter: Parameter, in operation: Operation) -> [JSON] {
    let schema = (parameter.schema ?? parameter.content?.schema)?.reference?.string
    return given["\(operation.id).\(parameter.name)"] ?? given[parameter.name] ?? schema.flatMap { given[$0] } ?? []
  }

  private func values(of parameter: Parameter, in operation: Operation, collection: String?) -> [JSON] {
    let given = given(for: parameter, in: operation)
    guard given.isEmpty else { return given }
    let key = "\(operation.id).\(parameter.name)"
    if let chosen = chosen[key], !chosen.isEmpty { return chosen }
    // What the run did not create belongs to others.
    if operation.method == "DELETE",
      PathTemplate(operation.path).names.last?.elementsEqual(parameter.name.utf8) == true
    {
      var created: [JSON] = []
      for creation in [collection, key].compactMap(\.self).flatMap({ creations[$0] ?? [] }) {
        guard let id = creation.identifier(for: parameter.name)?.value,
          !created.contains(where: { $0.plainText.utf8Equals(id.plainText) })
        else { continue }
        created.append(id)
      }
      guard created.isEmpty else { return created }
    }
    let linked = linked[key] ?? []
    let listed = collection.flatMap { items[$0] } ?? []
    let ids =
      linked + listed.compactMap { ItemIdentifier.value(in: $0, for: parameter.name) }.filter { !linked.contains($0) }
    guard ids.isEmpty else { return ids }
    let name = ItemIdentifier.plain(parameter.name)
    return ItemIdentifier.isSpecific(name) ? named[name] ?? [] : []
  }

  /// A body whose members have known values where their names say so.
  private func applied(to body: JSON, _ variant: Int, _ depth: Int) -> JSON {
    guard depth < Self.depthLimit, !named.isEmpty || !given.isEmpty else { return body }
    if body.isArray { return .array(body.elements.map { applied(to: $0, variant, depth + 1) }) }
    guard body.isObject else { return body }
    return .object(
      body.distinctMembers.map { member in
        guard ItemIdentifier.isScalar(member.value) else {
          return (member.name, applied(to: member.value, variant, depth + 1))
        }
        let name = ItemIdentifier.plain(member.name)
        let values = given[member.name] ?? (ItemIdentifier.isSpecific(name) ? named[name] : nil) ?? []
        let fitting = values.filter { $0.kind == member.value.kind }
        return (member.name, fitting.isEmpty ? member.value : fitting[variant % fitting.count])
      })
  }

  /// The parameters in the path of a draft whose values the server knows: another value names another thing, or nothing.
  func known(inPathOf draft: RequestDraft, _ operation: Operation) -> Set<String> {
    let known = draft.pathValues(of: operation).filter { argument, collection in
      let parameter = argument.parameter
      let listed = collection.flatMap { items[$0] } ?? []
      let ids =
        values(of: parameter, in: operation, collection: collection)
        + listed.compactMap { ItemIdentifier.value(in: $0, for: parameter.name) }
      return ids.contains { $0.plainText.utf8Equals(argument.value.plainText) }
    }
    return Set(known.map(\.argument.parameter.name))
  }

  /// Whether the server gave every value in the path of a draft. What the run created under a name of its own may be of a
  /// kind that the operation refuses.
  func gave(wholePathOf draft: RequestDraft, _ operation: Operation) -> Bool {
    let known = known(inPathOf: draft, operation)
    return draft.pathValues(of: operation).allSatisfy { argument, collection in
      let name = argument.parameter.name
      let isOwn = (collection.flatMap { creations[$0] } ?? []).contains { creation in
        creation.call.draft.method == "PUT"
          && creation.identifier(for: name)?.value.plainText.utf8Equals(argument.value.plainText) == true
      }
      return known.contains(name) && !isOwn
    }
  }

  /// What a request names of what the run created.
  var createdReferences: CreatedReferences { CreatedReferences(creations) }
}
