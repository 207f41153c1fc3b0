import UnderstudyVerification

/// A message of ArgumentParser in the form of this program's own.
struct UsageMessage: Equatable {
  /// `unknown option '--bsae-path'`, in backticks
  let error: String
  /// The advice at the end of the message: `did you mean '--base-path'?`
  let help: String?

  init(_ message: String) {
    // A value may have an apostrophe itself.
    let message = message.replacing(/(^|[ (])'(.+?)'(?=[ .,:?)]|$)/) { "\($0.1)`\($0.2)`" }
    let advice = message.firstRange(of: /\. (?=(Did you mean|Please provide) )/)
    let error = Self.lowered(String(message[..<(advice?.lowerBound ?? message.endIndex)]))
    if let flag = error.wholeMatch(of: #/the option `--(.+)` does not take any value, but `(.*)` was specified\./#) {
      self.error = "the option `--\(flag.1)` takes no value, found `\(flag.2)`"
      help = "write `--\(flag.1)` alone, or `--no-\(flag.1)` where the help has it"
      return
    }
    self.error = error
    let value = error.firstMatch(of: #/^the value `(.*)` is invalid for /#).map { String($0.1) }
    help = advice.map { advice in
      let text = message[advice.upperBound...]
      let words = text.hasPrefix("Please provide") ? Self.values(in: text) : []
      guard words.isEmpty else {
        return value.flatMap { Suggestion.phrase(for: $0, among: words) } ?? "expected \(Self.list(words))"
      }
      return Self.lowered(String(text.hasSuffix(".") ? text.dropLast() : text))
    }
  }

  /// Whether an argument is missing.
  var isIncomplete: Bool { error.hasPrefix("missing expected argument") }

  /// The values that a sentence of ArgumentParser lists, between backticks or each on a line of its own.
  private static func values(in text: Substring) -> [String] {
    let lines = text.split(separator: "\n").filter { $0.contains("  - ") }
    guard lines.isEmpty else { return lines.map { String($0.drop { " -".contains($0) }) } }
    return text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func list(_ values: [String]) -> String {
    let quoted = values.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The option that the command does not have; `nil` for another mistake.
  var option: String? { error.wholeMatch(of: /unknown option `(.+)`/).map { String($0.1) } }

  /// The text with a small letter at its start, unless that is the start of an acronym.
  private static func lowered(_ text: String) -> String {
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
