/// Values that the server knows: from the config file, from fixtures, and from its own answers and their links.
///
/// A request with an invented id only meets 404. Ids are taken from lists (`GET /servers`), from created resources and from
/// members whose name says what they identify (`server_id`).
struct KnownValues: Sendable {
  /// By parameter (`petId`), by operation and parameter (`readPet.petId`) or by schema (`#/components/schemas/PetId`).
  let given: [String: [JSON]]
  /// Whether some are given by schema.
  let hasSchemas: Bool
  /// What fixtures name, by operation and parameter.
  var chosen: [String: [JSON]] = [:]
  /// What links of answers name, by operation and parameter.
  var linked: [String: [JSON]] = [:]
  /// What a collection has, by its path: `/pets`, `/servers/localhost/zones`; created things come first.
  var items: [String: [JSON]] = [:]
  /// By the plain form of the name: `serverid`.
  var named: [String: [JSON]] = [:]
  /// The examples of parameters of a path, by the template before them and the name.
  var examples: [String: [JSON]] = [:]
  /// The collections of the contract without parameters, by the plain form of what they have: `study` for `/studies`.
  var collections: [String: String] = [:]
  /// What created something in this run, by the path of the collection, or by the operation and parameter of a link.
  var creations: [String: [Creation]] = [:]
  /// Knows the secrets of the answers.
  private var redactor: Redactor

  /// The values that are kept of one name or collection.
  static let limit = 5
  /// The members of an answer that are looked at.
  static let memberLimit = 2_000
  static let depthLimit = 4

  init(_ given: [String: [JSON]] = [:], secrets: [ContractSecrets] = []) {
    self.given = given
    hasSchemas = given.keys.contains { $0.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "/") } }
    redactor = Redactor(secrets, style: .marker)
  }

  /// A string without the secrets of the responses that values came from, and of others.
  func withoutSecrets(_ text: String, of answers: [Exchange.Response] = []) -> String {
    var redactor = redactor
    for answer in answers { redactor.learn(Exchange(answer)) }
    return redactor.hidingKnown(in: text).value
  }

  /// Takes the values of a successful answer, and of its request.
  mutating func learn(from call: LiveCall, _ answer: Exchange.Response, of subject: LiveOperation) {
    guard 200...299 ~= answer.status, let path = Self.path(call, of: subject) else { return }
    redactor.learn(Exchange(answer), of: subject.operation)
    let method = subject.operation.method
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    // A value that was read or written under an id exists.
    if let id = Self.lastPathValue(call, subject.operation), ["GET", "PUT", "PATCH"].contains(method) {
      let collection = parts.dropLast().map { "/" + $0 }.joined()
      let isListed = items[collection]?.contains { item in
        ItemIdentifier.value(in: item, for: "id")?.plainText.utf8Equals(id.plainText) == true
      }
      if method == "PUT", isListed != true {
        creations[collection, default: []].append(Creation(subject: subject, call: call, item: id))
      }
      add(id, to: collection, isCreated: method == "PUT")
    }
    let created = answer.fields[.location].flatMap(Self.lastSegment)
    if method == "POST", let created {
      add(.string(created), to: path, isCreated: true)
      creations[path, default: []].append(
        Creation(
          subject: subject, call: call, item: .string(created), location: answer.fields[.location]))
    }
    let source = LinkValue(call, answer)
    learn(linksOf: source, from: subject)
    guard let body = source.body else {
      if method == "POST", created == nil { _ = learnRequest(of: call, in: path, of: subject, answer: nil) }
      return
    }
    learn(names: body)
    let searched = Self.isSearch(path) ? parts.dropLast() : parts[...]
    let collection = searched.map { "/" + $0 }.joined()
    // What creates one thing answers with its parts: `{"data": {...}, "permissions": {...}}`.
    let isListing = method == "GET" || Self.isSearch(path)
    let found = Self.elements(of: body, collection: String(searched.last ?? ""), hasNames: isListing)
    for item in found.prefix(Self.limit) { add(item, to: collection, isCreated: false) }
    guard method == "POST", !Self.isSearch(path) else { return }
    if found.isEmpty, body.isObject {
      let whole = body["data"].flatMap { $0.isObject ? $0 : nil } ?? body
      if ItemIdentifier.find(in: whole, for: "id") == nil,
        learnRequest(of: call, in: path, of: subject, answer: whole)
      {
        return
      }
      add(whole, to: collection, isCreated: true)
      creations[collection, default: []].append(Creation(subject: subject, call: call, item: whole, answer: body))
    } else if ItemIdentifier.isScalar(body) {
      // The whole body is the id.
      add(body, to: collection, isCreated: true)
      creations[collection, default: []].append(Creation(subject: subject, call: call, item: body, answer: body))
    }
  }

  /// Takes what a request names where the response has no id: `POST /tenants` with a `name`. Returns whether it does.
  private mutating func learnRequest(
    of call: LiveCall, in collection: String, of subject: LiveOperation, answer: JSON?
  ) -> Bool {
    guard case .value(let sent, _)? = call.draft.body, sent.isObject,
      ItemIdentifier.find(in: sent, for: "id") != nil
    else { return false }
    let own = answer?.isObject == true ? answer?.distinctMembers.map { ($0.name, $0.value) } ?? [] : []
    let members =
      own
      + sent.distinctMembers.filter { member in !own.contains { $0.0.utf8Equals(member.name) } }
      .map { ($0.name, $0.value) }
    let item = JSON.object(members)
    add(item, to: collection, isCreated: true)
    creations[collection, default: []].append(Creation(subject: subject, call: call, item: item))
    return true
  }

  /// Takes what the contract says of its paths: the collections, and the examples of their parameters.
  mutating func learn(pathsOf subjects: [LiveOperation]) {
    for subject in subjects {
      let operation = subject.operation
      for (name, prefix) in Self.places(in: operation.path) {
        if !prefix.contains("{"), let item = Self.name(ofItemsIn: prefix)?.dropLast(2), item.utf8.count > 2 {
          collections[String(item)] = collections[String(item)] ?? prefix
        }
        guard let parameter = operation.parameter(name, in: .path) else { continue }
        let own = (parameter.examples + (parameter.content?.examples ?? [])).compactMap(\.data)
        for value in own where ItemIdentifier.isScalar(value) && examples["\(prefix) \(name)"]?.contains(value) != true
        {
          examples["\(prefix) \(name)", default: []].append(value)
        }
      }
    }
  }

  /// The parameters that are whole segments of a path, each with the template before it.
  static func places(in path: String) -> [(name: String, prefix: String)] {
    var places: [(name: String, prefix: String)] = []
    var prefix = ""
    for segment in path.split(separator: "/") {
      if segment.hasPrefix("{"), segment.hasSuffix("}") {
        places.append((String(segment.dropFirst().dropLast()), prefix))
      }
      prefix += "/" + segment
    }
    return places
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
        let name = subject.operation.parameter(condition.name, in: location)?.name ?? condition.name
        chosen["\(subject.operation.id).\(name)", default: []] += condition.test.texts.map { .string($0) }
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
          learn(member.value, ofNeighbour: name)
        } else if depth < Self.depthLimit {
          pending.append((member.value, depth + 1))
        }
      }
      if depth < Self.depthLimit { pending += value.elements.prefix(Self.limit).map { ($0, depth + 1) } }
    }
  }

  /// `ParentStudy` has what `/studies` lists.
  private mutating func learn(_ value: JSON, ofNeighbour name: String) {
    guard value.isString, value.text.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) }) else { return }
    let item = name.hasSuffix("id") && name.utf8.count > 4 ? String(name.dropLast(2)) : name
    let found = collections.keys.filter { item.hasSuffix($0) && (item.utf8.count > $0.utf8.count || name != item) }
    guard let longest = found.max(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }), let path = collections[longest]
    else { return }
    add(value, to: path, isCreated: false)
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
    guard let part = operation.template.segments.last, part.count == 1, case .expression(let name) = part[0]
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

  /// The elements of a response: an array, also as a member; or, with `hasNames`, the names of an object of objects.
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

// MARK: - Learning
