import UnderstudyMock
import UnderstudyReport
import UnderstudySockets
import UnderstudySystem

/// What the server of a test shares with the test.
final class Session: Sendable {
  let mock: Mock
  /// What the mock remembers of this test.
  let lane: Lane
  let issues: IssueLog
  let script = ReplyScript()
  let journal = Journal()
  let events: EventLog
  /// Brings the events of sockets to the lane.
  let hub: SocketHub
  let usesTLS: Bool
  let pending = PendingRequests()
  private let allowed: Lock<Set<String>>
  /// The checks that the test has switched on, to its end.
  private let expected = Lock<[ClientCheckSettings]>([])
  private let sweep = SweptSession()

  /// - Parameter rules: Those whose findings are accepted, about fixtures and references too.
  init(_ source: MockSource, allowing rules: [String], issues: IssueLog) throws(UnderstudyError) {
    self.issues = issues
    usesTLS = source.usesTLS
    allowed = Lock(Set(rules))
    mock = try source.mock(allowing: rules)
    lane = Lane(try source.newState(of: mock))
    let (events, sweep) = (EventLog(), sweep)
    hub = SocketHub(
      applied: { event, findings in
        guard sweep.run == nil, let sent = ClientEvent(event, findings) else { return }
        events.append(sent)
      }, delivered: { sweep.run?.note($0) }, reaction: { sweep.run?.note($0) })
    self.events = events
  }

  /// Serves the sockets of the mock; `nil` where nothing declares any.
  var sockets: SocketService? {
    mock.sockets == nil
      ? nil
      : SocketService(mock, hub) {
        (nil, $0)
      } open: { [lane] _, _ in
        lane
      }
  }

  /// Starts a scenario from its beginning; reports an unknown one with suggestions.
  ///
  /// The clock, the checks of the test and the requests so far stay.
  func play(_ scenario: String, at location: SourceLocation) {
    do throws(UnderstudyError) {
      try MockSource.report(MockScenario.problems(of: scenario, mock.contracts))
      change { opening in
        opening.scenario = scenario
        opening.checks = expected.withLock { $0 }
      }
    } catch {
      issues.report(error.description, at: location)
    }
  }

  /// Switches client checks on; reports unknown ones with suggestions.
  func check(_ arguments: [String], at location: SourceLocation) {
    for argument in arguments {
      do throws(UsageProblem) {
        let settings = try ClientCheckSettings(argument: argument)
        let ids = mock.operations.map(\.id)
        if let unknown = settings.named.first(where: { !ids.contains($0) }) {
          _ = operation(unknown, at: location)
        } else {
          expected.withLock { $0.append(settings) }
          change { $0.checks = [settings] }
        }
      } catch {
        issues.report("\(error.message)\n  help: \(error.help)", at: location)
      }
    }
  }

  /// Moves the clock of scenarios, templates and checks.
  func advance(by duration: Duration) { change { $0.advance = duration } }

  func stopClock() { change { $0.stopsClock = true } }

  private func change(_ fill: (inout LaneOpening) -> Void) {
    var opening = LaneOpening()
    fill(&opening)
    lane.change(.add(opening), by: mock)
  }

  /// What states of the scenario ask for, and the client has not done.
  var missingRequests: [Diagnostic] {
    let state = lane.value
    return mock.missingRequests(of: state, at: state.time(at: mock.options.now())).map(\.finding)
  }

  /// What the client has broken in several events of sockets.
  var socketFindings: [Diagnostic] {
    mock.verdict(of: lane.value, isClosing: true).findings.filter(\.isAboutSockets).map(\.diagnostic)
  }

  /// What the client sent last, for a failure that is about none of its requests; nothing where it sent none.
  var lastExchanges: [(name: String, text: String)] { ExchangeText(mock.contracts).last(of: journal.calls) }

  /// The answer to a request, which is entered into the journal before it is sent.
  func reply(to request: HTTPRequest, _ body: [UInt8], within budget: WorkBudget) -> Reply? {
    if let run = sweep.run {
      return run.reply(to: request, body, of: mock, in: lane, within: budget) { script.next($0.id, $1) }
    }
    var view: RequestView?
    let answer = mock.reply(to: request, body: body, in: lane, within: budget) { operation, request in
      view = request
      return script.next(operation.id, request)
    }
    guard var reply = answer, !reply.isAboutMock else { return answer }
    let call = Call(request, body, view, reply)
    // Before the journal has it, so that a test that ends now knows that it is late.
    reply.entry = PendingRequests.Reason(reply).map { pending.begin(call, $0) }
    let position = journal.append(call)
    if let number = reply.entry { pending.note(number, at: position) }
    return reply
  }

  /// Brings what the end of an exchange has changed to the journal.
  func end(_ reply: Reply) {
    guard let number = reply.entry else { return }
    if let position = pending.position(of: number) { journal.update(position, with: reply) }
    pending.end(number)
  }

  /// Another number for a test that goes on: it counts requests.
  var progress: Int { journal.calls.count }

  /// Whether a sweep runs.
  var isSweeping: Bool { sweep.run != nil }

  /// The requests whose clients wait.
  var waiting: [Call] { pending.calls(.late) + pending.calls(.hung) }

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
  func begin(_ run: SweepRun?) { sweep.begin(run, in: lane) }

  /// Accepts findings of rules; reports those that do not exist with suggestions.
  func allow(_ rules: [String], at location: SourceLocation) {
    for problem in rules.compactMap({ AllowableRules.problem(of: $0) }) { issues.report(problem, at: location) }
    allowed.withLock { $0.formUnion(rules) }
  }

  func isAllowed(_ rule: String) -> Bool { allowed.withLock { $0.contains(rule) } }
}

/// The run of a sweep, whose requests and sockets are not those of the test.
private final class SweptSession: Sendable {
  private struct State {
    var run: SweepRun?
    /// The faults of sockets that the test has chosen.
    var faults: [SocketFault] = []
  }

  private let state = Lock(State())

  var run: SweepRun? { state.withLock(\.run) }

  /// Begins a run, or ends the last one, with the faults of its variant.
  func begin(_ run: SweepRun?, in lane: Lane) {
    let before = self.run
    lane.update { lane in
      let faults = state.withLock { state in
        if before == nil { state.faults = lane.sockets.faults }
        state.run = run
        return state.faults
      }
      if let run { run.prepare(&lane, besides: faults) } else if before != nil { lane.sockets.faults = faults }
    }
  }
}
