package import UnderstudyJSON
package import UnderstudySchema
package import UnderstudyText

/// The sockets of a lane, as a value.
package struct SocketState: Codable, Sendable, Hashable {
  /// The sockets that are connected, in the order in which they did so.
  package internal(set) var sockets = SocketMembers()
  var timers: [Timer] = []
  /// The outputs for the server, in order.
  package private(set) var outputs: [SocketOutput] = []
  /// The outputs that wait for the response of an operation, by their number.
  private var held: [Int: [SocketOutput]] = [:]
  private var lastHold = 0
  /// The numbers of those whose responses are being sent, in order.
  private var underWay: [Int] = []
  /// The numbers of held outputs whose responses this process is about to send; outputs with higher numbers wait.
  private var awaited: Set<Int> = []
  /// The numbers of held outputs whose responses were sent while an earlier response was awaited.
  private var sent: Set<Int> = []
  /// The number of times that rules with a limit applied, by their names.
  var applied: [String: Int] = [:]
  /// The faults that were chosen from outside, and those of the scenario.
  package var faults: [SocketFault] = []
  package internal(set) var scenarioFaults: [SocketFault] = []
  /// The events that wait for the next one of their socket, which comes first.
  package internal(set) var reordered: [SocketOutput] = []
  /// When this process looks at the timers next; no part of what is kept elsewhere.
  package var wakeAt: ContinuousClock.Instant?
  /// The events of clients, for tests; no part of what is kept elsewhere.
  package private(set) var clientEvents = ClientEventLog()
  /// Whether the lane is closed, so that further sockets of this process close at once.
  package var isClosed = false

  /// The values that sockets have begun to remember, for the server to hide secrets among them.
  private var remembered: [RememberedValue] = []
  /// The findings of checks, for the server to report.
  private var findings: [Diagnostic] = []

  private enum CodingKeys: CodingKey {
    case sockets, timers, outputs, held, lastHold, underWay, applied, faults, scenarioFaults, reordered
  }

  package init() {}

  /// Begins anew for the clients that stay connected: rules count from zero, and nothing waits.
  package mutating func restart(ofScenario scenarioFaults: [SocketFault]) {
    (timers, outputs, held, underWay, applied, reordered) = ([], [], [:], [], [:], [])
    (awaited, sent) = ([], [])
    self.scenarioFaults = scenarioFaults
  }

  /// A socket in a namespace.
  package struct Member: Codable, Sendable, Hashable {
    /// The number of the connection, which its namespaces share.
    package var id: Int
    package var description: Int
    package var namespace: String
    package internal(set) var values: [String: JSONValue] = [:]
    /// Its credentials and the request that it connected with: `{"auth":…,"request":…}`.
    var connection: JSONValue
  }

  package struct RememberedValue: Sendable, Hashable {
    /// The number of the connection.
    package let socket: Int
    package let name: String
    package let value: JSONValue
  }

  /// The rest of the actions of a rule.
  struct Timer: Codable, Sendable, Hashable {
    /// Microseconds since 1970, by the clock of the lane.
    var due: Int
    var rule: String
    var step: Int
    var member: Int?
    var namespace: String
    var environment: JSONValue
    var attachments: [[UInt8]]
    var acknowledgement: Int?
    /// In place of a rule.
    var output: SocketOutput?
  }

  package var isIdle: Bool { sockets.isEmpty && timers.isEmpty && outputs.isEmpty }

  /// When the next timer is due, in microseconds since 1970.
  package var nextDue: Int? { timers.lazy.map(\.due).min() }

  package var delayedCount: Int { timers.count { $0.output != nil } }

  mutating func put(_ output: SocketOutput) { outputs.append(output) }

  /// Holds back the outputs from an index on, with an earlier number's if there is one; returns their number, if any.
  mutating func hold(from count: Int, in number: Int?) -> Int? {
    guard outputs.count > count else { return number }
    if number == nil { lastHold += 1 }
    let number = number ?? lastHold
    held[number, default: []] += outputs[count...]
    outputs.removeLast(outputs.count - count)
    return number
  }

  /// Notes that the response that outputs wait for is sent without a delay. Clients get events in the order in which the
  /// lane has made them, so what is held for later responses waits for this one.
  package mutating func awaitResponse(_ number: Int) { awaited.insert(number) }

  /// Notes that the response of these outputs is being sent; they must precede the next event that its client causes.
  package mutating func beginResponse(_ number: Int) {
    awaited.remove(number)
    underWay.append(number)
  }

  /// Releases what was held back, after what earlier responses held back; later, if an earlier response is awaited.
  package mutating func release(_ number: Int) {
    awaited.remove(number)
    sent.insert(number)
    let last = sent.max() ?? number
    releaseInOrder { $0 <= last }
  }

  /// Releases what waits for responses that are being sent, before an event.
  package mutating func releaseResponses(before event: SocketEvent) {
    if underWay.isEmpty, sent.isEmpty { return }
    if event.followsResponses, let last = (underWay + sent).max() {
      sent.formUnion(awaited.filter { $0 < last })
      awaited = awaited.filter { $0 > last }
    }
    releaseInOrder { _ in true }
  }

  /// Releases the outputs of responses that are sent or being sent, up to the first awaited response.
  private mutating func releaseInOrder(where isWanted: (Int) -> Bool) {
    let first = awaited.min() ?? .max
    let ready = sent.union(underWay).filter { $0 < first && isWanted($0) }
    for number in ready.sorted() { outputs += held.removeValue(forKey: number) ?? [] }
    underWay.removeAll(where: ready.contains)
    sent.subtract(ready)
  }

  /// A value nested too deeply is not remembered: a rule may wrap what it remembered before.
  mutating func remember(_ value: JSONValue, as name: String, by member: Member) {
    guard member.values[name] != value, !value.isNested(deeperThan: Self.rememberedDepth) else { return }
    sockets.remember(value, as: name, member.id, member.namespace)
    if remembered.count < Self.rememberedLimit {
      remembered.append(RememberedValue(socket: member.id, name: name, value: value))
    }
  }

  private static let rememberedDepth = 1_000
  /// The maximum number of remembered values that wait for the server.
  private static let rememberedLimit = 1_000

  package mutating func takeRemembered() -> [RememberedValue] {
    defer { remembered = [] }
    return remembered
  }

  /// Notes what a client did.
  ///
  /// - Parameter findings: The violations of the event.
  package mutating func note(_ event: SocketEvent, _ findings: [Diagnostic]) {
    clientEvents.note(event, findings) { [sockets] id, namespace in sockets[id, namespace]?.description }
  }

  /// Notes a finding of a check for the server.
  package mutating func report(_ finding: Diagnostic) { findings.append(finding) }

  package var hasFindings: Bool { !findings.isEmpty }

  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// Takes the parts that belong to this process from another state of the lane.
  package mutating func takeLocalParts(of other: SocketState) {
    (wakeAt, clientEvents, isClosed) = (other.wakeAt, other.clientEvents, other.isClosed)
    (awaited, sent, remembered, findings) = (other.awaited, other.sent, other.remembered, other.findings)
  }

  /// Drops the outputs and responses of a process that has ended, whose sockets are disconnected.
  package mutating func forgetProcess() { (outputs, held, underWay, reordered) = ([], [:], [], []) }

  var outputCount: Int { outputs.count }

  package mutating func takeOutputs() -> [SocketOutput] {
    defer { outputs = [] }
    return outputs
  }

  /// Takes the outputs of the sockets of one process; others stay until their process takes them.
  package mutating func takeOutputs(of ids: Range<Int>) -> [SocketOutput] {
    guard hasOutputs(outside: ids) else { return takeOutputs() }
    let own = outputs.filter { ids.contains($0.socket) }
    outputs.removeAll { ids.contains($0.socket) }
    return own
  }

  package func hasOutputs(outside ids: Range<Int>) -> Bool { outputs.contains { !ids.contains($0.socket) } }

  /// Drops what waits for the sockets of a process that has ended.
  package mutating func forgetOutputs(of ids: Range<Int>) {
    outputs.removeAll { ids.contains($0.socket) }
    for number in held.keys { held[number]?.removeAll { ids.contains($0.socket) } }
    reordered.removeAll { ids.contains($0.socket) }
  }
}

package struct SocketOutput: Codable, Sendable, Hashable {
  package enum Action: Codable, Sendable, Hashable {
    case accept
    case refuse(message: String, data: JSONValue?)
    /// The arguments are an array.
    case emit(String, JSONValue, attachments: [[UInt8]])
    case acknowledge(Int, JSONValue, attachments: [[UInt8]])
    case disconnect
    case close(WebSocketCloseCode, String)
    case drop
    case cut(String, JSONValue)
    /// A message that ends within the event.
    case malformed(String, JSONValue)
    /// Sends nothing: the event waits for the next event of its socket.
    case hold(String, JSONValue)
  }

  package var socket: Int
  package var namespace: String
  package var action: Action

  package init(_ socket: Int, _ namespace: String, _ action: Action) {
    (self.socket, self.namespace, self.action) = (socket, namespace, action)
  }
}

package enum SocketEvent: Sendable {
  /// A client wants to connect, with its credentials and what is known of its request: `{"query":…,"header":…}`.
  case connecting(Int, description: Int, namespace: String, auth: JSON?, request: JSON)
  case event(Int, namespace: String, name: String, SocketArguments, id: Int?)
  case disconnected(Int, namespace: String)
  /// An operation has a response, which is sent after a delay; the environment has `request` and `response`.
  case answered(operation: String, status: Int, delay: Duration = .zero, environment: JSON)
  /// Actions from outside, for all sockets unless they name some.
  case command(SocketRule)
  case time

  /// Whether a client that has a response may have caused it, so that the events of the response precede it.
  var followsResponses: Bool {
    switch self {
    case .connecting, .event, .disconnected, .command: true
    case .answered, .time: false
    }
  }

  package var socket: Int? {
    switch self {
    case .connecting(let id, _, _, _, _), .event(let id, _, _, _, _), .disconnected(let id, _): id
    case .answered, .command, .time: nil
    }
  }
}
