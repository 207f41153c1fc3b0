/// Colours for a terminal, or none.
package struct TerminalStyle: Sendable {
  package var isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package static let plain = TerminalStyle(isColored: false)

  package func bold(_ text: String) -> String { wrap("1", text) }
  package func dim(_ text: String) -> String { wrap("2", text) }
  package func red(_ text: String) -> String { wrap("31", text) }
  package func green(_ text: String) -> String { wrap("32", text) }
  package func yellow(_ text: String) -> String { wrap("33", text) }
  package func cyan(_ text: String) -> String { wrap("36", text) }

  package func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .error: wrap("1;31", text)
    case .warning: wrap("1;33", text)
    case .info: wrap("1;36", text)
    }
  }

  private func wrap(_ code: String, _ text: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
