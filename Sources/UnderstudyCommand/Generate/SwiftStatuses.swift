/// The statuses as enumerations in Swift.
enum SwiftStatuses {
  /// Keywords that cannot be the name of a case without backticks.
  private static let keywords: Set<String> = [
    "Any", "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum", "extension",
    "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
    "nil", "operator", "private", "Protocol", "protocol", "public", "repeat", "rethrows", "return", "self", "Self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "Type", "typealias", "var",
    "where", "while",
  ]

  static func text(of lists: [StatusList], note: String, withCells: Bool) -> String {
    var text = note + "\n"
    if withCells { text += "\npublic import UnderstudyTesting\n" }
    for list in lists where !list.statuses.isEmpty {
      text += list.description.map { "\n/// \($0)" }.joined()
      text += "\npublic enum \(list.typeName)Status: Int, CaseIterable, Sendable {\n"
      for status in list.statuses {
        if !status.summary.isEmpty { text += "  /// \(status.summary)\n" }
        text += "  case \(escaped(status.name)) = \(status.code)\n"
      }
      text += "}\n"
    }
    return withCells ? text + cells(of: lists) : text
  }

  /// Named with its module, for a target or an operation may have a `Cell` as well.
  private static func cells(of lists: [StatusList]) -> String {
    var text = "\nextension UnderstudyTesting.Cell {\n"
    for (position, list) in lists.enumerated() {
      text +=
        "\(position == 0 ? "" : "\n")  /// The cells of `\(list.operation)`.\n  public enum \(escaped(list.typeName)) {\n"
      for cell in list.cells {
        let key = cell.key == "\(cell.code)" ? "" : ", key: \"\(cell.key)\""
        let meaning = cell.meaning.map { ", meaning: \(literal($0))" } ?? ""
        text +=
          "    public static let \(escaped(cell.name)) = "
          + "UnderstudyTesting.Cell(operation: \(literal(list.operation)), status: \(cell.code)\(key)\(meaning))\n"
      }
      text += "  }\n"
    }
    return text + "}\n"
  }

  private static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  private static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }
}
