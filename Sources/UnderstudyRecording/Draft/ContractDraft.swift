/// A first contract from traffic: path templates, parameters, schemas, security schemes and examples.
package struct ContractDraft: Sendable {
  private struct Key: Hashable, Sendable {
    /// With `nil` for an expression.
    var segments: [String?]
  }

  /// In the order of their first request.
  private var keys: [Key] = []
  private var operations: [Key: [String: OperationDraft]] = [:]
  private var schemes: [String: JSON] = [:]
  private var origins: [String] = []
  private var redactor: RecordingRedactor
  /// The paths of a contract that the draft adds to.
  private var known = KnownPaths()
  private var takenIds: Set<String> = []
  package private(set) var exchanges = 0
  package private(set) var skipped = 0

  /// Different paths beyond this number are ignored.
  private static let pathLimit = 5000
  private static let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]

  package init(redaction: RedactionSettings = RedactionSettings()) { redactor = RecordingRedactor([], redaction) }

  /// A draft of the contract that routes files stand for.
  package init(of routes: [Contract]) {
    self.init()
    known = KnownPaths(of: routes.map(\.api))
    for contract in routes {
      for exchange in RoutesDraft(contract).exchanges { add(exchange) }
    }
  }

  /// A draft of what a contract lacks: an operation of a path that it has goes to that path.
  init(beside api: API) {
    self.init()
    takenIds = Set(api.operations.map(\.id))
    known = KnownPaths(of: [api])
  }

  package var paths: Int { keys.count }

  /// Adds an exchange. Pages, scripts and pictures of a browser's recording are left out.
  package mutating func add(_ entry: Exchange) {
    guard entry.status >= 200, Self.methods.contains(entry.method), !Self.isPage(entry), !isPreflight(entry) else {
      redactor.learn(requestOf: entry, nil)
      skipped += 1
      return
    }
    let used = credentials(of: entry)
    let clean = redactor.redact(entry, of: nil).value
    let reference = URIReference(clean.url)
    let path = reference.path.isEmpty ? "/" : reference.path
    let key = Key(segments: known.segments(of: path) ?? PathDraft.segments(of: path))
    guard operations[key] != nil || keys.count < Self.pathLimit else {
      skipped += 1
      return
    }
    exchanges += 1
    if let authority = reference.authority, origins.count < 10 {
      let origin = "\(reference.scheme ?? "http")://\(authority)"
      if !origins.contains(origin) { origins.append(origin) }
    }
    if operations[key] == nil { keys.append(key) }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var ids: [String] = []
    for (segment, name) in zip(segments, key.segments) where name == nil {
      let text = String(segment)
      ids.append(PercentEncoding.decode(text) ?? text)
    }
    var methods = operations.removeValue(forKey: key) ?? [:]
    var draft = methods.removeValue(forKey: entry.method) ?? OperationDraft(expressions: ids.count)
    draft.add(clean, ids: ids, query: Self.pairs(of: clean.url), schemes: used)
    methods[entry.method] = draft
    operations[key] = methods
  }

  private static func pairs(of url: String) -> [(String, String)] {
    let query = Query(Array((URIReference(url).query ?? "").utf8))
    return query.pairs.compactMap { pair in
      guard let name = query.name(of: pair), !isCredential(name) else { return nil }
      return (name, query.value(of: pair) ?? "")
    }
  }

  private static func isPage(_ entry: Exchange) -> Bool {
    guard entry.method == "GET", 200...299 ~= entry.status, let type = entry.response?.mediaType else { return false }
    let isPart = ["image", "font", "video", "audio"].contains(type.type)
    return isPart && entry.source == nil && entry.requestFields.first(named: "sec-fetch-dest") != nil
      || ["text/css", "text/javascript", "application/javascript"].contains(type.essence)
      || type.essence == "text/html" && entry.requestFields.first(named: "sec-fetch-dest") == "document"
  }

  private func isPreflight(_ entry: Exchange) -> Bool {
    entry.method == "OPTIONS" && entry.requestFields[.accessControlRequestMethod] != nil
  }

  /// The security schemes that a request has credentials for.
  private mutating func credentials(of entry: Exchange) -> [String] {
    var used: [String] = []
    func use(_ name: String, _ scheme: JSON) {
      schemes[name] = scheme
      if !used.contains(name) { used.append(name) }
    }
    for field in entry.requestFields {
      let name = field.name.rawName
      switch FieldSyntax.lowercased(name.utf8) {
      case "authorization":
        let scheme = FieldSyntax.lowercased(field.value.utf8.prefix { $0 != 0x20 })
        if scheme == "bearer" || scheme == "basic" { use(scheme, ["type": "http", "scheme": .string(scheme)]) }
      case "cookie":
        for pair in FieldSyntax.split(field.value.utf8, at: UInt8(ascii: ";")) {
          let cookie = String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
          guard Self.isSession(cookie) else { continue }
          use("cookie_\(Self.word(cookie))", ["type": "apiKey", "in": "cookie", "name": .string(cookie)])
        }
      case "proxy-authorization", "set-cookie": continue
      default:
        let strength = SecretNames.strength(of: name, as: .header)
        let looksSecret = Entropy.looksGenerated(weaklyNamed: Array(field.value.utf8)[...])
        guard strength == .strong || strength == .weak && looksSecret else { continue }
        use(Self.word(name), ["type": "apiKey", "in": "header", "name": .string(name)])
      }
    }
    let query = Query(Array((URIReference(entry.url).query ?? "").utf8))
    for pair in query.pairs {
      guard let name = query.name(of: pair), Self.isCredential(name) else { continue }
      use("query_\(Self.word(name))", ["type": "apiKey", "in": "query", "name": .string(name)])
    }
    return used
  }

  private static func isCredential(_ query: String) -> Bool { SecretNames.strength(of: query, as: .query) == .strong }

  private static func isSession(_ cookie: String) -> Bool {
    [.strong, .weak].contains(SecretNames.strength(of: cookie, as: .cookie))
      || cookie.lowercased().contains("sess") || cookie.lowercased().hasSuffix("sid")
  }

  private static func word(_ text: String) -> String {
    String(
      decoding: text.utf8.map { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") ? $0 : UInt8(ascii: "_") },
      as: UTF8.self)
  }

  package func hidingKnown(in text: String) -> Redacted<String> { redactor.hidingKnown(in: text) }

  // MARK: - Writing

  /// The contract in OpenAPI 3.1, as YAML.
  package func yaml(title: String) -> String { redactor.hidingKnown(in: YAMLText.of(json(title: title))).value }

  func json(title: String) -> JSON {
    var merged = merged()
    let base = Self.base(of: merged.map(\.segments))
    for index in merged.indices { merged[index].segments.removeFirst(base.count) }
    let servers = origins.map { origin in
      JSON.object([("url", .string(origin + base.map { "/" + $0 }.joined()))])
    }
    return .object(
      ("openapi", "3.1.0"),
      ("info", .object(("title", .string(title)), ("version", "0.1.0"))),
      ("servers", servers.isEmpty ? nil : .array(servers)), ("paths", paths(merged)),
      (
        "components",
        schemes.isEmpty
          ? nil
          : .object([("securitySchemes", .object(schemes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))])
      ))
  }

  /// The segments that all paths begin with, as far as they name a version or the API as a whole: `api`, `v1`.
  private static func base(of paths: [[String?]]) -> [String] {
    var base: [String] = []
    while let first = paths.first, first.count > base.count + 1, let segment = first[base.count],
      paths.allSatisfy({ $0.count > base.count + 1 && $0[base.count] == segment })
    {
      let digits = segment.dropFirst()
      let isVersion = segment.hasPrefix("v") && !digits.isEmpty && digits.allSatisfy(\.isNumber)
      guard isVersion || segment == "api" || segment == "rest" else { break }
      base.append(segment)
    }
    return base
  }

  /// The path items alone, for an overlay.
  func pathItems() -> JSON { paths(merged()) }

  private func paths(_ merged: [(segments: [String?], methods: [String: OperationDraft])]) -> JSON {
    var ids = takenIds
    let items = merged.map { segments, methods -> (String, JSON) in
      let (path, names) = known[segments] ?? PathDraft.template(segments)
      let operations = Self.methods.compactMap { method -> (String, JSON)? in
        guard let draft = methods[method] else { return nil }
        var id = Self.operationId(method, segments)
        var number = 1
        let base = id
        while !ids.insert(id).inserted {
          number += 1
          id = "\(base)\(number)"
        }
        return (method.lowercased(), draft.json(id: id, names: names))
      }
      return (path, .object(operations))
    }
    return .object(items.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
  }

  /// `getPets`, `getPetsById`
  private static func operationId(_ method: String, _ segments: [String?]) -> String {
    var id = method.lowercased()
    for segment in segments.compactMap(\.self) {
      for part in segment.split(whereSeparator: { !$0.isASCII || !($0.isLetter || $0.isNumber) }) {
        id += part.prefix(1).uppercased() + part.dropFirst()
      }
    }
    if segments.last == .some(nil) { id += "ById" }
    return id.count == method.count ? id + "Root" : id
  }

  /// The paths with siblings that vary in one segment as one template: names of users, slugs.
  private func merged() -> [(segments: [String?], methods: [String: OperationDraft])] {
    var groups: [(segments: [String?], methods: [String: OperationDraft])] = keys.compactMap { key in
      operations[key].map { (key.segments, $0) }
    }
    let depth = groups.map(\.segments.count).max() ?? 0
    for position in 1..<max(2, depth) {
      var result: [(segments: [String?], methods: [String: OperationDraft])] = []
      var members: [Key: [Int]] = [:]
      for (index, group) in groups.enumerated() {
        guard position < group.segments.count, group.segments[position] != nil,
          known[group.segments] == nil
        else { continue }
        var segments = group.segments
        segments[position] = nil
        members[Key(segments: segments), default: []].append(index)
      }
      var taken: Set<Int> = []
      for (key, indices) in members.sorted(by: { $0.value[0] < $1.value[0] }) {
        guard indices.count >= PathDraft.variationLimit, Self.areAlike(indices.map { groups[$0].methods }) else {
          continue
        }
        taken.formUnion(indices)
        let place = key.segments[..<position].count { $0 == nil }
        var methods: [String: OperationDraft] = [:]
        for index in indices {
          let literal = groups[index].segments[position] ?? ""
          for (method, draft) in groups[index].methods {
            let one = draft.inserting(PercentEncoding.decode(literal) ?? literal, at: place)
            if var own = methods.removeValue(forKey: method) {
              own.merge(one)
              methods[method] = own
            } else {
              methods[method] = one
            }
          }
        }
        // An id of a recognised shape has the same template.
        if let same = groups.firstIndex(where: { $0.segments == key.segments }) {
          taken.insert(same)
          for (method, draft) in groups[same].methods {
            if var own = methods.removeValue(forKey: method) {
              own.merge(draft)
              methods[method] = own
            } else {
              methods[method] = draft
            }
          }
        }
        result.append((key.segments, methods))
      }
      groups = groups.enumerated().filter { !taken.contains($0.offset) }.map(\.element) + result
    }
    return groups
  }

  /// Whether siblings have the same methods, and answers of the same kind.
  private static func areAlike(_ siblings: [[String: OperationDraft]]) -> Bool {
    guard let first = siblings.first else { return false }
    return siblings.allSatisfy { methods in
      methods.keys == first.keys
        && methods.allSatisfy { method, draft in
          let other = first[method]?.likeness ?? []
          let own = draft.likeness
          // Siblings of one template share most of what they have.
          return own.isEmpty || other.isEmpty || own.intersection(other).count * 2 > own.union(other).count
        }
    }
  }
}
