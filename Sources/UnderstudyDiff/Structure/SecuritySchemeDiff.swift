/// Compares the definitions of credentials, which operations share.
struct SecuritySchemeDiff {
  private let diff: ContractDiff
  private var changes: ChangeList { diff.changes }

  init(_ diff: ContractDiff) { self.diff = diff }

  func run() {
    for old in diff.old.securitySchemes {
      guard let new = diff.new.securitySchemes.first(where: { $0.name.utf8Equals(old.name) }) else { continue }
      switch (old.kind, new.kind) {
      case (.oauth2, .oauth2): flows(old, new)
      case (.openIdConnect, .openIdConnect):
        url("openIdConnectUrl", (old.node, new.node), .openIDURL, "the credentials `\(old.name)`")
      default: break
      }
    }
  }

  /// A flow of OAuth 2 with the names of OpenAPI 3.
  private struct Flow {
    let name: String
    let node: JSON
    var scopes: [String] { node["scopes"]?.members.map(\.name) ?? [] }
  }

  private static let formerNames = ["application": "clientCredentials", "accessCode": "authorizationCode"]

  private func flows(of scheme: SecurityScheme, _ api: API) -> [Flow] {
    if let name = scheme.node["flow"]?.string {
      return [Flow(name: Self.formerNames[name] ?? name, node: scheme.node)]
    }
    return scheme.node["flows"]?.distinctMembers.filter { $0.value.isObject && !$0.key.isExtensionKey }.map {
      Flow(name: $0.name, node: $0.value)
    } ?? []
  }

  private func flows(_ old: SecurityScheme, _ new: SecurityScheme) {
    let (before, after) = (flows(of: old, diff.old), flows(of: new, diff.new))
    for flow in before {
      let name = "the flow `\(flow.name)` of the credentials `\(old.name)`"
      guard let other = after.first(where: { $0.name.utf8Equals(flow.name) }) else {
        changes.add(.oauthFlowRemoved, "\(name) was removed", new: new.node, old: flow.node, about: nil)
        continue
      }
      for key in ["authorizationUrl", "tokenUrl", "refreshUrl"] { url(key, (flow.node, other.node), .oauthURL, name) }
      for scope in flow.scopes where !other.scopes.contains(where: { $0.utf8Equals(scope) }) {
        let isUsed = isRequired(scope, of: old.name)
        changes.add(
          .oauthScopeRemoved, "\(name) no longer has the scope `\(scope)`",
          new: other.node["scopes"] ?? other.node, old: flow.node["scopes"]?.key(scope), about: nil,
          severity: isUsed ? nil : .info, help: isUsed ? nil : "no operation of the old contract requires it")
      }
    }
  }

  private func isRequired(_ scope: String, of scheme: String) -> Bool {
    diff.old.operations.contains { operation in
      operation.security.contains { requirement in
        requirement.schemes.contains { $0.name.utf8Equals(scheme) && $0.scopes.contains(scope) }
      }
    }
  }

  private func url(_ key: String, _ nodes: (old: JSON, new: JSON), _ rule: Rule, _ name: String) {
    guard let before = nodes.old[key], before.string != nodes.new[key]?.string else { return }
    let words = nodes.new[key].map { "now has the `\(key)` `\($0.text)`" } ?? "no longer has a `\(key)`"
    changes.add(
      rule, "\(name) \(words), was `\(before.text)`", new: nodes.new[key] ?? nodes.new, old: before, about: nil)
  }
}
