/// A way to authenticate a client.
package struct SecurityScheme: Sendable {
  /// The name that requirements use.
  package var name: String
  package var kind: Kind
  package var node: JSON

  package enum Kind: Sendable {
    case apiKey(name: String, in: Parameter.Location)
    /// The scheme in lower case: `bearer`, `basic`.
    case http(scheme: String)
    case oauth2
    case openIdConnect
    case mutualTLS
    /// A `type` that no version defines: never validated.
    case unknown(String)
  }
}

/// One alternative: all of its schemes are required; none (`{}`) means that anonymous calls are allowed.
package struct SecurityRequirement: Sendable {
  package var schemes: [(name: String, scopes: [String])]
  package var node: JSON?
}

extension SecurityScheme {
  package init(_ name: String, _ kind: Kind, node: JSON = .object([])) {
    self.init(name: name, kind: kind, node: node)
  }
}

extension SecurityRequirement {
  package init(_ schemes: [String]) { self.init(schemes.map { (name: $0, scopes: []) }, node: nil) }

  package init(_ schemes: [(name: String, scopes: [String])], node: JSON?) {
    self.init(schemes: schemes, node: node)
  }
}

extension Operation {
  /// Whether it has a scheme with a challenge for `WWW-Authenticate` (RFC 9110, 11.6.1): API keys have no registered one.
  package func knowsChallenge(of schemes: [SecurityScheme]) -> Bool {
    security.isEmpty
      || security.contains { requirement in
        requirement.schemes.contains { name, _ in
          switch schemes.first(where: { $0.name.utf8Equals(name) })?.kind {
          case .http, .oauth2, .openIdConnect: true
          case .apiKey, .mutualTLS, .unknown, nil: false
          }
        }
      }
  }
}
