import Foundation

/// The end of a test: its verdict, and what fails it.
struct LaneEnd: Sendable {
  let verdict: Verdict
  let failures: [Failure]

  /// Why a test fails.
  struct Failure: Sendable {
    let message: String
    /// The line that it is about; `nil` for the test as a whole.
    var line: SourceLocation?
    /// The exchanges that it is about.
    var exchanges: String?

    /// With its line, where nothing else shows it.
    var text: String { (line.map { "\($0.text): " } ?? "") + message }
  }

  static let unusedReply = "test.reply-unused"
  static let pendingRequest = "test.request-pending"

  /// How long a client that has given up may need until its connection is closed.
  private static let leavingLimit = Duration.seconds(2)

  /// Closes a lane.
  ///
  /// - Throws: `UnderstudyError` when the mock is gone.
  static func of(_ lane: Lane) async throws -> LaneEnd {
    let admin = AdminClient(mock: lane.mock)
    do {
      let pending = try await pending(in: lane, admin)
      lane.notes.withLock { $0.isClosed = true }
      let verdict = Verdict(try await admin.send("DELETE", lane.path))
      var failures = failures(verdict, pending: pending, in: lane.notes.withLock { $0 })
      guard !failures.isEmpty else { return LaneEnd(verdict: verdict, failures: []) }
      let calls = (try? await lane.recorded(by: admin)) ?? []
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

  private static func failures(_ verdict: Verdict, pending: Int, in notes: LaneNotes) -> [Failure] {
    var failures = verdict.findings.filter { $0.isError && !notes.allowed.contains($0.rule) }
      .map { Failure(message: $0.report) }
    if pending > 0, !notes.allowed.contains(pendingRequest) {
      failures.append(
        Failure(
          message: "the test ended before the answer to \(pending == 1 ? "a request" : "\(pending) requests") "
            + "[\(pendingRequest)]\n  help: await the client, or cancel it, before the test ends"))
    }
    guard !notes.allowed.contains(unusedReply) else { return failures }
    var replies = notes.replies
    for unused in verdict.unusedReplies {
      // The verdict has them in the order of the replies.
      let index = replies.firstIndex { $0.operation == unused.operation }
      let line = index.map { replies.remove(at: $0).line }
      failures.append(
        Failure(
          message: "\(unused.message) [\(unusedReply)]\n  help: the client sent "
            + (verdict.requests == 0 ? "nothing" : "\(verdict.requests) requests"),
          line: line))
    }
    return failures
  }

  /// The number of requests that wait for their answer; those that are about to end are waited for.
  private static func pending(in lane: Lane, _ admin: AdminClient) async throws -> Int {
    let end = ContinuousClock.now + leavingLimit
    var pause = Duration.milliseconds(2)
    while true {
      let seen = try await lane.verdict(by: admin).requests
      let rest = seen - (try await lane.count(by: admin))
      guard rest > 0 else { return 0 }
      // A socket is a request once it is closed.
      let query = [(name: "lane", value: lane.name)]
      let sockets = try await admin.send("GET", "sockets", query: query)["sockets"]?.array?.count ?? 0
      guard rest > sockets else { return 0 }
      if .now >= end {
        // The journal has made room for newer requests.
        let dropped = try await admin.send("GET", "requests", query: query + [("limit", "1")])["meta"]?["dropped"]?.int
        return dropped == 0 ? rest - sockets : 0
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(100))
    }
  }
}
