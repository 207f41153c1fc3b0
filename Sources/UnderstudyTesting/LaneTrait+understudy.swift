public import UnderstudyClient
public import UnderstudyMock
import UnderstudySystem

extension Trait where Self == LaneTrait {
  /// Opens a lane of a mock in this process for each test case; the test finds it in `Lane.current`.
  ///
  /// The lane has a port of its own, and the tests of a contract share the mock. At the end of the test these fail it: requests
  /// that break the contract or reach no operation, replies that no request has met, and requests that wait for their answer.
  /// Fixtures that cannot be used, and references of the contract that lead nowhere, fail it before it begins, at the line of
  /// the trait.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, searched in the folders above the test's file, then in the working directory.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; found like `spec`.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - force: The cells of operations from the beginning: `["readUser": 406]`.
  ///   - checks: The client checks, as for `expect(checks:)`.
  ///   - limit: The time limit for responses. A request that waits longer is ended, and fails the test.
  ///   - options: Settings of a separate mock: `isStateful`, faults, a clock.
  ///   - tls: Whether the mock serves HTTPS, with the trait TLS of the package; clients trust `authorityFile`.
  ///   - filePath: The file of the test.
  ///   - sourceLocation: The line of the test, for failures.
  public static func understudy(
    _ spec: String, fixtures: String? = nil, scenario: String? = nil, force: [String: ForcedCell] = [:],
    checks: [Check] = [], limit: Duration = .seconds(120), options: Mock.Options? = nil, tls: Bool = false,
    filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    LaneTrait(
      MockSource(spec: spec, fixtures: fixtures, options: options, filePath: filePath, usesTLS: tls),
      LaneSettings(
        label: "test", scenario: scenario, force: force, checks: checks, limit: limit, hasOwnPort: true),
      at: sourceLocation)
  }

  /// Opens a lane of a mock whose contract is in memory or in a bundle: `.understudy(try Contract(text, name: "pets"))`; the rest
  /// as for a file.
  ///
  /// - Parameter contract: Read once; an error fails each test.
  public static func understudy(
    _ contract: @autoclosure () throws -> Contract, scenario: String? = nil, force: [String: ForcedCell] = [:],
    checks: [Check] = [], limit: Duration = .seconds(120), options: Mock.Options? = nil, tls: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    LaneTrait(
      MockSource(given: contract, options: options, usesTLS: tls),
      LaneSettings(
        label: "test", scenario: scenario, force: force, checks: checks, limit: limit, hasOwnPort: true),
      at: sourceLocation)
  }
}

extension LaneTrait {
  /// With options, the test cases of the trait share a mock of their own.
  fileprivate init(_ source: MockSource, _ settings: LaneSettings, at location: SourceLocation) {
    let own = Lock<Task<RunningMock, any Error>?>(nil)
    self.init(settings, at: location) { rules in
      guard source.options != nil else { return try await source.running(allowing: rules) }
      let task = own.withLock { own in
        let task = own ?? Task { try await source.running(allowing: rules) }
        own = task
        return task
      }
      return try await task.value
    }
  }
}
