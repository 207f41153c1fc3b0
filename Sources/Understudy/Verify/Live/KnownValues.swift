/// Values that the server knows: from the config file, from fixtures, and from its own answers.
///
/// A request with an invented id only meets 404. Ids are taken from lists (`GET /servers`), from created resources and from
/// members whose name says what they identify (`server_id`).
struct KnownValues: Sendable {
  /// By parameter (`petId`), by operation and parameter (`readPet.petId`) or by schema (`#/components/schemas/PetId`).
  private var given: [String: [JSON]]
  /// What a collection has, by its path: `/pets`, `/servers/localhost/zones`; created things come first.
  private var items: [String: [JSON]] = [:]
  /// By the plain form of the name: `serverid`.
  private var named: [String: [JSON]] = [:]
  /// The calls that created something in this run, by the text of its id.
  private var creations: [String: LiveCall] = [:]
  /// Knows the secrets of the answers.
  private var redactor: Redactor

  /// The values that are kept of one name or collection.
  private static let limit = 5
  /// The members of an answer that are looked at.
  private static let memberLimit = 2_000
  private static let depthLimit = 4

  init(_ given: [String: [JSON]] = [:], secrets: [ContractSecrets] = []) {
    self.given = given
    redactor = Redactor(secrets, style: .marker)
  }

  /// The call that created the resource of such an id.
  func creation(of value: JSON) -> LiveCall? { creations[value.plainText] }

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
      if method == "PUT", items[collection]?.contains(id) != true { creations[id.plainText] = call }
      add(id, to: collection, isCreated: method == "PUT")
    }
    let created = answer.response.headerFields[.location].flatMap(Self.lastSegment)
    if method == "POST", let created {
      add(.string(created), to: path, isCreated: true)
      creations[created] = call
    }
    guard let body = LinkValue(call, answer).body else { return }
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
      if let id = Self.identity(of: whole, for: "id") { creations[id.plainText] = call }
    }
  }

  /// The last segments of operations that search the collection before them: `POST /flows/filter`.
  private static let searches: Set<String> = ["filter", "search", "list", "query", "find", "all", "paginate"]

  static func isSearch(_ path: String) -> Bool {
    path.split(separator: "/").last.map { searches.contains($0.lowercased()) } ?? false
  }

  /// Takes the values by which fixtures of successes are chosen: their author knows that they exist.
  mutating func learn(fromFixturesOf subject: LiveOperation) {
    for fixture in subject.fixtures where FixtureReference(fixture).isSuccess {
      for condition in fixture.when?.conditions ?? [] where condition.part == .path {
        guard case .equals(let text) = condition.test else { continue }
        given["\(subject.operation.id).\(condition.name)", default: []].append(.string(text))
      }
    }
  }

  private mutating func add(_ item: JSON, to collection: String, isCreated: Bool) {
    var known = items[collection] ?? []
    guard !known.contains(item) else { return }
    if isCreated { known.insert(item, at: 0) } else if known.count < Self.limit { known.append(item) }
    items[collection] = known
    guard let id = Self.identity(of: item, for: "id") else { return }
    // `/pets` has what `petId` names elsewhere.
    let name = Self.plain(Self.singular(String(collection.split(separator: "/").last ?? "")))
    if !name.isEmpty { learn(id, as: name + "id") }
  }

  /// Takes the members of an answer whose names say what they identify.
  private mutating func learn(names root: JSON) {
    var pending = [(value: root, depth: 0)]
    var seen = 0
    while let (value, depth) = pending.popLast(), seen < Self.memberLimit {
      for member in value.members where seen < Self.memberLimit {
        seen += 1
        if Self.isScalar(member.value) {
          let name = Self.plain(member.name)
          if Self.isSpecific(name) { learn(member.value, as: name) }
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
    func usable(_ value: JSON) -> [JSON] { value.elements.prefix(limit).filter { $0.isObject || isScalar($0) } }
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
  /// - Parameter variant: Selects among several.
  func applied(to draft: RequestDraft, of operation: Operation, _ variant: Int) -> RequestDraft {
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
      guard draft.index(of: parameter) != nil else { continue }
      let values = values(of: parameter, in: operation, collection: nil)
      if !values.isEmpty { draft = draft.setting(parameter, to: values[variant % values.count]) }
    }
    if case .value(let body, let media)? = draft.body { draft.body = .value(applied(to: body, variant, 0), media) }
    return draft
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
    let listed = collection.flatMap { items[$0] } ?? []
    let ids = listed.compactMap { Self.identity(of: $0, for: parameter.name) }
    guard ids.isEmpty else { return ids }
    let name = Self.plain(parameter.name)
    return Self.isSpecific(name) ? named[name] ?? [] : []
  }

  /// A body whose members have known values where their names say so.
  private func applied(to body: JSON, _ variant: Int, _ depth: Int) -> JSON {
    guard depth < Self.depthLimit, !named.isEmpty || !given.isEmpty else { return body }
    if body.isArray { return .array(body.elements.map { applied(to: $0, variant, depth + 1) }) }
    guard body.isObject else { return body }
    return .object(
      body.distinctMembers.map { member in
        guard Self.isScalar(member.value) else { return (member.name, applied(to: member.value, variant, depth + 1)) }
        let name = Self.plain(member.name)
        let values = given[member.name] ?? (Self.isSpecific(name) ? named[name] : nil) ?? []
        let fitting = values.filter { $0.kind == member.value.kind }
        return (member.name, fitting.isEmpty ? member.value : fitting[variant % fitting.count])
      })
  }

  /// The member that identifies a listed item: the one with the parameter's name, one with its last word, or a common one.
  private static func identity(of item: JSON, for name: String) -> JSON? {
    if isScalar(item) { return item }
    let wanted = plain(name)
    let members = item.members.prefix(200).filter { isScalar($0.value) }.map { (plain($0.name), $0.value) }
    let names = [wanted] + common.filter { wanted.hasSuffix($0) } + common
    return names.lazy.compactMap { name in members.first { $0.0 == name }?.1 }.first
  }

  private static let common = ["id", "uuid", "name", "key", "slug", "uid"]

  private static func isScalar(_ value: JSON) -> Bool {
    (value.isString && !value.text.isEmpty && value.text.utf8.count <= 200) || value.kind == .number
  }

  /// Whether a name says what it identifies: `serverid`, not `id`.
  private static func isSpecific(_ name: String) -> Bool {
    (name.hasSuffix("id") && name.utf8.count > 3) || (name.hasSuffix("uuid") && name.utf8.count > 4)
  }

  /// Lower case, letters and digits alone: `server_id` and `serverId` are one name.
  private static func plain(_ name: String) -> String {
    String(
      decoding: FieldSyntax.lowercased(name.utf8).utf8.filter { 97...122 ~= $0 || 48...57 ~= $0 || $0 >= 0x80 },
      as: UTF8.self)
  }

  private static func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}
