public import UnderstudyMock

/// Gives each test case a mock of its own, and checks at its end what the client did.
public struct UnderstudyTrait: TestTrait, SuiteTrait, TestScoping {
  let source: MockSource
  let location: SourceLocation
  private(set) var allowed: [String] = []
  private var limit = TestLimit.usual
  /// Why some of the allowed rules do not exist, with the lines that name them.
  private var problems: [(message: String, location: SourceLocation)] = []

  init(_ source: MockSource, at location: SourceLocation) {
    self.source = source
    self.location = location
  }

  /// Every test of a suite gets its own mock, those of nested suites too.
  public var isRecursive: Bool { true }

  /// The same, where findings of these rules do not fail a test: `.allowing("req.param.missing")`.
  ///
  /// A rule about fixtures or references accepts broken ones: `.allowing("spec.ref.unresolved")`.
  ///
  /// - Parameters:
  ///   - rules: The ids of rules. One that does not exist fails each test at this line.
  ///   - sourceLocation: The line of the test, for failures.
  public func allowing(_ rules: String..., sourceLocation: SourceLocation = #_sourceLocation) -> UnderstudyTrait {
    var trait = self
    trait.allowed += rules
    trait.problems += rules.compactMap { rule in
      AllowableRules.problem(of: rule).map { (message: $0, location: sourceLocation) }
    }
    return trait
  }

  /// The same, with another time in which something must happen: a test fails if it has not ended and no request has come
  /// since, and its connections are closed, so that what waits for them goes on.
  ///
  /// - Parameter duration: 30 s without it; more than zero.
  public func limit(_ duration: Duration) -> UnderstudyTrait {
    var trait = self
    trait.limit = max(duration, .milliseconds(10))
    return trait
  }

  /// Runs a test case with a mock.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let issues = IssueLog(.recorded)
    for problem in problems { issues.report(problem.message, at: problem.location) }
    let api: Understudy
    do {
      api = try await Understudy(Session(source, allowing: allowed, issues: issues))
    } catch {
      // The test cannot run; its contract is to blame.
      return issues.report("\(error)", at: location)
    }
    let watch = Task { [limit] in
      await TestLimit(api: api, limit: limit, location: test.sourceLocation).watch()
    }
    defer { watch.cancel() }
    do {
      try await Understudy.$scoped.withValue(api, operation: function)
    } catch let error as UnderstudyError where error.isReported {
      // The failure is known, at its own line.
    } catch {
      await api.finish(test)
      throw error
    }
    await api.finish(test)
  }
}

extension Understudy {
  fileprivate func finish(_ test: Test) async {
    await end(at: test.sourceLocation)
  }
}

extension Trait where Self == UnderstudyTrait {
  /// Starts a mock of a contract for each test case; the test finds it in `Understudy.current`.
  ///
  /// At the end of the test these fail it: requests that break the contract or reach no operation, and replies that no
  /// request has met. Fixtures that cannot be used, and references of the contract that lead nowhere, fail it before it
  /// begins, at the line of the trait.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, searched in the folders above the test's file, then in the working directory.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; found like `spec`.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - stateful: Whether what clients create, change and delete is remembered.
  ///   - options: Settings of a separate mock: `isStateful`, forced responses, faults, checks, a clock.
  ///   - tls: Whether the mock serves HTTPS, with the trait TLS of the package; clients trust `authorityFile`.
  ///   - filePath: The file of the test.
  ///   - sourceLocation: The line of the test, for failures.
  public static func understudy(
    _ spec: String, fixtures: String? = nil, scenario: String? = nil, stateful: Bool = false,
    options: Mock.Options? = nil, tls: Bool = false,
    filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    UnderstudyTrait(
      MockSource(
        spec: spec, fixtures: fixtures, scenario: scenario, options: MockSource.options(options, stateful: stateful),
        filePath: filePath, usesTLS: tls),
      at: sourceLocation)
  }

  /// Starts a mock of a contract in memory or in a bundle: `.understudy(try Contract(text, name: "pets"))`.
  ///
  /// - Parameters:
  ///   - contract: Read once; an error fails each test.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - stateful: Whether what clients create, change and delete is remembered.
  ///   - options: Settings of a separate mock: `isStateful`, forced responses, faults, checks, a clock.
  ///   - tls: Whether the mock serves HTTPS, with the trait TLS of the package; clients trust `authorityFile`.
  ///   - sourceLocation: The line of the test, for failures.
  public static func understudy(
    _ contract: @autoclosure () throws -> Contract, scenario: String? = nil, stateful: Bool = false,
    options: Mock.Options? = nil, tls: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    UnderstudyTrait(
      .given(contract, scenario: scenario, options: MockSource.options(options, stateful: stateful), usesTLS: tls),
      at: sourceLocation)
  }
}
