import Understudy

/// What is wrong with a contract by itself: the same numbers wherever a command speaks of it.
struct ContractVerdict {
  let errors: Int
  let warnings: Int
  let notes: Int

  init(_ findings: [Diagnostic]) {
    errors = findings.count(.error)
    warnings = findings.count(.warning)
    notes = findings.count(.info)
  }

  /// Of a contract that was read for this alone: its compiled schemas are needed once, and a mock keeps its own.
  init(of source: ContractSource) {
    let (contract, reading) = CompiledContract.read(source)
    self.init(contract?.lint() ?? reading)
  }

  /// `2 errors, 1 warning, 0 notes`
  var counts: String { "\(errors.counted("error")), \(warnings.counted("warning")), \(notes.counted("note"))" }

  /// What a banner has room for: `no problems`, `2 errors, 1 warning`.
  var summary: String {
    let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
    return parts.isEmpty ? "no problems" : parts.joined(separator: ", ")
  }
}
