/// Gives each test case a lane of its own, and checks at its end what the client did.
public struct LaneTrait: TestTrait, SuiteTrait, TestScoping {
  let settings: LaneSettings
  /// Returns the mock that has the lane of a test, and may start one; its argument is `allowed`.
  let mock: @Sendable ([String]) async throws -> RunningMock
  let location: SourceLocation
  private(set) var allowed: [String] = []

  package init(
    _ settings: LaneSettings, at location: SourceLocation,
    mock: @escaping @Sendable ([String]) async throws -> RunningMock
  ) {
    self.settings = settings
    self.mock = mock
    self.location = location
  }

  /// Every test of a suite gets its own lane, those of nested suites too.
  public var isRecursive: Bool { true }

  /// The same, where findings of these rules do not fail a test: `.allowing("req.param.missing")`.
  ///
  /// With a rule about fixtures or references, a mock in the process starts despite such defects:
  /// `.allowing("spec.ref.unresolved")`.
  public func allowing(_ rules: String...) -> LaneTrait {
    var trait = self
    trait.allowed += rules
    return trait
  }

  /// Runs a test case with a lane.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let issues = IssueLog(.recorded)
    let lane: Lane
    do {
      lane = try await Lane.open(settings, on: try await mock(allowed), issues: issues)
    } catch {
      // The test cannot run.
      return issues.record(LaneEnd.Failure(message: "\(error)"), at: location)
    }
    lane.allow(allowed)
    let outcome: Result<Void, any Error>
    do {
      try await Lane.$scoped.withValue(lane, operation: function)
      outcome = .success(())
    } catch let error as UnderstudyError where error.isReported {
      // The failure is known, at its own line.
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await lane.finish(test, issues)
    try outcome.get()
  }
}

extension Lane {
  fileprivate func finish(_ test: Test, _ issues: IssueLog) async {
    do {
      for failure in try await LaneEnd.of(self).failures { issues.record(failure, at: test.sourceLocation) }
    } catch {
      issues.record(LaneEnd.Failure(message: "\(error)"), at: test.sourceLocation)
    }
  }
}

extension Trait where Self == LaneTrait {
  /// Opens a lane of a mock that runs for each test case; the test finds it in `Lane.current`.
  ///
  /// At the end of the test these fail it: requests that break the contract or reach no operation, replies that no request
  /// has met, and requests that wait for their answer.
  ///
  /// - Parameters:
  ///   - label: The beginning of the lane's name: of letters, digits, `-`, `_` and `.`.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - force: What operations answer with from the beginning: `["readUser": 406]`.
  ///   - checks: As for `expect(checks:)`.
  ///   - limit: A request that waits longer for its answer is ended, and fails the test.
  ///   - hasOwnPort: Whether the lane has an address without a path.
  ///   - mock: The mock; that of `UNDERSTUDY_BASE_URL` without it.
  ///   - sourceLocation: The line of the test, for failures.
  public static func lane(
    _ label: String = "test", scenario: String? = nil, force: [String: ForcedCell] = [:], checks: [Check] = [],
    limit: Duration? = nil, hasOwnPort: Bool = false, on mock: RunningMock? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    LaneTrait(
      LaneSettings(
        label: label, scenario: scenario, force: force, checks: checks, limit: limit, hasOwnPort: hasOwnPort),
      at: sourceLocation
    ) { _ in mock ?? .current }
  }
}
