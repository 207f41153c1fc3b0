/// The objects that all versions have in common.
extension Reading {
  mutating func info() -> (title: String, version: String) {
    guard let value = root["info"], let info = object(value, "`info`") else {
      if root["info"] == nil {
        report(Diagnostic(.specInfoMissing, "the contract has no `info` with its title and version", at: root))
      }
      return ("", "")
    }
    for key in ["title", "version"] where info[key] == nil {
      report(Diagnostic(.specInfoMissing, "`info` has no `\(key)`", at: info))
    }
    // In YAML an unquoted `1.0` is a number.
    func text(_ key: String) -> String { info[key].map { $0.isString || $0.kind == .number ? $0.text : "" } ?? "" }
    return (text("title"), text("version"))
  }

  /// The `operationId` of an operation; a duplicate is reported.
  mutating func operationId(_ node: JSON) -> String? {
    guard let text = string(node, "operationId"), !text.isEmpty, let value = node["operationId"] else { return nil }
    if let first = names.claim(value), first.id != value.id {
      report(
        Diagnostic(
          .specOperationIdDuplicate, "the `operationId` `\(text)` is used twice", at: value,
          notes: [Diagnostic.Note("first used here", at: Location(first))],
          help: "the fixture folder of this operation is named after its method and path"))
    }
    return text
  }

  /// Reports an operation under `GET` or `fetch`, which would be ignored.
  mutating func reportUnknownMethod(_ member: JSON.Member) {
    let name = member.name
    let others = PathItemKeys.others(specification)
    guard !member.key.isExtensionKey, !others.contains(name) else { return }
    let known = PathItemKeys.methods(specification) + others
    let lowercased = known.first { $0 == name.lowercased() }.map { "did you mean `\($0)`?" }
    report(
      Diagnostic(
        .specPathMethod, "`\(name)` is not a method of a path item in OpenAPI \(specification.rawValue)",
        at: member.key, help: lowercased ?? Suggestion.phrase(for: name, among: known)))
  }

  // MARK: - Security

  /// The `security` of the root or an operation; `nil` without one, which differs from an empty list.
  mutating func security(_ node: JSON) -> [SecurityRequirement]? {
    guard let value = node["security"], !value.isNull else { return nil }
    guard value.isArray else {
      report(mismatch(value, "`security` must be an array"))
      return nil
    }
    return value.elements.compactMap { value in
      guard let node = object(value, "a security requirement") else { return nil }
      return SecurityRequirement(
        schemes: node.distinctMembers.map { ($0.name, $0.value.elements.compactMap(\.string)) }, node: node)
    }
  }

  /// The declared schemes; all files use the names of the entry document (OAS 3.1, appendix F).
  mutating func securitySchemes() -> [SecurityScheme] {
    let isOld = specification == .swagger2
    let components = isOld ? root : root["components"].flatMap { object($0, "`components`") }
    guard let components else { return [] }
    return map(components, isOld ? "securityDefinitions" : "securitySchemes").compactMap { member in
      guard let node = object(member.value, "a security scheme"),
        let type = requiredString(node, "type", "security scheme")
      else { return nil }
      return SecurityScheme(name: member.name, kind: kind(type, node), node: node)
    }
  }

  private mutating func kind(_ type: String, _ node: JSON) -> SecurityScheme.Kind {
    let isOld = specification == .swagger2
    switch type {
    case "basic" where isOld: return .http(scheme: "basic")
    case "http" where !isOld:
      return .http(scheme: (requiredString(node, "scheme", "security scheme of type `http`") ?? "").lowercased())
    case "apiKey":
      let noun = "security scheme of type `apiKey`"
      guard let name = requiredString(node, "name", noun),
        let place = place(node, noun, among: isOld ? ["query", "header"] : ["query", "header", "cookie"]),
        let location = Parameter.Location(rawValue: place)
      else { return .unknown(type) }
      return .apiKey(name: name, in: location)
    case "oauth2": return .oauth2
    case "openIdConnect" where !isOld: return .openIdConnect
    case "mutualTLS" where specification >= .openAPI31: return .mutualTLS
    default: return .unknown(type)
    }
  }
}
