import UnderstudyVerification

/// Reads `rules` of `understudy.yaml`, and `operations` with the `rules` of each.
struct RuleSettingsReader {
  let reader: SettingsReader

  func read(_ root: JSON) -> RuleSettings {
    var settings = RuleSettings(levels: levels(root["rules"]), timeLimit: timeLimit(root["rules"]))
    for operation in reader.mapping(root["operations"], "a mapping of operations")?.members.map({ $0 }) ?? [] {
      guard let scope = reader.mapping(operation.value, "a mapping with `rules`", keys: ["rules"]) else { continue }
      settings.scopes.append(
        RuleSettings.Scope(
          operationId: operation.name, levels: levels(scope["rules"]), timeLimit: timeLimit(scope["rules"]),
          location: Location(operation.key)))
    }
    return settings
  }

  private func levels(_ node: JSON?) -> [Rule: RuleSettings.Level] {
    let rules = reader.mapping(node, "a mapping of rules to severities, as in `req.param.undeclared: off`")
    var levels: [Rule: RuleSettings.Level] = [:]
    for member in rules?.members.map({ $0 }) ?? [] where Self.limit(member) == nil {
      let rule = rule(member)
      if let level = level(member.value, isTime: rule == .responseTime), let rule { levels[rule] = level }
    }
    return levels
  }

  /// The value of `resp.time`, which may be a time limit instead of a level.
  private func timeLimit(_ node: JSON?) -> Duration? {
    node?.isObject == true ? node?.members.lazy.compactMap(Self.limit).first : nil
  }

  private static func limit(_ member: JSON.Member) -> Duration? {
    guard member.key.isString(Rule.responseTime.id), member.value.isString else { return nil }
    return Duration(text: member.value.text)
  }

  private func rule(_ member: JSON.Member) -> Rule? {
    if let rule = RuleSettings.rules.first(where: { $0.id.utf8Equals(member.name) }) { return rule }
    if Rule.named(member.name) != nil {
      reader.reject(
        "the severity of the rule `\(member.name)` cannot be changed", member.key,
        help: "only rules about requests, answers, events and servers have one: `req.`, `resp.`, `event.`, `prov.` and "
          + "`state.`")
    } else {
      reader.reject(
        "unknown rule `\(member.name)`", member.key,
        help: Suggestion.phrase(for: member.name, among: RuleSettings.rules.map(\.id))
          ?? "`understudy explain` lists all rules")
    }
    return nil
  }

  private func level(_ node: JSON, isTime: Bool) -> RuleSettings.Level? {
    if let level = node.string.flatMap(RuleSettings.Level.init(rawValue:)) { return level }
    let known = RuleSettings.Level.allCases.map(\.rawValue)
    let text = node.isString ? node.text : JSONWriter.text(node)
    let expected = "expected \(isTime ? "a limit such as `2s`, or " : "")\(known.joined(separator: ", "))"
    reader.reject(
      "`\(text)` is not a severity", node,
      help: isTime ? expected : Suggestion.phrase(for: text, among: known) ?? expected)
    return nil
  }
}
