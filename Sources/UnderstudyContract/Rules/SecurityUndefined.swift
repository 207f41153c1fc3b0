extension LintRule {
  static let securityUndefined = LintRule(
    "spec.security.undefined", .error, "A requirement names an unknown security scheme or scope",
    help:
      "Every name must be declared in `components.securitySchemes` (2.0: `securityDefinitions`) of the first document.",
    .contract(
      """
      security: [{token: []}]
      paths:
        /pets:
          get:
            security: [{↓tokn: []}, {}, {oauth: [read, ↓write]}]
            responses: {"200": {description: OK}}
      components:
        securitySchemes:
          token: {type: http, scheme: bearer}
          oauth: {type: oauth2, flows: {implicit: {authorizationUrl: "https://a.b", scopes: {read: Read}}}}
      """)
  ) { subject, rule in
    let schemes = Dictionary(subject.api.securitySchemes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = schemes.keys.sorted()
    let scopes = schemes.mapValues { declaredScopes($0.node) }
    // An invalid scheme is ignored by the reader, but declared.
    let section = subject.specification == .swagger2 ? "securityDefinitions" : "securitySchemes"
    let holder = subject.specification == .swagger2 ? subject.api.root : subject.api.root["components"]
    let declared = holder.flatMap { subject.resolve($0) }?[section]?.memberTable ?? [:]
    return (subject.all(.contract) + subject.all(.operation)).flatMap { holder in
      (holder["security"]?.elements.flatMap(\.distinctMembers) ?? []).flatMap { member -> [Diagnostic] in
        let name = member.name
        guard let scheme = schemes[name] else {
          // From 3.2 on a name may be a reference.
          let isReference = subject.specification >= .openAPI32 && name.utf8.contains { $0 == 0x2F || $0 == 0x23 }
          if isReference || declared[member.key.bytes] != nil { return [] }
          let help = Suggestion.phrase(for: name, among: names)
          return [Diagnostic(rule, "unknown security scheme `\(name)`", at: member.key, help: help)]
        }
        guard case .oauth2 = scheme.kind, let known = scopes[name] ?? nil else { return [] }
        return member.value.elements.filter { $0.isString && !known.contains($0.bytes) }.map { scope in
          Diagnostic(
            rule, "no flow of `\(name)` has the scope `\(scope.text)`", at: scope,
            notes: [Diagnostic.Note("the scheme", at: Location(scheme.node))],
            help: Suggestion.phrase(for: scope.text, among: known.map { String(decoding: $0, as: UTF8.self) }.sorted()))
        }
      }
    }
  }

  /// The scopes of an OAuth 2 scheme over all its flows; `nil` without any.
  private static func declaredScopes(_ node: JSON) -> Set<[UInt8]>? {
    let lists = [node["scopes"]] + (node["flows"]?.members.map { $0.value["scopes"] } ?? [])
    let known = lists.compactMap { $0 }
    return known.isEmpty ? nil : Set(known.flatMap(\.members).map(\.key.bytes))
  }
}
