import UnderstudyVerification

/// Reads values of a config file and collects the problems. Paths are relative to the folder of the file.
final class SettingsReader {
  private let folder: String
  private var findings = MappingReader(.configInvalid, unknownKey: .configUnknownKey)

  var diagnostics: [Diagnostic] { findings.all }

  init(folder: String) { self.folder = folder }

  /// The root of the file. Reports duplicate keys.
  func root(of document: JSONDocument) -> JSON { findings.root(of: document) }

  /// The mapping; `nil` if there is none. Reports unknown keys.
  func mapping(_ node: JSON?, _ expected: String, keys known: [String]? = nil) -> JSON? {
    node.flatMap { findings.isMapping($0, expected, keys: known) ? $0 : nil }
  }

  func text(_ node: JSON?) -> String? { node.flatMap { findings.string($0) } }

  /// One text, or a list of texts.
  func texts(_ node: JSON?) -> [String] {
    guard let node else { return [] }
    return node.isArray ? node.elements.compactMap { text($0) } : text(node).map { [$0] } ?? []
  }

  func setting(_ node: JSON?) -> Setting.Written? {
    guard let node, let text = text(node) else { return nil }
    return Setting.Written(text: text, location: Location(node))
  }

  func numberOrText(_ node: JSON) -> Setting.Written? {
    node.kind == .number ? Setting.Written(text: node.text, location: Location(node)) : setting(node)
  }

  func pathSetting(_ node: JSON) -> Setting.Written? {
    setting(node).map { Setting.Written(text: path($0.text), location: $0.location) }
  }

  func port(_ node: JSON) -> Int? {
    let port = node.int.flatMap { 0...65_535 ~= $0 ? $0 : nil }
    if port == nil { reject("expected a port from 0 to 65535", node) }
    return port
  }

  /// The settings of a mapping, by name.
  func settings(_ node: JSON) -> [(name: String, text: Setting.Written)] {
    mapping(node, "a mapping of names to texts")?.members.compactMap { member in
      setting(member.value).map { (member.name, $0) }
    } ?? []
  }

  func flag(_ node: JSON?) -> Bool? { node.flatMap { findings.flag($0) } }

  /// The elements of a list; empty if there is none.
  func list(_ node: JSON?, _ expected: String) -> [JSON] { node.flatMap { findings.list($0, expected) } ?? [] }

  func path(_ text: String) -> String { Path.join(folder, text) }

  /// The URL, or the path of a file.
  func place(_ text: String) -> String { URIReference(text).isRemote ? text : path(text) }

  func reject(_ message: String, _ node: JSON, help: String? = nil) { findings.report(message, at: node, help: help) }

  func add(_ more: [Diagnostic]) { findings.add(more) }
}
