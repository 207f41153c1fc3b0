import Understudy

/// What `tokens` in `understudy.yaml` asks for.
struct TokenSettings: Sendable {
  /// Seconds by which the clocks may differ.
  var leeway = 60
  /// The security schemes whose credentials must be JSON Web Tokens.
  var schemes: [TokenCheck.Scheme] = []
  /// Whose signature counts; without it signatures are not validated.
  var key: Key?

  struct Key: Sendable {
    var source: Source
    /// What it is used for; with a key set, `nil` leaves that to the keys.
    var algorithm: SignatureAlgorithm?
    /// Where the secret or the file is named.
    var location: Location

    enum Source: Sendable {
      case secret([UInt8])
      case pem(path: String)
      case keySet(path: String)
    }
  }

  /// The files that keys are read from.
  var watched: [String] {
    switch key?.source {
    case .pem(let path), .keySet(let path): [path]
    case .secret, nil: []
    }
  }

  /// The check with the keys as they are now; `nil` where there are findings, because a key cannot be used.
  func check(now: @escaping @Sendable () -> Int) -> (check: TokenCheck?, diagnostics: [Diagnostic]) {
    var reader = KeyReader()
    let keys = key.map { reader.read($0) } ?? []
    guard reader.diagnostics.isEmpty else { return (nil, reader.diagnostics) }
    let verifier = TokenVerifier(keys: keys)
    return (TokenCheck(now: now, leeway: leeway, schemes: schemes) { verifier.problem(of: $0) }, [])
  }
}
