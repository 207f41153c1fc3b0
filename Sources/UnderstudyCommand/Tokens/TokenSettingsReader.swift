import UnderstudyVerification

/// Reads `tokens` of `understudy.yaml`.
struct TokenSettingsReader {
  let reader: SettingsReader

  /// `nil` if tokens are not checked.
  func read(_ node: JSON?) -> TokenSettings? {
    let keys = ["check", "leeway", "schemes", "key"]
    guard let node = reader.mapping(node, "a mapping, as in `tokens: {check: true}`", keys: keys) else { return nil }
    var settings = TokenSettings()
    if let value = node["leeway"] { settings.leeway = leeway(value) ?? settings.leeway }
    if let value = node["schemes"] { settings.schemes = schemes(value) }
    settings.key = key(node["key"])
    return reader.flag(node["check"]) == false ? nil : settings
  }

  private func leeway(_ node: JSON) -> Int? {
    guard let duration = node.string.flatMap({ Duration(text: $0) }) else {
      reader.reject("expected a duration of at most an hour, as in `60s` or `2m`", node)
      return nil
    }
    return Int(duration.components.seconds)
  }

  private func schemes(_ node: JSON) -> [TokenCheck.Scheme] {
    reader.list(node, "a list of security schemes").compactMap { element in
      text(element).map { TokenCheck.Scheme($0, at: Location(element)) }
    }
  }

  // MARK: - The key

  private func key(_ node: JSON?) -> TokenSettings.Key? {
    let sources = ["secret", "secret-env", "pem", "jwks"]
    let expected = "a mapping, as in `{algorithm: RS256, pem: public.pem}`"
    guard let node = reader.mapping(node, expected, keys: ["algorithm"] + sources) else { return nil }
    let given = node.members.filter { sources.contains($0.name) }
    guard let source = given.first, given.count == 1 else {
      reader.reject("expected one of `secret`, `secret-env`, `pem` and `jwks`, found \(given.count)", node)
      return nil
    }
    let named = node["algorithm"]
    let algorithm = named.flatMap { self.algorithm($0) }
    if named == nil, source.name != "jwks" {
      reader.reject(
        "`algorithm` is missing", node,
        help: source.name == "pem" ? "as in `algorithm: RS256`" : "as in `algorithm: HS256`")
      return nil
    }
    // An invalid algorithm has been reported.
    guard algorithm != nil || named == nil else { return nil }
    if let algorithm, source.name != "jwks", algorithm.isSymmetric != source.name.hasPrefix("secret") {
      reader.reject(
        "\(algorithm.rawValue) does not use `\(source.name)`", source.key,
        help: algorithm.isSymmetric
          ? "it uses a shared secret: `secret` or `secret-env`" : "it uses a public key: `pem` or `jwks`")
      return nil
    }
    return self.source(source).map {
      TokenSettings.Key(source: $0, algorithm: algorithm, location: Location(source.value))
    }
  }

  private func source(_ member: JSON.Member) -> TokenSettings.Key.Source? {
    guard let value = text(member.value) else { return nil }
    switch member.name {
    case "pem": return .pem(path: reader.path(value))
    case "jwks": return .keySet(path: reader.path(value))
    case "secret-env":
      guard let secret = Environment[value], !secret.isEmpty else {
        reader.reject(
          "the environment variable `\(value)` is not set", member.value, help: "export it before the start")
        return nil
      }
      return .secret(Array(secret.utf8))
    default: return .secret(Array(value.utf8))
    }
  }

  private func algorithm(_ node: JSON) -> SignatureAlgorithm? {
    guard let name = text(node) else { return nil }
    if let algorithm = SignatureAlgorithm(name) { return algorithm }
    // The names differ by one or two characters, so only a wrong case is a likely mistake.
    let meant = SignatureAlgorithm.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    reader.reject(
      "`\(name)` is not a signature algorithm", node,
      help: meant.map { "did you mean `\($0.rawValue)`?" } ?? "known: \(SignatureAlgorithm.names)")
    return nil
  }

  private func text(_ node: JSON) -> String? {
    if node.isString, node.text.isEmpty { reader.reject("expected text, found none", node) }
    return reader.text(node).flatMap { $0.isEmpty ? nil : $0 }
  }
}
