import UnderstudyMock
import UnderstudySystem

/// The runs of sweeps: lanes that begin as another lane began, perhaps with a variant.
final class LaneRuns: Sendable {
  private let runs = Lock<[LaneName: LaneRun]>([:])

  /// The number of runs at which the runs of closed lanes are removed; a lane that is closed as idle leaves its run.
  private static let compactionCount = 256

  func run(of name: LaneName) -> LaneRun? { runs.withLock { $0[name] } }

  /// - Parameter open: The names of the open lanes.
  func add(_ run: LaneRun, _ name: LaneName, open: () -> [LaneName]) {
    runs.withLock { runs in
      if runs.count >= Self.compactionCount {
        let open = Set(open())
        runs = runs.filter { open.contains($0.key) }
      }
      runs[name] = run
    }
  }

  /// Forgets a run, whose lane closes.
  func close(_ name: LaneName) -> LaneRun? { runs.withLock { $0.removeValue(forKey: name) } }
}

/// One run of a sweep.
struct LaneRun: Sendable {
  /// The state with which a run without a variant begins.
  let start: LaneState
  /// `nil` for a run with default responses.
  var variant: SweepVariant?
  /// The variants of the operations that the client called in this run; empty until they are requested.
  var plan: [SweepVariant] = []

  /// The next requests after the variant, and what all requests of the run break.
  ///
  /// - Parameter requests: The number of requests of the lane.
  func report(of name: LaneName, _ requests: Int, _ admin: AdminRequest) async -> Redacted<JSON> {
    let activity = await Self.activity(of: name, requests, in: admin.host.journal)
    let entries = activity.requests.map { JournalEntry(number: 0, $0) }
    var printer = admin.host.printer()
    return printer.summaries(entries, withFindings: true).map { report(activity, $0) }
  }

  private func report(_ activity: LaneActivity, _ shown: [JSON]) -> JSON {
    var names: [String] = []
    var violations: [JSON] = []
    for (exchange, shown) in zip(activity.requests, shown) {
      let target = exchange.lanelessTarget(shown["target"]?.text ?? "").prefix { $0 != "?" }
      let name = exchange.reply.operation?.id ?? "\(exchange.method) \(target)"
      names.append(name)
      guard !target.utf8.elementsEqual(SweepPlan.redirectTarget.utf8) else { continue }
      for finding in shown["findings"].map({ Array($0.elements) }) ?? []
      where finding["severity"]?.text == "error" && finding["owner"]?.text == "client" {
        let (rule, message) = (finding["rule"]?.text ?? "", finding["message"]?.text ?? "")
        let violation = JSON.object(
          ("rule", .string(rule)), ("message", .string("\(name): \(message) [\(rule)]")))
        if !violations.contains(violation) { violations.append(violation) }
      }
    }
    if let event = variant?.event, let position = activity.position(of: event) {
      names.insert(variant?.operation ?? "", at: min(position, names.count))
    }
    let sequel = SweepSequel(of: variant?.operation ?? "", in: names)
    return .object(
      ("wasSent", JSON(booleanLiteral: sequel.wasMet)), ("next", .array(sequel.names.map { .string($0) })),
      ("requestsAfter", .integer(sequel.count)), ("violations", .array(violations)),
      ("cells", .array(activity.requests.compactMap(Self.cell))))
  }

  /// The cell that a client got, for the coverage of a sweep; `nil` where a fault left it without a response.
  private static func cell(of exchange: ServedRequest) -> JSON? {
    let reply = exchange.reply
    guard let operation = reply.operation, reply.fault?.isComplete != false else { return nil }
    return .object(
      ("operation", .string(operation.id)), ("status", .integer(reply.status)),
      ("requestType", exchange.request?.headerFields[.contentType].map { .string($0) }),
      ("responseType", reply.response.headerFields[.contentType].map { .string($0) }))
  }

  /// The activity of a client, once the journal has its requests: exchanges are appended after their responses.
  static func activity(of name: LaneName, _ requests: Int, in journal: Journal) async -> LaneActivity {
    var activity = LaneActivity(of: name, in: journal)
    for attempt in 0..<8 where activity.count < requests {
      guard (try? await Task.sleep(for: .milliseconds(1 << attempt))) != nil else { break }
      activity = LaneActivity(of: name, in: journal)
    }
    return activity
  }
}

extension ServedRequest {
  /// The target in its lane.
  fileprivate func lanelessTarget(_ target: String) -> String {
    reply.lane != nil && target.hasPrefix("/~") ? LaneTarget(target).path : target
  }
}
