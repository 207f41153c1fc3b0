/// The line of a program's output that says why it failed.
package enum ExitMessage {
  /// The last line, unless a runtime writes a stack or advice behind the message.
  package static func find(in lines: [Substring]) -> String {
    // Swift and Go write their stacks behind such a line.
    if let message = lines.last(where: { $0.contains("Fatal error: ") || $0.hasPrefix("panic: ") }) {
      return String(message)
    }
    guard let last = lines.last else { return "" }
    // Python writes the class behind the stack, and a message may have several lines.
    if let start = lines.lastIndex(where: { $0.hasPrefix("Traceback (most recent call last)") }),
      let message = lines[(start + 1)...].first(where: { !isIndented($0) })
    {
      return String(message)
    }
    let message = isTrace(last) ? lines.last { !isTrace($0) && !isIndented($0) && $0 != "}" } : last
    return String(message ?? last)
  }

  /// The exception that nothing in the program caught, as its runtime names it; `nil` where the program ended by itself.
  package static func uncaught(in output: String) -> String? {
    let lines = output.split(whereSeparator: \.isNewline)
    let isUncaught = lines.contains { line in
      line.hasPrefix("Traceback (most recent call last)") || line.hasPrefix("Exception in thread \"")
        || line.hasPrefix("panic: ") || line.hasPrefix("thread '") && line.contains("panicked at")
        || line.hasPrefix("Node.js v") || line.hasPrefix("Uncaught ") || line.hasPrefix("Unhandled exception")
    }
    return isUncaught ? find(in: lines) : nil
  }

  /// Whether a line ends what Node, the JVM, .NET or Rust write about an error.
  private static func isTrace(_ line: Substring) -> Bool {
    line.hasPrefix("Node.js v") || line.hasPrefix("note: run with `RUST_BACKTRACE")
      || isIndented(line) && line.drop { $0.isWhitespace }.hasPrefix("at ")
  }

  private static func isIndented(_ line: Substring) -> Bool { line.first?.isWhitespace == true }
}
