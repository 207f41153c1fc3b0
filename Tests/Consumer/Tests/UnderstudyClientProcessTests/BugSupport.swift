import UnderstudyClient

extension Trait where Self == LaneTrait {
  /// A lane of the mock that runs, for each test.
  static var slp: Self { .lane("buggy") }
}

extension Lane {
  /// The rules that the requests so far break, which then do not fail the test.
  func caught() async throws -> [String] {
    let rules = try await verdict().findings.map(\.rule)
    for rule in rules { allow(rule) }
    return rules
  }
}
