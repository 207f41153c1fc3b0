/// The words of a tag: names, quoted strings, and expressions in parentheses.
indirect enum TagExpression {
  case word(String)
  case call([TagExpression])

  /// The maximum depth of parentheses.
  private static let depthLimit = 16

  /// The expression of a tag; `nil` for unbalanced parentheses.
  static func read(_ content: String) -> TagExpression? {
    var rest = content[...]
    guard let words = words(&rest, depth: 0), rest.isEmpty else { return nil }
    return .call(words)
  }

  private static func words(_ rest: inout Substring, depth: Int) -> [TagExpression]? {
    guard depth < depthLimit else { return nil }
    var words: [TagExpression] = []
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "(" {
        rest.removeFirst()
        guard let inner = self.words(&rest, depth: depth + 1), rest.first == ")" else { return nil }
        rest.removeFirst()
        words.append(.call(inner))
      } else if first == ")" {
        return depth > 0 ? words : nil
      } else {
        words.append(.word(word(&rest)))
      }
    }
    return depth == 0 ? words : nil
  }

  private static func word(_ rest: inout Substring) -> String {
    var (result, quote): (String, Character?) = ("", nil)
    while let first = rest.first {
      if quote == nil, first.isWhitespace || first == ")" || first == "(" && !result.hasSuffix("=") { break }
      if let open = quote {
        if first == open { quote = nil }
      } else if first == "'" || first == "\"" {
        quote = first
      }
      result.append(first)
      rest.removeFirst()
    }
    return result
  }

  /// The text of a quoted string or a name.
  var text: String? {
    guard case .word(let word) = self else { return nil }
    guard word.count > 1, let first = word.first, first == word.last, "'\"".contains(first) else { return word }
    return String(word.dropFirst().dropLast())
  }

  /// Whether it is a quoted string.
  var isQuoted: Bool {
    guard case .word(let word) = self else { return false }
    return word.first == "'" || word.first == "\""
  }
}
