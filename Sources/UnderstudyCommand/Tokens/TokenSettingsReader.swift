import Understudy

/// Reads what `understudy.yaml` says about `tokens`; paths count from its folder.
struct TokenSettingsReader {
  let folder: String
  private(set) var diagnostics: [Diagnostic] = []

  init(folder: String) { self.folder = folder }

  /// `nil` where tokens are not to be looked into.
  mutating func read(_ node: JSON?) -> TokenSettings? {
    guard let node else { return nil }
    guard node.isObject else {
      reject("expected a mapping, as in `tokens: {check: true}`, found \(node.kindName)", node)
      return nil
    }
    checkKeys(of: node, ["check", "leeway", "schemes", "key"])
    var settings = TokenSettings()
    if let value = node["leeway"] { settings.leeway = leeway(value) ?? settings.leeway }
    if let value = node["schemes"] { settings.schemes = schemes(value) }
    if let value = node["key"] { settings.key = key(value) }
    guard let check = node["check"] else { return settings }
    if check.bool == nil { reject("expected `true` or `false`, found \(check.kindName)", check) }
    return check.bool == false ? nil : settings
  }

  private mutating func leeway(_ node: JSON) -> Int? {
    guard let duration = node.string.flatMap({ Duration(text: $0) }) else {
      reject("expected a duration of at most an hour, as in `60s` or `2m`", node)
      return nil
    }
    return Int(duration.components.seconds)
  }

  private mutating func schemes(_ node: JSON) -> [TokenCheck.Scheme] {
    guard node.isArray else {
      reject("expected a list of security schemes, found \(node.kindName)", node)
      return []
    }
    return node.elements.compactMap { element in text(element).map { TokenCheck.Scheme($0, at: Location(element)) } }
  }

  // MARK: - The key

  private mutating func key(_ node: JSON) -> TokenSettings.Key? {
    guard node.isObject else {
      reject("expected a mapping, as in `{algorithm: RS256, pem: public.pem}`, found \(node.kindName)", node)
      return nil
    }
    let sources = ["secret", "secret-env", "pem", "jwks"]
    checkKeys(of: node, ["algorithm"] + sources)
    let given = node.members.filter { sources.contains($0.name) }
    guard let source = given.first, given.count == 1 else {
      reject("expected one of `secret`, `secret-env`, `pem` and `jwks`, found \(given.count)", node)
      return nil
    }
    let named = node["algorithm"]
    let algorithm = named.flatMap { self.algorithm($0) }
    if named == nil, source.name != "jwks" {
      reject(
        "a key is for one algorithm, which must be named", node,
        help: source.name == "pem" ? "as in `algorithm: RS256`" : "as in `algorithm: HS256`")
      return nil
    }
    // What is no algorithm was told already.
    guard algorithm != nil || named == nil else { return nil }
    if let algorithm, source.name != "jwks", algorithm.isSymmetric != source.name.hasPrefix("secret") {
      reject(
        "\(algorithm.rawValue) has no use for `\(source.name)`", source.key,
        help: algorithm.isSymmetric
          ? "it takes a shared secret: `secret` or `secret-env`" : "it takes a public key: `pem` or `jwks`")
      return nil
    }
    return self.source(source).map {
      TokenSettings.Key(source: $0, algorithm: algorithm, location: Location(source.value))
    }
  }

  private mutating func source(_ member: JSON.Member) -> TokenSettings.Key.Source? {
    guard let value = text(member.value) else { return nil }
    switch member.name {
    case "pem": return .pem(path: Path.join(folder, value))
    case "jwks": return .keySet(path: Path.join(folder, value))
    case "secret-env":
      guard let secret = Environment[value], !secret.isEmpty else {
        reject("the environment variable `\(value)` is not set", member.value, help: "export it before the start")
        return nil
      }
      return .secret(Array(secret.utf8))
    default: return .secret(Array(value.utf8))
    }
  }

  private mutating func algorithm(_ node: JSON) -> SignatureAlgorithm? {
    guard let name = text(node) else { return nil }
    if let algorithm = SignatureAlgorithm(name) { return algorithm }
    let names = SignatureAlgorithm.allCases.map(\.rawValue)
    // Any two of these names are near each other; a misspelt case is the one slip that can be told.
    let meant = names.first { $0.lowercased() == name.lowercased() }
    reject(
      "`\(name)` is no algorithm for signatures", node,
      help: meant.map { "did you mean `\($0)`?" } ?? "known: \(SignatureAlgorithm.names)")
    return nil
  }

  // MARK: - Parts

  private mutating func checkKeys(of node: JSON, _ known: [String]) {
    for member in node.members where !known.contains(member.name) {
      diagnostics.append(
        Diagnostic(
          .configUnknownKey, "unknown key `\(member.name)`", at: member.key,
          help: Suggestion.phrase(for: member.name, among: known) ?? "known: \(known.joined(separator: ", "))"))
    }
  }

  private mutating func text(_ node: JSON) -> String? {
    guard let text = node.string, !text.isEmpty else {
      reject("expected text, found \(node.isString ? "none" : node.kindName)", node)
      return nil
    }
    return text
  }

  private mutating func reject(_ message: String, _ node: JSON, help: String? = nil) {
    diagnostics.append(Diagnostic(.configInvalid, message, at: Location(start: node), help: help))
  }
}
