/// Compares the credentials that two versions of an operation accept.
struct SecurityDiff {
  private let old: Side
  private let new: Side
  private let before: [Alternative]
  private let after: [Alternative]
  private let changes: ChangeList

  /// One version of an operation, with the definitions of its document.
  struct Side {
    let operation: Operation
    let schemes: [SecurityScheme]
    let root: JSON

    func scheme(_ name: String) -> SecurityScheme? { schemes.first { $0.name.utf8Equals(name) } }
  }

  /// One alternative: schemes by their definition, each with its scopes.
  private struct Alternative {
    var schemes: [String: Set<String>] = [:]
    var names: [String] = []
    var node: JSON?

    var isAnonymous: Bool { schemes.isEmpty }

    /// Whether credentials of another alternative suffice for this one.
    func isMet(by other: Alternative) -> Bool {
      schemes.allSatisfy { scheme, scopes in other.schemes[scheme].map { scopes.isSubset(of: $0) } ?? false }
    }

    var words: String { isAnonymous ? "no credentials" : names.map { "`\($0)`" }.joined(separator: " with ") }
  }

  init(_ old: Side, _ new: Side, _ changes: ChangeList) {
    (self.old, self.new, self.changes) = (old, new, changes)
    before = Self.alternatives(old, new)
    after = Self.alternatives(new, old)
  }

  private static func alternatives(_ side: Side, _ other: Side) -> [Alternative] {
    guard !side.operation.security.isEmpty else { return [Alternative()] }
    return side.operation.security.map { requirement in
      var alternative = Alternative(node: requirement.node)
      for (name, scopes) in requirement.schemes {
        let scheme = side.scheme(name)
        alternative.schemes[scheme.map { identity($0, other) } ?? "name \(name)", default: []].formUnion(scopes)
        alternative.names.append(name)
      }
      return alternative
    }
  }

  /// - Parameter other: The side with the scheme that this one is compared with.
  private static func identity(_ scheme: SecurityScheme, _ other: Side) -> String {
    switch scheme.kind {
    case .apiKey(let name, let location): "apiKey \(location) \(location == .header ? name.lowercased() : name)"
    case .http(let name): "http \(name)"
    case .oauth2: "oauth2 \(provider(scheme, other))"
    case .openIdConnect: "openIdConnect \(provider(scheme, other))"
    case .mutualTLS: "mutualTLS"
    case .unknown(let type): "\(type) \(scheme.name)"
    }
  }

  /// The name of a provider, or its addresses where the other contract does not use the name.
  private static func provider(_ scheme: SecurityScheme, _ other: Side) -> String {
    guard other.scheme(scheme.name) == nil else { return scheme.name }
    let flows = scheme.node["flows"]?.members.map(\.value) ?? []
    let urls = ([scheme.node] + flows).flatMap { node in
      ["openIdConnectUrl", "authorizationUrl", "tokenUrl"].compactMap { node[$0]?.string }
    }
    return urls.isEmpty ? scheme.name : Set(urls).sorted().joined(separator: " ")
  }

  func run() {
    let place = Self.place(new)
    for alternative in before where !after.contains(where: { $0.isMet(by: alternative) }) {
      removed(alternative, place)
    }
    for alternative in after where !before.contains(where: { alternative.isMet(by: $0) || $0.isMet(by: alternative) }) {
      guard !alternative.isAnonymous, !isRedefined(alternative) else { continue }
      // Operations share the definition of a new scheme.
      let definition = definition(of: alternative, in: new, without: old)
      changes.add(
        .securityAdded, "\(alternative.words) is now accepted", new: definition ?? alternative.node ?? place,
        old: definition == nil ? Self.place(old) : nil, about: new.operation)
    }
    for alternative in before { scopesRemoved(alternative, place) }
    if after.contains(where: \.isAnonymous), !before.contains(where: \.isAnonymous) {
      changes.add(
        .securityDropped, "credentials are no longer required", new: place,
        old: before.first?.node ?? old.operation.keyNode, about: new.operation)
    }
  }

  /// The requirements of an operation: its own, or the inherited ones.
  private static func place(_ side: Side) -> JSON {
    side.operation.node.key("security") ?? side.root.key("security") ?? side.operation.keyNode
  }

  private func scopesRemoved(_ alternative: Alternative, _ place: JSON) {
    let names = Set(alternative.schemes.keys)
    guard
      let other = after.first(where: { other in
        Set(other.schemes.keys) == names && other.isMet(by: alternative) && !alternative.isMet(by: other)
      })
    else { return }
    let scopes = alternative.schemes.flatMap { scheme, scopes in scopes.subtracting(other.schemes[scheme] ?? []) }
    changes.add(
      .securityScopeRemoved, "\(other.words) no longer needs \(Self.words(scopes))", new: other.node ?? place,
      old: alternative.node, about: new.operation)
  }

  private static func words(_ scopes: [String]) -> String {
    "the scope\(scopes.count == 1 ? "" : "s") " + scopes.sorted().map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Reports credentials that no longer suffice.
  private func removed(_ alternative: Alternative, _ place: JSON) {
    func add(_ rule: Rule, _ words: String, new: JSON? = nil, old: JSON? = nil) {
      changes.add(
        rule, words, new: new ?? place, old: old ?? alternative.node ?? self.old.operation.keyNode,
        about: self.new.operation)
    }
    if alternative.isAnonymous {
      return add(
        .securityIntroduced, "credentials are now required: \(after.map(\.words).joined(separator: " or "))")
    }
    let names = Set(alternative.schemes.keys)
    if let same = after.first(where: { Set($0.schemes.keys) == names }) {
      let scopes = same.schemes.flatMap { scheme, scopes in scopes.subtracting(alternative.schemes[scheme] ?? []) }
      return add(
        .securityScopeAdded, "\(alternative.words) now needs \(Self.words(scopes))", new: same.node)
    }
    if let more = after.first(where: { Set($0.schemes.keys).isSuperset(of: names) }) {
      return add(
        .securitySchemeAdded, "\(alternative.words) no longer suffices: expected \(more.words)", new: more.node)
    }
    if after.contains(where: { Set($0.names) == Set(alternative.names) }), let (old, new) = redefined(alternative) {
      return add(
        .securitySchemeChanged, "the credentials `\(new.name)` are now \(new.words), were \(old.words)", new: new.node,
        old: old.node)
    }
    let root = new.root
    let definition = definition(of: alternative, in: old, without: new)
    let list = (root["components"] ?? root).key("securitySchemes") ?? root.key("securityDefinitions") ?? root
    add(
      .securityRemoved, "\(alternative.words) is no longer accepted", new: definition == nil ? nil : list,
      old: definition)
  }

  /// The definition of a scheme that the other contract does not have.
  private func definition(of alternative: Alternative, in side: Side, without other: Side) -> JSON? {
    alternative.names.lazy.filter { other.scheme($0) == nil }.compactMap { side.scheme($0)?.node }.first
  }

  /// The first scheme of an alternative that has another definition in the new contract.
  private func redefined(_ alternative: Alternative) -> (SecurityScheme, SecurityScheme)? {
    alternative.names.lazy.compactMap { name in
      guard let before = old.scheme(name), let after = new.scheme(name),
        Self.identity(before, new) != Self.identity(after, old)
      else { return nil }
      return (before, after)
    }.first
  }

  /// Whether an alternative was accepted before under the same names.
  private func isRedefined(_ alternative: Alternative) -> Bool {
    before.contains { Set($0.names) == Set(alternative.names) } && redefined(alternative) != nil
  }
}

extension SecurityScheme {
  /// The form of the credentials: `an API key in the header `X-Key``.
  fileprivate var words: String {
    switch kind {
    case .apiKey(let name, let location):
      "an API key in the \(location == .query ? "query parameter" : location.rawValue) `\(name)`"
    case .http(let scheme): "HTTP authentication by `\(scheme)`"
    case .oauth2: "OAuth 2"
    case .openIdConnect: "OpenID Connect"
    case .mutualTLS: "client certificates"
    case .unknown(let type): "of the type `\(type)`"
    }
  }
}
