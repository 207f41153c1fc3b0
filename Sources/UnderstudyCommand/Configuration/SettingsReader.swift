import UnderstudyVerification

/// Reads values of a config file and collects the problems. Paths are relative to the folder of the file.
final class SettingsReader {
  private let folder: String
  private(set) var diagnostics: [Diagnostic] = []

  init(folder: String) { self.folder = folder }

  /// The mapping; `nil` if there is none. Reports unknown keys.
  func mapping(_ node: JSON?, _ expected: String, keys known: [String]? = nil) -> JSON? {
    guard let node else { return nil }
    guard node.isObject else {
      reject("expected \(expected), found \(node.kindName)", node)
      return nil
    }
    guard let known else { return node }
    for member in node.members where !known.contains(member.name) {
      let help = Suggestion.phrase(for: member.name, among: known) ?? "known: \(known.joined(separator: ", "))"
      reject("unknown key `\(member.name)`", member.key, help: help, rule: .configUnknownKey)
    }
    return node
  }

  func text(_ node: JSON?) -> String? {
    guard let node else { return nil }
    if node.string == nil { reject("expected text, found \(node.kindName)", node) }
    return node.string
  }

  /// One text, or a list of texts.
  func texts(_ node: JSON?) -> [String] {
    guard let node else { return [] }
    return node.isArray ? node.elements.compactMap { text($0) } : text(node).map { [$0] } ?? []
  }

  func setting(_ node: JSON?) -> Setting.Written? {
    guard let node, let text = text(node) else { return nil }
    return Setting.Written(text: text, location: Location(node))
  }

  /// The settings of a mapping, by name.
  func settings(_ node: JSON?) -> [(name: String, text: Setting.Written)] {
    mapping(node, "a mapping of names to texts")?.members.compactMap { member in
      setting(member.value).map { (member.name, $0) }
    } ?? []
  }

  func flag(_ node: JSON?) -> Bool? {
    guard let node else { return nil }
    if node.bool == nil { reject("expected `true` or `false`, found \(node.kindName)", node) }
    return node.bool
  }

  func path(_ text: String) -> String { Path.join(folder, text) }

  func reject(_ message: String, _ node: JSON, help: String? = nil, rule: Rule = .configInvalid) {
    diagnostics.append(Diagnostic(rule, message, at: Location(start: node), help: help))
  }

  func add(_ more: [Diagnostic]) { diagnostics += more }
}
