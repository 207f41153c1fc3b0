/// Quotes words for a POSIX shell (2.2) and replaces known secrets by variables.
package struct ShellQuoting: Sendable {
  /// The spellings of a secret, with the variable that replaces them.
  private let variables: [(spelling: String, name: String)]

  package init(variables: [(spelling: String, name: String)] = []) {
    self.variables = variables.filter { !$0.spelling.isEmpty }
  }

  /// One word: without quotes if possible, in single quotes, or in double quotes if it has a variable.
  package func word(_ text: String) -> String {
    var parts: [(text: String, isVariable: Bool)] = [(text, false)]
    for (spelling, name) in variables {
      parts = parts.flatMap { part -> [(text: String, isVariable: Bool)] in
        guard !part.isVariable else { return [part] }
        return Self.split(part.text, at: spelling).enumerated().flatMap { index, piece in
          (index == 0 ? [] : [(name, true)]) + [(piece, false)]
        }
      }
    }
    guard parts.count > 1 else {
      // By scalars: as a `Character`, a quote with a combining mark is not a quote.
      return Self.isPlain(text) ? text : "'\(text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined())'"
    }
    return "\"" + parts.map { $0.isVariable ? "${\($0.text)}" : Self.escaped($0.text) }.joined() + "\""
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "/:,@%+=".utf8.contains($0) }
  }

  private static func split(_ text: String, at separator: String) -> [String] {
    var pieces: [String] = []
    var start = text.utf8.startIndex
    for range in text.utf8.ranges(of: Array(separator.utf8)) {
      pieces.append(String(Substring(text.utf8[start..<range.lowerBound])))
      start = range.upperBound
    }
    return pieces + [String(Substring(text.utf8[start...]))]
  }

  /// Escapes the four characters with a meaning in double quotes (POSIX, 2.2.3).
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { "\"\\$`".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
