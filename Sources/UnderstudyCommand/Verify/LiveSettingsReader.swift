import Understudy

/// What `verify: live:` of `understudy.yaml` says.
struct LiveConfiguration {
  var url: Setting.Written?
  var headers: [(name: String, text: Setting.Written)] = []
  /// By security scheme.
  var auth: [(scheme: String, text: Setting.Written)] = []
  var before: String?
  var after: String?
}

/// Reads `verify: live:`.
struct LiveSettingsReader {
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter node: The value of `verify`.
  mutating func read(_ node: JSON?) -> LiveConfiguration {
    var live = LiveConfiguration()
    if let node { refuseUnknown(node, known: ["live"], "expected a mapping, as in `verify: {live: {url: ...}}`") }
    guard let node = node?["live"] else { return live }
    refuseUnknown(
      node, known: ["url", "headers", "auth", "before", "after"],
      "expected a mapping, as in `live: {url: http://localhost:8080}`")
    live.url = written(node["url"])
    live.headers = mapping(node["headers"]).map { ($0.0, $0.1) }
    live.auth = mapping(node["auth"]).map { ($0.0, $0.1) }
    live.before = written(node["before"])?.text
    live.after = written(node["after"])?.text
    return live
  }

  private mutating func refuseUnknown(_ node: JSON, known: [String], _ expected: String) {
    guard node.isObject else { return reject("\(expected), found \(node.kindName)", node) }
    for member in node.members where !known.contains(member.name) {
      diagnostics.append(
        Diagnostic(
          .configUnknownKey, "unknown key `\(member.name)`", at: member.key,
          help: Suggestion.phrase(for: member.name, among: known) ?? "known: \(known.joined(separator: ", "))"))
    }
  }

  private mutating func mapping(_ node: JSON?) -> [(String, Setting.Written)] {
    guard let node else { return [] }
    guard node.isObject else {
      reject("expected a mapping of names to texts, found \(node.kindName)", node)
      return []
    }
    return node.members.compactMap { member in written(member.value).map { (member.name, $0) } }
  }

  private mutating func written(_ node: JSON?) -> Setting.Written? {
    guard let node else { return nil }
    guard let text = node.string else {
      reject("expected text, found \(node.kindName)", node)
      return nil
    }
    return Setting.Written(text: text, location: Location(node))
  }

  private mutating func reject(_ message: String, _ node: JSON) {
    diagnostics.append(Diagnostic(.configInvalid, message, at: Location(start: node)))
  }
}
