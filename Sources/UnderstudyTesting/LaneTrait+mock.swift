public import UnderstudyClient

extension Trait where Self == LaneTrait {
  /// Opens a lane of a mock in this process for each test case; the test finds it in `Lane.current`.
  public static func mock(
    _ spec: String, fixtures: String? = nil, scenario: String? = nil, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let source = MockSource(spec: spec, fixtures: fixtures, filePath: filePath)
    return LaneTrait(LaneSettings(label: "test", scenario: scenario, hasOwnPort: true), at: sourceLocation) {
      try await InProcessMocks.shared.mock(of: source)
    }
  }
}

/// The mocks of this process, which the tests of a contract share.
private actor InProcessMocks {
  static let shared = InProcessMocks()

  private var known: [ObjectIdentifier: Task<RunningMock, any Error>] = [:]

  func mock(of source: MockSource) async throws -> RunningMock {
    let mock = try source.mock(allowing: [])
    let task = known[ObjectIdentifier(mock)] ?? Task { try await InProcessMock(mock, usesTLS: source.usesTLS).running() }
    known[ObjectIdentifier(mock)] = task
    return try await task.value
  }
}
