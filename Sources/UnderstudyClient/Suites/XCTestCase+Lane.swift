#if canImport(XCTest)
import Foundation
public import XCTest

extension XCTestCase {
  /// Opens a lane for this test, and closes it at its end: its findings and the replies that no request has met fail the
  /// test at this line. Blocks, for `setUp` and tests that are not asynchronous.
  ///
  /// - Parameters:
  ///   - label: The beginning of the lane's name: of letters, digits, `-`, `_` and `.`.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - force: What operations answer with from the beginning: `["readUser": 406]`.
  ///   - checks: As for `expect(checks:)`.
  ///   - limit: A request that waits longer for its answer is ended, and fails the test.
  ///   - hasOwnPort: Whether the lane has an address without a path.
  ///   - mock: The mock that runs.
  ///   - file: The line of the test, for failures, with `line`.
  ///   - line: The line of the test.
  /// - Throws: `UnderstudyError` when no mock answers, or it refuses the lane.
  public func openLane(
    _ label: String = "test", scenario: String? = nil, force: [String: ForcedCell] = [:], checks: [Check] = [],
    limit: Duration? = nil, hasOwnPort: Bool = false, on mock: RunningMock = .current,
    file: StaticString = #filePath, line: UInt = #line
  ) throws -> Lane {
    let lane = try Blocking.run("`openLane(\"\(label)\")`") {
      try await Lane.open(
        label, scenario: scenario, force: force, checks: checks, limit: limit, hasOwnPort: hasOwnPort, on: mock)
    }
    addTeardownBlock {
      do {
        let failures = try Blocking.run("the end of the lane `\(lane.name)`") { try await LaneEnd.of(lane).failures }
        for failure in failures { failure.report(file, line) }
      } catch {
        XCTFail("\(error)", file: file, line: line)
      }
    }
    return lane
  }

  /// Runs asynchronous calls in a test, `setUp` or `tearDown` that is not asynchronous:
  /// `try blocking { try await lane.reply(to: "readUser", 401) }`. The calls may use the main actor.
  ///
  /// - Parameters:
  ///   - limit: The time limit for the calls, by default two minutes.
  ///   - sourceLocation: The line of the test, which the error at the limit names.
  ///   - work: The calls.
  /// - Throws: The error of the calls, or `UnderstudyError` at the time limit.
  @discardableResult
  public func blocking<Value: Sendable>(
    within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    try Blocking.run("`blocking` at \(sourceLocation.text)", within: limit, work)
  }
}

extension LaneEnd.Failure {
  /// Fails the test at the line of the lane; a failure about another line names it.
  fileprivate func report(_ file: StaticString, _ line: UInt) {
    XCTFail(text + (exchanges.map { "\n\n\($0)" } ?? ""), file: file, line: line)
  }
}
#endif
