public import UnderstudyClient
public import UnderstudyMock

extension RunningMock {
  /// Returns a mock of a contract in this process, for tests without the trait: `Lane.open(on: .start("specs/slp.yaml"))`.
  ///
  /// The calls for one contract share a mock, as its lanes are isolated. With options, each call starts a mock, which stops when
  /// nothing refers to it or to its lanes.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, searched in the folders above the test's file, then in the working directory.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; found like `spec`.
  ///   - options: Settings of a separate mock: `isStateful`, forced responses, faults, checks, a clock.
  ///   - tls: Whether the mock serves HTTPS, with the trait TLS of the package; clients trust `authorityFile`.
  ///   - rules: Rules about fixtures and references whose findings are accepted.
  ///   - filePath: The file of the test.
  /// - Throws: `UnderstudyError` when the contract does not load, its fixtures or references are broken, or no port is free.
  public static func start(
    _ spec: String, fixtures: String? = nil, options: Mock.Options? = nil, tls: Bool = false,
    allowing rules: [String] = [], filePath: String = #filePath
  ) async throws -> RunningMock {
    try await MockSource(spec: spec, fixtures: fixtures, options: options, filePath: filePath, usesTLS: tls)
      .running(allowing: rules)
  }

  /// Returns a mock of a contract that is in memory or was read by the test; the rest as for a file.
  public static func start(
    _ contract: Contract, options: Mock.Options? = nil, tls: Bool = false, allowing rules: [String] = []
  ) async throws -> RunningMock {
    try await MockSource(given: { contract }, options: options, usesTLS: tls).running(allowing: rules)
  }
}
