extension Int {
  /// The number with its noun: `1 operation`, `2 operations`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

  /// A number of bytes: `64 MiB`, `100 bytes`.
  package var asBytes: String { self > 0 && isMultiple(of: 1 << 20) ? "\(self >> 20) MiB" : counted("byte") }
}
