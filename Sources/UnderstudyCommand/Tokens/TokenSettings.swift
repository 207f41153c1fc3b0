import UnderstudyVerification

/// `tokens` of `understudy.yaml`.
struct TokenSettings: Sendable {
  /// The allowed difference of clocks in seconds.
  var leeway = 60
  /// The security schemes whose credentials must be JSON Web Tokens.
  var schemes: [TokenCheck.Scheme] = []
  /// Without a key, signatures are not verified.
  var key: Key?

  struct Key: Sendable {
    var source: Source
    /// `nil` for the algorithms of the keys in a key set.
    var algorithm: SignatureAlgorithm?
    /// The location of the secret or the file name.
    var location: Location

    enum Source: Sendable {
      case secret([UInt8])
      case pem(path: String)
      case keySet(path: String)
    }
  }

  /// The files of keys.
  var watched: [String] {
    switch key?.source {
    case .pem(let path), .keySet(let path): [path]
    case .secret, nil: []
    }
  }

  /// The check with the current keys; `nil` with findings if a key cannot be used.
  func check(now: @escaping @Sendable () -> Int) -> (check: TokenCheck?, diagnostics: [Diagnostic]) {
    var reader = KeyReader()
    let keys = key.map { reader.read($0) } ?? []
    guard reader.diagnostics.isEmpty else { return (nil, reader.diagnostics) }
    let verifier = TokenVerifier(keys: keys)
    return (TokenCheck(now: now, leeway: leeway, schemes: schemes) { verifier.problem(of: $0) }, [])
  }
}
