import UnderstudyVerification

/// Reads the keys of `tokens`: a secret, a public key as PEM, or a JSON Web Key Set.
struct KeyReader {
  /// The largest file of keys.
  private static let sizeLimit = 1 << 20

  private(set) var diagnostics: [Diagnostic] = []

  /// Empty if there are findings.
  mutating func read(_ key: TokenSettings.Key) -> [SignatureKey] {
    switch key.source {
    case .secret(let bytes):
      let secret = SignatureKey(secret: bytes)
      return [key.algorithm.map { secret.limited(to: [$0]) } ?? secret].compactMap { $0 }
    case .pem(let path): return file(path, key).map { pem($0, key) } ?? []
    case .keySet(let path): return file(path, key).map { keySet($0, key) } ?? []
    }
  }

  private mutating func file(_ path: String, _ key: TokenSettings.Key) -> SourceFile? {
    do {
      return try FileSystem.read(path, maximumBytes: Self.sizeLimit)
    } catch {
      diagnostics.append(
        Diagnostic(.configUnreadable, "the key `\(path)`: \(error.message)", at: key.location, help: error.help))
      return nil
    }
  }

  // MARK: - PEM

  private mutating func pem(_ file: SourceFile, _ key: TokenSettings.Key) -> [SignatureKey] {
    let text = String(decoding: file.bytes, as: UTF8.self)
    guard let algorithm = key.algorithm else { return [] }
    func refuse(_ message: String, _ help: String) -> [SignatureKey] {
      diagnostics.append(Diagnostic(.configInvalid, "`\(file.path)` \(message)", at: key.location, help: help))
      return []
    }
    if text.contains("PRIVATE KEY-----") {
      return refuse("has a private key", "use its public key: `openssl pkey -in private.pem -pubout`")
    }
    if text.contains("BEGIN CERTIFICATE-----") {
      return refuse("has a certificate", "use its key: `openssl x509 -in certificate.pem -pubkey -noout`")
    }
    guard let read = PublicKey(pem: file.bytes).map(SignatureKey.init)?.limited(to: algorithm.synonyms) else {
      return refuse(
        "has no public key for \(algorithm.rawValue)",
        "expected a PEM file that starts with -----BEGIN PUBLIC KEY-----"
          + (SignatureAlgorithm.rsa.contains(algorithm) ? ", with 2048 bits or more" : ""))
    }
    return [read]
  }

  // MARK: - JSON Web Key Set (RFC 7517, section 5)

  private mutating func keySet(_ file: SourceFile, _ key: TokenSettings.Key) -> [SignatureKey] {
    let root: JSON
    do {
      root = try TextDocument.read(file).root
    } catch {
      diagnostics.append(Diagnostic(.configInvalid, error, in: file))
      return []
    }
    guard let list = root["keys"], list.isArray else {
      diagnostics.append(
        Diagnostic(
          .configInvalid, "expected a key set with a list of `keys`", at: Location(start: root), help: "see RFC 7517"))
      return []
    }
    let keys = list.elements.compactMap { webKey($0) }
    let usable = key.algorithm.map { wanted in keys.compactMap { $0.limited(to: wanted.synonyms) } } ?? keys
    if usable.isEmpty, diagnostics.isEmpty {
      diagnostics.append(
        Diagnostic(
          .configInvalid, "no key of `\(file.path)` can verify \(key.algorithm?.rawValue ?? "signatures")",
          at: key.location, help: "known algorithms: \(SignatureAlgorithm.names)"))
    }
    return usable
  }

  /// A key for signatures; `nil` for other keys.
  private mutating func webKey(_ node: JSON) -> SignatureKey? {
    if let use = node["use"], !use.isString("sig") { return nil }
    var wanted = Set(SignatureAlgorithm.allCases)
    if let name = node["alg"] {
      guard let algorithm = name.string.flatMap({ SignatureAlgorithm($0) }) else { return nil }
      wanted = algorithm.synonyms
    }
    guard let kind = node["kty"]?.string, ["RSA", "EC", "OKP", "oct"].contains(kind) else { return nil }
    do throws(Unusable) {
      let key: SignatureKey? =
        switch kind {
        case "RSA": try usable(PublicKey(modulus: try bytes(node, "n"), exponent: try bytes(node, "e")))
        case "EC": try point(node, [.p256, .p384, .p521], y: try bytes(node, "y"))
        case "OKP": try point(node, [.ed25519], y: [])
        default: SignatureKey(secret: try bytes(node, "k"))
        }
      var limited = key?.limited(to: wanted)
      limited?.id = node["kid"]?.string
      return limited
    } catch {
      diagnostics.append(
        Diagnostic(.configInvalid, "this \(kind) key cannot be used: \(error.reason)", at: Location(start: node)))
      return nil
    }
  }

  private struct Unusable: Error { var reason: String }

  /// `nil` for a curve without a supported algorithm.
  private func point(_ node: JSON, _ curves: [Curve], y: [UInt8]) throws(Unusable) -> SignatureKey? {
    guard let curve = curves.first(where: { node["crv"]?.isString($0.rawValue) == true }) else { return nil }
    return try usable(PublicKey(curve: curve, x: try bytes(node, "x"), y: y))
  }

  private func usable(_ key: PublicKey?) throws(Unusable) -> SignatureKey {
    guard let key else { throw Unusable(reason: "its numbers are not a valid key") }
    return SignatureKey(key)
  }

  private func bytes(_ node: JSON, _ name: String) throws(Unusable) -> [UInt8] {
    guard let text = node[name]?.string, let bytes = Base64.decode(url: text.utf8), !bytes.isEmpty else {
      throw Unusable(reason: "`\(name)` must be base64url")
    }
    return bytes
  }
}
