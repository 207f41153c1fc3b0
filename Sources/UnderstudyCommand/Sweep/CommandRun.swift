import UnderstudyVerification

/// What a command did with one variant.
struct CommandRun: Sendable {
  let row: SweepRow
  /// Both of its outputs.
  let output: String
  let duration: Duration
  /// What its requests break, and those of the run with default responses do not.
  let violations: [SweepViolation]

  /// The request that it repeated beyond all measure, if any, and how often.
  var storm: (name: String, count: Int)?

  /// For messages: `; it then sent readUser x3`.
  var sentNext: String { row.next.isEmpty ? "" : "; it then sent \(row.next.joined(separator: ", "))" }
}
