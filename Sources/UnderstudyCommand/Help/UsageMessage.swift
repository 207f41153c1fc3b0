/// A message of ArgumentParser in the form of this program's own.
struct UsageMessage: Equatable {
  /// `unknown option '--bsae-path'`, in backticks
  let error: String
  /// The advice at the end of the message: `did you mean '--base-path'?`
  let help: String?

  init(_ message: String) {
    let message = message.replacing(/'([^']*)'/) { "`\($0.1)`" }
    let advice = message.firstRange(of: /\. (?=(Did you mean|Please provide) )/)
    error = Self.lowered(String(message[..<(advice?.lowerBound ?? message.endIndex)]))
    help = advice.map { Self.lowered(String(message[$0.upperBound...])) }
  }

  /// The text with a small letter at its start, unless that is the start of an acronym.
  private static func lowered(_ text: String) -> String {
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
