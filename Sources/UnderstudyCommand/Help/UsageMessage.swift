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
    error = Self.lowered(String(message[..<(advice?.lowerBound ?? message.endIndex)]))
    help = advice.map { advice in
      let text = message[advice.upperBound...]
      return Self.lowered(String(text.hasSuffix(".") ? text.dropLast() : text))
    }
  }

  /// The option that the command does not have; `nil` for another mistake.
  var option: String? { error.wholeMatch(of: /unknown option `(.+)`/).map { String($0.1) } }

  /// The text with a small letter at its start, unless that is the start of an acronym.
  private static func lowered(_ text: String) -> String {
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
