import Synchronization
import Understudy

/// What the server of a test shares with the test.
final class Session: Sendable {
  let mock: Mock
  let issues: IssueLog
  let script = ReplyScript()
  let journal = Journal()
  private let allowed = Mutex<Set<String>>([])
  /// The run of a sweep, whose requests are not those of the test.
  private let sweepRun = Mutex<SweepRun?>(nil)

  init(_ mock: Mock, issues: IssueLog) {
    self.mock = mock
    self.issues = issues
  }

  /// The answer to a request, which is entered into the journal before it is sent.
  func reply(to request: HTTPRequest, _ body: [UInt8]) -> Reply {
    if let run = sweepRun.withLock({ $0 }) {
      return run.reply(to: request, body, of: mock) { script.next($0.id, $1) }
    }
    var view: RequestView?
    let reply = mock.reply(to: request, body: body) { operation, request in
      view = request
      return script.next(operation.id, request)
    }
    if !reply.isAboutMock { journal.append(Call(request, body, view, reply)) }
    return reply
  }

  /// The operation of an id; reports an unknown one with suggestions.
  func operation(_ id: String, at location: SourceLocation) -> MockOperation? {
    if let known = mock.operations.first(where: { $0.id.utf8Equals(id) }) { return known }
    let ids = mock.operations.map(\.id)
    let help = Suggestion.phrase(for: id, among: ids) ?? "it has \(ids.joined(separator: ", "))"
    let contracts = mock.contracts.map { "`\($0.name)`" }.joined(separator: ", ")
    issues.report("\(contracts) has no operation `\(id)`\n  help: \(help)", at: location)
    return nil
  }

  /// Directs requests to a run of a sweep, until the next call.
  func begin(_ run: SweepRun?) { sweepRun.withLock { $0 = run } }

  func allow(_ rules: [String]) { allowed.withLock { $0.formUnion(rules) } }

  func isAllowed(_ rule: String) -> Bool { allowed.withLock { $0.contains(rule) } }
}
