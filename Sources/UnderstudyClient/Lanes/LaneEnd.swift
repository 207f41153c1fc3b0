import Foundation

/// The end of a test: its verdict, and what fails it.
struct LaneEnd: Sendable {
  let verdict: Verdict
  let failures: [Failure]

  /// Why a test fails.
  struct Failure: Sendable {
    var message: String
    /// The line that it is about; `nil` for the test as a whole.
    var line: SourceLocation?
    /// The exchanges that it is about.
    var exchanges: String?

    /// With its line, where nothing else shows it.
    var text: String { (line.map { "\($0.text): " } ?? "") + message }
  }

  static let unusedReply = "test.reply-unused"
  static let pendingRequest = "test.request-pending"
  static let unknownVerdict = "test.verdict-unknown"

  /// The time limit for clients that gave up to close their connections; a busy machine takes seconds.
  private static let leavingLimit = Duration.seconds(5)

  /// Closes a lane.
  ///
  /// - Parameter checks: Whether to look for requests that wait for their responses.
  /// - Throws: `UnderstudyError` when the mock is gone.
  static func of(_ lane: Lane, checking checks: Bool = true) async throws -> LaneEnd {
    // In a task of its own: a test that is cancelled closes its lane too.
    try await Task { try await close(lane, checking: checks) }.value
  }

  private static func close(_ lane: Lane, checking checks: Bool) async throws -> LaneEnd {
    guard !lane.notes.withLock(\.isClosed) else {
      throw UnderstudyError(
        .refused(status: 404), "the lane `\(lane.name)` is closed already",
        help: "leave this `close()` out: the trait and `openLane` close their lanes by themselves")
    }
    let admin = AdminClient(mock: lane.mock)
    do {
      let pending = checks ? try await pending(in: lane, admin) : []
      lane.notes.withLock { $0.isClosed = true }
      let verdict = Verdict(try await admin.send("DELETE", lane.path))
      var failures = failures(verdict, pending: pending, in: lane.notes.withLock { $0 })
      guard !failures.isEmpty else { return LaneEnd(verdict: verdict, failures: []) }
      let calls = (try? await lane.recorded(by: admin)) ?? []
      for index in failures.indices where failures[index].line != nil {
        failures[index].message += "\n  help: \(Lane.overview(of: calls))"
      }
      let texts = calls.suffix(exchangeLimit).map(\.exchangeText)
      for index in failures.indices where !texts.isEmpty {
        failures[index].exchanges = texts.joined(separator: "\n###\n\n")
      }
      return LaneEnd(verdict: verdict, failures: failures)
    } catch let refusal as AdminClient.Refusal {
      lane.notes.withLock { $0.isClosed = true }
      throw refusal.status == 404
        ? UnderstudyError(.refused(status: 404), Lane.hasVanished(lane.name, "close()")) : refusal.error
    }
  }

  /// The most exchanges that a failure shows.
  private static let exchangeLimit = 5

  private static func failures(_ verdict: Verdict, pending: [JSONValue], in notes: LaneNotes) -> [Failure] {
    var failures = verdict.findings.filter { $0.isError && !notes.allowed.contains($0.rule) }
      .map { Failure(message: $0.report) }
    failures += pending.map { request in
      let (method, operation) = (request["method"]?.string ?? "", request["operation"]?.string ?? "no operation")
      return Failure(
        message: "\(method) \(path(of: request)) (\(operation)): the test ended before the response, which is "
          + "\(request["late"]?.string ?? "late") [\(pendingRequest)]\n"
          + "  help: await the client, or cancel it, before the test ends")
    }
    // A test that allows it would pass without a proof.
    failures += verdict.unknownReasons.map { reason in
      Failure(message: "the verdict is unknown: \(reason) [\(unknownVerdict)]\n  help: run the test again")
    }
    guard !notes.allowed.contains(unusedReply) else { return failures }
    for unused in verdict.unusedReplies {
      let reply = notes.replies.first { $0.number == unused.number }
      guard reply?.isMet != true else { continue }
      failures.append(Failure(message: "\(unused.message) [\(unusedReply)]", line: reply?.line))
    }
    return failures
  }

  /// The path of a request without its lane and without the query.
  private static func path(of request: JSONValue) -> String {
    let path = (request["target"]?.string ?? "").components(separatedBy: "?")[0]
    guard path.hasPrefix("/~"), let end = path.dropFirst().firstIndex(of: "/") else { return path }
    return String(path[end...])
  }

  /// Waits for late responses until the time limit. Returns the requests that still wait, in the order of their arrival.
  ///
  /// A request with `hang` is left out: its response never comes, and its client has to give up.
  private static func pending(in lane: Lane, _ admin: AdminClient) async throws -> [JSONValue] {
    guard !lane.notes.withLock({ $0.allowed.contains(pendingRequest) }),
      try await MockHandshake.of(lane.mock).features.contains(Lane.arrivals)
    else { return [] }
    let end = ContinuousClock.now + leavingLimit
    var pause = Duration.milliseconds(2)
    let query = [(name: "lane", value: lane.name), ("open", "0"), ("limit", "1")]
    while true {
      let open = try await admin.send("GET", "requests", query: query)["open"]?.array ?? []
      let late = open.filter { $0["late"].map { $0 != "hang" } ?? false }
      if late.isEmpty || .now >= end { return late.reversed() }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(100))
    }
  }
}
