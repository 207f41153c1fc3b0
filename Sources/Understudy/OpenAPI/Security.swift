/// A way to prove who is calling.
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
    /// A `type` that no version knows: never validated.
    case unknown(String)
  }
}

/// One alternative: all of its schemes are needed; none (`{}`) means anonymous calls are allowed.
package struct SecurityRequirement: Sendable {
  package var schemes: [(name: String, scopes: [String])]
  package var node: JSON?
}
