/// Compares the credentials that two versions of an operation accept.
struct SecurityDiff {
  private let operation: OperationDiff
  private let before: [Alternative]
  private let after: [Alternative]
  private var changes: ChangeList { operation.changes }

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

  init(_ operation: OperationDiff) {
    self.operation = operation
    before = Self.alternatives(operation.old, operation.diff.old)
    after = Self.alternatives(operation.new, operation.diff.new)
  }

  private static func alternatives(_ operation: Operation, _ api: API) -> [Alternative] {
    guard !operation.security.isEmpty else { return [Alternative()] }
    return operation.security.map { requirement in
      var alternative = Alternative(node: requirement.node)
      for (name, scopes) in requirement.schemes {
        let scheme = api.securitySchemes.first { $0.name.utf8Equals(name) }
        alternative.schemes[scheme.map { identity($0) } ?? "name \(name)", default: []].formUnion(scopes)
        alternative.names.append(name)
      }
      return alternative
    }
  }

  private static func identity(_ scheme: SecurityScheme) -> String {
    switch scheme.kind {
    case .apiKey(let name, let location): "apiKey \(location) \(location == .header ? name.lowercased() : name)"
    case .http(let name): "http \(name)"
    // Two providers of one kind are told apart by name.
    case .oauth2: "oauth2 \(scheme.name)"
    case .openIdConnect: "openIdConnect \(scheme.name)"
    case .mutualTLS: "mutualTLS"
    case .unknown(let type): "\(type) \(scheme.name)"
    }
  }

  func run() {
    let new = operation.new
    let place = new.node.key("security") ?? new.keyNode
    for alternative in before where !after.contains(where: { $0.isMet(by: alternative) }) {
      let (rule, words) = removal(of: alternative)
      changes.add(rule, words, new: place, old: alternative.node ?? operation.old.keyNode, about: new)
    }
    for alternative in after where !before.contains(where: { alternative.isMet(by: $0) || $0.isMet(by: alternative) }) {
      guard !alternative.isAnonymous else { continue }
      changes.add(
        .securityAdded, "\(alternative.words) is now accepted", new: alternative.node ?? place,
        old: operation.old.keyNode, about: new)
    }
    if after.contains(where: \.isAnonymous), !before.contains(where: \.isAnonymous) {
      changes.add(
        .securityDropped, "credentials are no longer required", new: place,
        old: before.first?.node ?? operation.old.keyNode, about: new)
    }
  }

  /// The rule and the words for credentials that no longer suffice.
  private func removal(of alternative: Alternative) -> (Rule, String) {
    if alternative.isAnonymous {
      return (.securityIntroduced, "credentials are now required: \(after.map(\.words).joined(separator: " or "))")
    }
    let names = Set(alternative.schemes.keys)
    if let same = after.first(where: { Set($0.schemes.keys) == names }) {
      let scopes = same.schemes.flatMap { scheme, scopes in scopes.subtracting(alternative.schemes[scheme] ?? []) }
      return (
        .securityScopeAdded,
        "\(alternative.words) now needs the scope \(scopes.sorted().map { "`\($0)`" }.joined(separator: ", "))"
      )
    }
    if let more = after.first(where: { Set($0.schemes.keys).isSuperset(of: names) }) {
      return (.securitySchemeAdded, "\(alternative.words) no longer suffices: needed is \(more.words)")
    }
    if after.contains(where: { Set($0.names) == Set(alternative.names) }) {
      return (.securitySchemeChanged, "the definition of \(alternative.words) changed")
    }
    return (.securityRemoved, "\(alternative.words) is no longer accepted")
  }
}
