import UnderstudyMock
import UnderstudySockets

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Understudy {
  /// The URL for clients of Socket.IO, whose path they take out themselves.
  ///
  /// A contract without `x-understudy-events`, and no `sockets` in a scenario, fails the test at this line.
  public func socketIO(sourceLocation: SourceLocation = #_sourceLocation) -> URL {
    if descriptions.allSatisfy({ $0.kind != .socketio }) {
      session.issues.report(
        "neither the contract nor a scenario declares sockets\n  help: add `x-understudy-events` to the contract",
        at: sourceLocation)
    }
    return baseURL
  }

  /// The events of all sockets so far, in their order: `connect` and `disconnect` are among them.
  public var events: [ClientEvent] { session.events.elements }

  /// The next event of a name: each is returned once, those that have arrived first. When it returns, the mock has acted on
  /// the event: what its rules remember is known.
  ///
  /// - Parameters:
  ///   - event: The name; `connect` and `disconnect` for clients that come and go.
  ///   - limit: How long to wait.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: When none arrives; the failure lists those that did.
  @discardableResult
  public func next(
    event: String, within limit: Duration = .seconds(2), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ClientEvent {
    let declared = descriptions.flatMap(\.events)
    let known = declared.filter(\.isFromClient).map(\.name) + ["connect", "disconnect"]
    if !declared.isEmpty, !known.contains(event) {
      let help = Suggestion.help(for: event, among: known)
      throw session.issues.failure(
        "no event `\(event)` is declared `from: client`\n  help: \(help)", at: sourceLocation)
    }
    if let found = await session.events.next(event, within: limit) { return found }
    throw session.issues.failure(
      "no event `\(event)` arrived within \(limit); \(session.events.overview)", at: sourceLocation,
      attachments: session.lastExchanges)
  }

  /// Sends an event to sockets, also one that breaks the contract.
  ///
  /// Where no socket is meant, the test fails at this line.
  ///
  /// - Parameters:
  ///   - event: The name.
  ///   - arguments: `.fixture("chat.withoutId")`, `.values(["to": "u2"])`.
  ///   - recipients: `"u2"` for the sockets that remember this value, `["uid": "u2"]`; all without it.
  ///   - sourceLocation: The line of the test, for failures.
  public func emit(
    _ event: String, _ arguments: EventArguments = .none, to recipients: EventRecipients = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let files = session.mock.contracts.flatMap(\.sockets.fixtures).map(\.name)
    if let name = arguments.fixture, !files.contains(name) {
      let known = files.isEmpty ? "the folder has none" : "it has \(files.joined(separator: ", "))"
      return session.issues.report(
        "no file of `_events` has the name `\(name)`\n  help: \(Suggestion.phrase(for: name, among: files) ?? known)",
        at: sourceLocation)
    }
    act(.emit(event, arguments.payload, to: recipients.rule), "emit(\"\(event)\")", recipients, at: sourceLocation)
  }

  /// Ends the connections of sockets without a close frame, as a lost network does.
  public func drop(_ recipients: EventRecipients = .all, sourceLocation: SourceLocation = #_sourceLocation) {
    act(.drop(to: recipients.rule), "drop()", recipients, at: sourceLocation)
  }

  /// Ends the namespace of sockets: a client of Socket.IO does not connect again by itself.
  public func disconnect(_ recipients: EventRecipients = .all, sourceLocation: SourceLocation = #_sourceLocation) {
    act(.disconnect(to: recipients.rule), "disconnect()", recipients, at: sourceLocation)
  }

  private var descriptions: [SocketDescription] { session.mock.sockets?.descriptions ?? [] }

  private func act(
    _ action: SocketRule.Action, _ call: String, _ recipients: EventRecipients, at location: SourceLocation
  ) {
    guard isRunning(call, at: location) else { return }
    var rule = SocketRule(.connect, at: .null)
    rule.actions = [action]
    guard session.hub.apply(.command(rule), by: session.mock, in: session.lane) == 0 else { return }
    session.issues.report(
      "`\(call)` reached no socket: \(recipients.description); \(session.events.overview)\n"
        + "  help: await the event that it answers, as by `next(event:)`",
      at: location)
  }
}
