import UnderstudyVerification

/// The number of problems of a contract, the same for every command.
struct ContractVerdict {
  let errors: Int
  let warnings: Int
  let notes: Int

  init(_ findings: [Diagnostic]) {
    errors = findings.count(.error)
    warnings = findings.count(.warning)
    notes = findings.count(.info)
  }

  /// `2 errors, 1 warning, 0 notes`
  var counts: String { "\(errors.counted("error")), \(warnings.counted("warning")), \(notes.counted("note"))" }

  /// The short form of a banner: `2 errors, 1 warning`; empty without either.
  var summary: String {
    [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }.joined(separator: ", ")
  }
}
