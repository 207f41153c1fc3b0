/// The rules that a run's findings fall under, as SARIF describes them.
struct SARIFRules {
  private var ids: [String] = []
  private var positions: [String: Int] = [:]

  /// Each id once, in the order in which it was met.
  init(_ ids: [String]) {
    for id in ids where positions[id] == nil {
      positions[id] = self.ids.count
      self.ids.append(id)
    }
  }

  func position(of id: String) -> Int? { positions[id] }

  var descriptors: JSON { .array(ids.map(descriptor)) }

  private func descriptor(_ id: String) -> JSON {
    // A report of another version may name a rule that this one has not.
    guard let rule = Rule.named(id) else {
      return ["id": .string(VisibleText.block(VisibleText.shortened(id, to: 4_000)))]
    }
    let level =
      switch rule.severity {
      case .error: "error"
      case .warning: "warning"
      case .info: "note"
      }
    return [
      "id": .string(id),
      "name": .string(Self.name(id)),
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

  /// `resp.body.schema` as `RespBodySchema`: names are in Pascal case (3.49.7).
  private static func name(_ id: String) -> String {
    id.split { $0 == "." || $0 == "-" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
