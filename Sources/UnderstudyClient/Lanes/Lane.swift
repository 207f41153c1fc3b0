public import Foundation

/// A mock of its own within a mock, with all that a test needs to direct and to question it.
///
/// In Swift Testing the trait `.lane(...)` opens one for each test case and checks it at the end. In XCTest `openLane` does
/// the same, and elsewhere `Lane.open` and `close`.
public final class Lane: Sendable {
  /// The lane of the test that runs; `nil` outside of one with the trait, and in detached tasks.
  public static var current: Lane? { scoped }

  @TaskLocal static var scoped: Lane?

  /// Unique to the test: `slp-1f3a9c`.
  public let name: String
  /// `http://127.0.0.1:4010/~slp-1f3a9c`, without the paths of the contract's `servers`.
  public let baseURL: URL
  /// The mock that has the lane.
  public let mock: RunningMock
  let settings: LaneSettings
  let issues: IssueLog
  let notes = Guarded(LaneNotes())
  /// The number of the last event of each name that a test has been given.
  package let returnedEvents = Guarded<[String: Int]>([:])

  init(_ answer: JSONValue, _ settings: LaneSettings, on mock: RunningMock, issues: IssueLog) throws {
    guard let name = answer["name"]?.string, let address = answer["url"]?.string, let url = URL(string: address) else {
      throw MockProblem(mock).isAnotherServer("it opened a lane without a name and an address")
    }
    self.name = name
    baseURL = url
    self.mock = mock
    self.settings = settings
    self.issues = issues
  }

  /// A lane that another process has opened.
  package init(_ name: String, at baseURL: URL, on mock: RunningMock) {
    (self.name, self.baseURL, self.mock) = (name, baseURL, mock)
    settings = LaneSettings(label: name)
    issues = IssueLog(.thrown)
  }

  // MARK: - Without the trait

  /// Opens a lane for a test that has no trait; `close` checks it.
  ///
  /// - Parameters:
  ///   - label: The beginning of the lane's name: of letters, digits, `-`, `_` and `.`.
  ///   - name: The whole name, for an address that is known before; no other open lane can have it.
  ///   - scenario: The name of a scenario of the fixtures.
  ///   - force: What operations answer with from the beginning: `["readUser": 406]`.
  ///   - checks: As for `expect(checks:)`.
  ///   - limit: A request that waits longer for its answer is ended, and fails the test.
  ///   - hasOwnPort: Whether the lane has an address without a path, for clients that take only a host and a port.
  ///   - mock: The mock that runs.
  /// - Throws: `UnderstudyError` when no mock answers, or it refuses the lane.
  public static func open(
    _ label: String = "test", name: String? = nil, scenario: String? = nil, force: [String: ForcedCell] = [:],
    checks: [Check] = [],
    limit: Duration? = nil, hasOwnPort: Bool = false, on mock: RunningMock = .current
  ) async throws -> Lane {
    let settings = LaneSettings(
      label: label, name: name, scenario: scenario, force: force, checks: checks, limit: limit, hasOwnPort: hasOwnPort)
    return try await open(settings, on: mock, issues: IssueLog(.thrown))
  }

  static func open(_ settings: LaneSettings, on mock: RunningMock, issues: IssueLog) async throws -> Lane {
    if settings.limit != nil { try await MockHandshake.require("limit", of: mock, for: "limit:") }
    if settings.hasOwnPort { try await MockHandshake.require("port", of: mock, for: "hasOwnPort: true") }
    // The handshake also refuses a mock of another version.
    _ = try await MockHandshake.of(mock)
    do {
      let answer = try await AdminClient(mock: mock).send("POST", "lanes", body: .object(settings.opening()))
      return try Lane(answer, settings, on: mock, issues: issues)
    } catch let refusal as AdminClient.Refusal {
      throw refusal.error
    }
  }

  /// Closes the lane and checks the test, like the end of a test with the trait.
  ///
  /// - Parameter checks: Whether findings and replies that no request has met are an error.
  /// - Returns: What the client did.
  /// - Throws: `UnderstudyError` with every failure.
  @discardableResult
  public func close(checking checks: Bool = true) async throws -> Verdict {
    let end = try await LaneEnd.of(self, checking: checks)
    guard end.failures.isEmpty || !checks else {
      throw UnderstudyError(.failed, end.failures.map(\.text).joined(separator: "\n\n"))
    }
    return end.verdict
  }

  // MARK: - Directing

  /// Answers the requests of an operation with these replies in turn; the last one stays.
  ///
  /// A later call for the same operation takes precedence. A reply that no request has met fails the test at this line.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation, or its method and path: `GET /chat/{uid}`.
  ///   - predicate: The requests that are meant; all of them without it.
  ///   - replies: `401`, `"200.empty"`, `.hang`, `.fixture("200.empty").delayed(.seconds(3))`, ...
  ///   - times: The number of requests after which the mock answers by itself again.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Returns: What the mock makes of it.
  @discardableResult
  public func reply(
    to operation: String, when predicate: RequestPredicate? = nil, _ replies: ScriptedReply..., times: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> LaneReplyState {
    guard !replies.isEmpty else {
      throw issues.failure(.misused, "no reply is given for `\(operation)`", at: sourceLocation)
    }
    var reply = LaneReply(operation, predicate, replies, times, sourceLocation)
    let body = reply.body
    let state = try await ask("reply(to: \"\(operation)\")", at: sourceLocation, needing: "replies") { lane, admin in
      LaneReplyState(try await admin.send("POST", "\(lane.path)/replies", body: body))
    }
    reply.number = state.number
    notes.withLock { [reply] in $0.replies.append(reply) }
    return state
  }

  /// The replies of the lane, in the order in which they were chosen.
  public func replies(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [LaneReplyState] {
    try await ask("replies()", at: sourceLocation, needing: "replies") { lane, admin in
      (try await admin.send("GET", "\(lane.path)/replies")["replies"]?.array ?? []).map(LaneReplyState.init)
    }
  }

  /// Accepts findings of these rules in this test: `allow("req.param.missing")`.
  ///
  /// `test.reply-unused` are replies that no request has met, `test.request-pending` requests that wait for their answer
  /// when the test ends.
  public func allow(_ rules: String...) { allow(rules) }

  func allow(_ rules: [String]) { notes.withLock { $0.allowed.formUnion(rules) } }
}
