/// The description of a rule in SARIF.
enum SARIFRule {
  static func descriptor(_ id: String) -> JSON {
    // A report of another version may name a rule that this one does not have.
    guard let rule = Rule.named(id) else {
      return ["id": .string(VisibleText.block(VisibleText.shortened(id, to: 4_000)))]
    }
    let level = level(rule.severity)
    // Names are in Pascal case (3.49.7): `resp.body.schema` is `RespBodySchema`.
    let name = id.split { $0 == "." || $0 == "-" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return [
      "id": .string(id),
      "name": .string(name),
      "shortDescription": ["text": .string(VisibleText.shortened(rule.summary, to: 1_000))],
      "fullDescription": ["text": .string(VisibleText.shortened(rule.help, to: 1_000))],
      "help": ["text": .string(rule.help), "markdown": .string("**\(rule.summary)**\n\n\(rule.help)")],
      "defaultConfiguration": ["level": .string(level)],
      "properties": [
        "tags": ["api-contract", .string(rule.owner.rawValue)], "precision": "high",
        "problem.severity": .string(level == "note" ? "recommendation" : level),
      ],
    ]
  }

  static func level(_ severity: Severity) -> String { severity == .info ? "note" : severity.rawValue }
}
