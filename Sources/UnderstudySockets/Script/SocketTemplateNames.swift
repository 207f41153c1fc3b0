package import UnderstudySchema
import UnderstudyText

extension SocketTemplate {
  /// A name that no environment of a rule gives a value.
  package struct UnknownName {
    package let text: String
    /// The string with the template, or the key that is a path.
    package let node: JSON
    package let help: String
  }

  /// The first name of every path, with the parts that it has where these are fixed.
  private static let parts: [(root: String, parts: [String]?)] = [
    ("event", nil), ("name", nil), ("auth", nil), ("namespace", nil), ("socket", nil),
    ("request", ["method", "path", "query", "header", "body"]), ("response", ["status", "body"]),
  ]

  /// The names in the templates of a value that never have a value themselves.
  package static func unknownNames(in value: JSON) -> [UnknownName] {
    switch true {
    case value.isString: templates(in: value.string ?? "").templates.compactMap { unknownName($0.path, value) }
    case value.isArray: value.elements.flatMap(unknownNames)
    case value.isObject: value.members.flatMap { unknownNames(in: $0.value) }
    default: []
    }
  }

  /// - Parameter node: The string that names it.
  static func unknownName(_ path: String, _ node: JSON) -> UnknownName? {
    let names = path.split(separator: ".").map(String.init)
    let roots = parts.map(\.root)
    guard let root = names.first, let known = parts.first(where: { $0.root == root }) else {
      return UnknownName(text: path, node: node, help: Suggestion.help(for: names.first ?? "", among: roots))
    }
    guard let parts = known.parts, names.count > 1, !parts.contains(names[1]) else { return nil }
    return UnknownName(text: path, node: node, help: Suggestion.help(for: names[1], among: parts))
  }
}
