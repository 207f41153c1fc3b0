import Synchronization
public import UnderstudyMock
import UnderstudyServer

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A mock of a contract on a port of its own, with what a test needs to direct and to question it.
///
/// In Swift Testing the trait `.understudy(...)` starts one for each test case and checks it at the end. Elsewhere `start`
/// and `stop` do the same.
public final class Understudy: Sendable {
  /// The mock of the test that runs; `nil` outside of one with the trait, and in detached tasks.
  public static var current: Understudy? { scoped }

  @TaskLocal package static var scoped: Understudy?

  /// `http://127.0.0.1:49152`, with `tls` by `https`, without the paths of the contract's `servers`.
  public let baseURL: URL
  let session: Session
  private let server: HTTPServer

  init(_ session: Session) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    // Clients of HTTP close their output when they give up.
    configuration.allowsHalfClosure = false
    // A test ends when its clients are done: no request is on its way.
    configuration.lastCall = .zero
    // When the test has ended, an answer that is still under way has no receiver.
    configuration.shutdownLimit = .milliseconds(50)
    if session.usesTLS { configuration.security = try TestSecurity.shared() }
    let responder = session.mock.responder(sockets: session.sockets) {
      session.reply(to: $0, $1 ?? [], within: $2)
    }
    let observer = ExchangeObserver(of: { $0.entry != nil || $0.changesAtEnd }) { exchange, _ in
      session.end(exchange.reply)
    }
    server = HTTPServer(responder: responder, configuration: configuration, observer: observer)
    let address = try await server.start()
    guard let url = URL(string: address.url) else { throw UnderstudyError("\(address.url) is not a URL") }
    baseURL = url
    self.session = session
  }

  /// How long a client that has given up may need until its connection is closed; a busy machine takes seconds.
  private static let leavingLimit: Duration = .seconds(5)

  /// Closes the port and every connection, and reports what the client did.
  func end(at location: SourceLocation) async {
    let pending = await session.pending.rest(within: Self.leavingLimit)
    await server.shutdown()
    session.journal.close()
    session.events.close()
    TestVerdict(session: session, pending: pending).report(at: location)
  }

  /// Closes the port and every connection.
  func disconnect() async { await server.shutdown() }

  /// What the tasks, timers and connections of the mock refer to: once it is released, none of them is left.
  package var held: [any AnyObject & Sendable] { [self, session, session.journal, session.pending] }

  // MARK: - Without the trait

  /// Starts a mock for a test that has no trait, as in XCTest; `stop` checks it.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, searched in the folders above the test's file, then in the working directory.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; found like `spec`.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - stateful: Whether what clients create, change and delete is remembered.
  ///   - options: Settings of a separate mock: `isStateful`, forced responses, faults, checks, a clock.
  ///   - tls: Whether the mock serves HTTPS, with the trait TLS of the package; clients trust `authorityFile`.
  ///   - rules: Those whose findings are accepted, as by `allow`; about fixtures and references too.
  ///   - onIssue: Gets each failure with its location at once; without it, `stop` throws them.
  ///   - filePath: The file of the test.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: `UnderstudyError` when the contract does not load, its fixtures or references are broken, or no port is
  ///   free.
  public static func start(
    _ spec: String, fixtures: String? = nil, scenario: String? = nil, stateful: Bool = false,
    options: Mock.Options? = nil, tls: Bool = false, allowing rules: [String] = [],
    onIssue: (@Sendable (UnderstudyIssue) -> Void)? = nil, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Understudy {
    let source = MockSource(
      spec: spec, fixtures: fixtures, scenario: scenario, options: MockSource.options(options, stateful: stateful),
      filePath: filePath, usesTLS: tls)
    return try await start(source, rules, onIssue, sourceLocation)
  }

  /// Starts a mock of a contract that is in memory or was read by the test; the rest as for a file.
  public static func start(
    _ contract: Contract, scenario: String? = nil, stateful: Bool = false, options: Mock.Options? = nil,
    tls: Bool = false, allowing rules: [String] = [],
    onIssue: (@Sendable (UnderstudyIssue) -> Void)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Understudy {
    let options = MockSource.options(options, stateful: stateful)
    let source = MockSource.given({ contract }, scenario: scenario, options: options, usesTLS: tls)
    return try await start(source, rules, onIssue, sourceLocation)
  }

  private static func start(
    _ source: MockSource, _ rules: [String], _ onIssue: (@Sendable (UnderstudyIssue) -> Void)?,
    _ location: SourceLocation
  ) async throws -> Understudy {
    let session = try Session(source, allowing: rules, issues: IssueLog(.reported(onIssue)))
    session.allow(rules, at: location)
    return try await Understudy(session)
  }

  /// Closes the port and checks the test, like the end of a test with the trait.
  ///
  /// - Throws: `UnderstudyError` with every failure that no `onIssue` got.
  public func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    await end(at: sourceLocation)
    let rest = session.issues.end()
    if !rest.isEmpty { throw UnderstudyError(rest.map { "\($0)" }.joined(separator: "\n\n")) }
  }

  // MARK: - Directing

  /// Answers the requests of an operation with these replies in turn; the last one stays.
  ///
  /// A later call for the same operation takes precedence. A reply that no request has met fails the test at this line.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation.
  ///   - predicate: The requests that are meant; all of them without it.
  ///   - replies: `401`, `"200.empty"`, `.hang`, `.fixture("200.empty").delayed(.seconds(3))`, ...
  ///   - times: The number of requests after which the mock answers by itself again.
  ///   - sourceLocation: The line of the test, for failures.
  public func reply(
    to operation: String, when predicate: RequestPredicate? = nil, _ replies: ScriptedReply..., times: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard isRunning("reply(to: \"\(operation)\")", at: sourceLocation),
      let named = session.operation(operation, at: sourceLocation)
    else { return }
    guard !replies.isEmpty else {
      return session.issues.report("no reply is given for `\(operation)`", at: sourceLocation)
    }
    if let times, times < 1 {
      return session.issues.report("`times: \(times)` is never: expected at least 1", at: sourceLocation)
    }
    let problems = replies.compactMap { $0.problem(in: named) } + [predicate?.problem].compactMap(\.self)
    for problem in problems { session.issues.report(problem, at: sourceLocation) }
    guard problems.isEmpty else { return }
    session.script.add(
      ReplySequence(
        operation: operation, predicate: predicate?.matcher,
        steps: replies.map { ReplySequence.Step($0, in: named) }, times: times, location: sourceLocation))
  }

  /// Answers every request of a cell's operation with that cell.
  public func reply(with cell: Cell, sourceLocation: SourceLocation = #_sourceLocation) {
    if let problem = cell.problem { return session.issues.report(problem, at: sourceLocation) }
    reply(to: cell.operation, .cell(cell.key), sourceLocation: sourceLocation)
  }

  /// Plays a scenario of the fixtures from its beginning: `fixtures/<contract>/_scenarios/<name>.yaml`.
  ///
  /// `reply(to:)` takes precedence over its answers.
  public func reply(scenario: String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard isRunning("reply(scenario: \"\(scenario)\")", at: sourceLocation) else { return }
    session.play(scenario, at: sourceLocation)
  }

  /// Whether the test goes on; reports a call that comes after its end.
  func isRunning(_ call: String, at location: SourceLocation) -> Bool {
    guard session.journal.isClosed else { return true }
    session.issues.report(
      "the mock has stopped with its test, so `\(call)` changes nothing\n  help: await the task that calls it",
      at: location)
    return false
  }

  /// Lets time pass for scenarios, templates and client checks: a token expires, a penalty ends.
  ///
  /// - Parameters:
  ///   - duration: Time only moves forward.
  ///   - sourceLocation: The line of the test, for failures.
  public func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
    guard duration >= .zero else {
      return session.issues.report("the clock of a mock only moves forward, not by \(duration)", at: sourceLocation)
    }
    session.advance(by: duration)
  }

  /// Stops the clock of scenarios, templates and client checks, so that only `advance(by:)` moves it.
  public func stopClock() { session.stopClock() }

  /// Expects of the client what a check says, from here to the end of the test: `"retry-after-401"`, `"retry-storm=3"`,
  /// `"poll-interval:readQueueState=5s"`, `"kept-fields: {fields: [name]}"`. `understudy explain check.*` lists the checks.
  public func expect(checks: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    session.check(checks, at: sourceLocation)
  }

  /// Accepts findings of these rules in this test: `allow("req.param.missing")`.
  ///
  /// A rule that does not exist fails the test at this line.
  public func allow(_ rules: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    session.allow(rules, at: sourceLocation)
  }

  // MARK: - Sweeping

  /// Runs a client once for each answer that it can get: every documented status of every operation that it calls, then
  /// hostile variants of the default responses.
  ///
  /// Its first run, with default responses, finds the operations; `reply(to:)` before it chooses other usual ones. The
  /// requests of a sweep are neither in `calls` nor in the verdict.
  ///
  /// ```swift
  /// let sweep = try await api.sweep { try await client.profile() }
  /// sweep.expect(.noHang, .throwsFor(500...599))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose answers vary; all that the client calls without it.
  ///   - limit: The longest run, the first one excepted; after it the task of the client is cancelled. A client that
  ///     exceeds it again, in a second run, counts as hung.
  ///   - seed: Selects the members where a body has more than a run changes.
  ///   - inChildProcesses: Runs each answer in a process of its own, so that a crash is a row of the table instead of the
  ///     end of the tests. Each of them runs this test again up to the sweep.
  ///   - sourceLocation: The line of the test, for failures.
  ///   - client: Calls the client; what it returns is shown in the table.
  /// - Throws: When the client fails with default responses, or calls no operation.
  public func sweep<Value>(
    _ operations: String..., within limit: Duration = .seconds(5), seed: String = "0",
    inChildProcesses: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    client: @escaping @Sendable () async throws -> Value
  ) async throws -> Sweep {
    let driver = SweepDriver(session: session, client: SweptClient(limit: limit, run: client), seed: seed)
    return try await driver.run(operations, inChildProcesses: inChildProcesses, at: sourceLocation)
  }

  // MARK: - Questioning

  /// The requests so far, in the order of their arrival.
  public var calls: [Call] { session.journal.calls }

  /// The requests of one operation so far.
  public func calls(_ operation: String, sourceLocation: SourceLocation = #_sourceLocation) -> [Call] {
    session.operation(operation, at: sourceLocation) == nil ? [] : calls.filter { $0.operation == operation }
  }

  /// The next request of an operation: each is returned once, those that have arrived first.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation.
  ///   - limit: How long to wait.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: When none arrives; the failure lists those that did.
  @discardableResult
  public func next(
    _ operation: String, within limit: Duration = .seconds(2), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Call {
    guard session.operation(operation, at: sourceLocation) != nil else { throw UnderstudyError.reported }
    if let call = await session.journal.next(operation, within: limit) { return call }
    let journal = session.journal
    let message =
      journal.isClosed
      ? "the mock has stopped with its test, before a request to `\(operation)` arrived; \(journal.overview)\n"
        + "  help: await the task that waits for it"
      : "no request to `\(operation)` arrived within \(limit); \(journal.overview)"
    throw session.issues.failure(message, at: sourceLocation, attachments: session.lastExchanges)
  }

  /// Requires the number of requests to an operation so far.
  public func expect(_ operation: String, times: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(operation, "\(times.counted("request"))", at: sourceLocation) { $0 == times }
  }

  /// Requires some requests to an operation so far.
  public func expect(_ operation: String, atLeast times: Int, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    try expect(operation, "at least \(times.counted("request"))", at: sourceLocation) { $0 >= times }
  }

  /// Limits the number of requests to an operation so far.
  public func expect(_ operation: String, atMost times: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(operation, "at most \(times.counted("request"))", at: sourceLocation) { $0 <= times }
  }

  /// What the client did so far.
  public var result: Result { Result(session) }

  private func expect(
    _ operation: String, _ expected: String, at location: SourceLocation, _ isMet: (Int) -> Bool
  ) throws {
    guard session.operation(operation, at: location) != nil else { throw UnderstudyError.reported }
    let count = calls.count { $0.operation == operation }
    guard !isMet(count) else { return }
    let message = "expected \(expected) to `\(operation)`, found \(count); \(session.journal.overview)"
    throw session.issues.failure(message, at: location, attachments: session.lastExchanges)
  }
}
