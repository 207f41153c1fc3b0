extension Int {
  /// The number with its noun: `1 operation`, `2 operations`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
