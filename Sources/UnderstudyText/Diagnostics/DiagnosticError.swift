/// Why something could not be loaded, as diagnostics with positions.
public struct DiagnosticError: Error, Sendable, CustomStringConvertible {
  /// The problems in the order of their discovery; at least one is an error.
  public let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// Every diagnostic with its excerpt and help, as the command line prints it.
  public var description: String { diagnostics.map(\.description).joined() }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:col: error: message [rule]`, an excerpt with a caret, notes and help, each line ended by a line break.
  public var description: String { DiagnosticPrinter().text(self) }
}
