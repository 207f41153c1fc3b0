/// Quotes words for a POSIX shell (2.2) and replaces known secrets by variables.
package struct ShellQuoting: Sendable {
  /// The spellings of a secret, with the variable that replaces them.
  private let variables: [(spelling: String, name: String)]

  package init(variables: [(spelling: String, name: String)] = []) {
    self.variables = variables.filter { !$0.spelling.isEmpty }
  }

  /// Shorter secrets are parts of ordinary words, and are replaced only in the places of credentials.
  private static let shortest = 6

  /// One word: without quotes if possible, in single quotes, or in double quotes if it has a variable.
  package func word(_ text: String) -> String { quoted(text, isCredential: false) }

  /// - Parameter isCredential: Whether the word ends with a credential.
  package func quoted(_ text: String, isCredential: Bool) -> String {
    var parts: [(text: String, isVariable: Bool)] = [(text, false)]
    for (spelling, name) in variables {
      if spelling.utf8.count < Self.shortest {
        guard isCredential, parts.count == 1, let rest = Self.rest(of: text, before: spelling) else { continue }
        parts = [(rest, false), (name, true), ("", false)]
        continue
      }
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

  /// What stands before a last word; `nil` if a text does not end with that word.
  private static func rest(of text: String, before word: String) -> String? {
    let bytes = Array(text.utf8)
    let start = bytes.count - word.utf8.count
    guard start > 0, bytes[start...].elementsEqual(word.utf8), bytes[start - 1] == UInt8(ascii: " ") else { return nil }
    return String(decoding: bytes[..<start], as: UTF8.self)
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
