import Understudy

/// Reads what `understudy.yaml` says about rules: `rules`, and `operations` with the `rules` of each.
struct RuleSettingsReader {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func read(_ root: JSON) -> RuleSettings {
    var settings = RuleSettings(levels: levels(root["rules"]), timeLimit: timeLimit(root["rules"]))
    guard let operations = root["operations"] else { return settings }
    guard operations.isObject else {
      reject("expected a mapping of operations, found \(operations.kindName)", operations)
      return settings
    }
    for operation in operations.members {
      guard operation.value.isObject else {
        reject("expected a mapping with `rules`, found \(operation.value.kindName)", operation.value)
        continue
      }
      for member in operation.value.members where !member.name.utf8.elementsEqual("rules".utf8) {
        diagnostics.append(
          Diagnostic(
            .configUnknownKey, "unknown key `\(member.name)`", at: member.key,
            help: Suggestion.phrase(for: member.name, among: ["rules"]) ?? "known: rules"))
      }
      settings.scopes.append(
        RuleSettings.Scope(
          operationId: operation.name, levels: levels(operation.value["rules"]),
          timeLimit: timeLimit(operation.value["rules"]), location: Location(operation.key)))
    }
    return settings
  }

  private mutating func levels(_ node: JSON?) -> [Rule: RuleSettings.Level] {
    guard let node else { return [:] }
    guard node.isObject else {
      reject("expected a mapping of rules to levels, as in `req.param.undeclared: off`", node)
      return [:]
    }
    var levels: [Rule: RuleSettings.Level] = [:]
    for member in node.members where Self.limit(member) == nil {
      let rule = rule(member)
      let level = rule == .responseTime ? levelOfTime(member.value) : level(member.value)
      if let rule, let level { levels[rule] = level }
    }
    return levels
  }

  /// What stands at `resp.time` in the place of a level: the time after which it is told.
  private func timeLimit(_ node: JSON?) -> Duration? {
    node?.isObject == true ? node?.members.lazy.compactMap(Self.limit).first : nil
  }

  private static func limit(_ member: JSON.Member) -> Duration? {
    guard member.key.isString(Rule.responseTime.id), member.value.isString else { return nil }
    return Duration(text: member.value.text)
  }

  private mutating func levelOfTime(_ node: JSON) -> RuleSettings.Level? {
    let before = diagnostics.count
    let level = level(node)
    if diagnostics.count > before {
      diagnostics[before].help = "expected a limit such as `2s`, or off, info, warning, error"
    }
    return level
  }

  private mutating func rule(_ member: JSON.Member) -> Rule? {
    if let rule = RuleSettings.rules.first(where: { $0.id.utf8.elementsEqual(member.name.utf8) }) { return rule }
    if Rule.named(member.name) != nil {
      diagnostics.append(
        Diagnostic(
          .configInvalid, "the rule `\(member.name)` has no level", at: member.key,
          help: Self.rulesWithLevels))
      return nil
    }
    diagnostics.append(
      Diagnostic(
        .configInvalid, "there is no rule `\(member.name)`", at: member.key,
        help: Suggestion.phrase(for: member.name, among: RuleSettings.rules.map(\.id))
          ?? "`understudy explain` lists them all"))
    return nil
  }

  private static let rulesWithLevels =
    "levels are for rules about requests, answers and servers, whose ids start with `req.`, `resp.`, `prov.` or `state.`"

  private mutating func level(_ node: JSON) -> RuleSettings.Level? {
    if let level = node.string.flatMap(RuleSettings.Level.init(rawValue:)) { return level }
    let known = RuleSettings.Level.allCases.map(\.rawValue)
    let text = node.isString ? node.text : JSONWriter.text(node)
    diagnostics.append(
      Diagnostic(
        .configInvalid, "`\(text)` is no level", at: node,
        help: Suggestion.phrase(for: text, among: known) ?? "expected \(known.joined(separator: ", "))"))
    return nil
  }

  private mutating func reject(_ message: String, _ node: JSON) {
    diagnostics.append(Diagnostic(.configInvalid, message, at: node))
  }
}
