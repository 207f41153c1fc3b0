import UnderstudyTesting

extension Trait where Self == LaneTrait {
  /// A lane of the service, for each test.
  static var slp: Self { .understudy("specs/slp.yaml", fixtures: "fixtures") }
}

extension Trait where Self == ConditionTrait {
  /// Tests/Consumer runs these files beside a mock that has to be there.
  static var needsMock: Self { .enabled(if: true) }
}

extension Lane {
  /// The rules that the requests so far break, which then do not fail the test.
  func caught() async throws -> [String] {
    let rules = try await verdict().findings.map(\.rule)
    for rule in rules { allow(rule) }
    return rules
  }
}
