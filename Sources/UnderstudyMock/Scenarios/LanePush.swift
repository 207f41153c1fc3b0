package import UnderstudyJSON

package struct LanePush: Codable, Sendable, Hashable {
  /// The name of its file in `_push`.
  package let name: String
  /// The user that the message is for; `nil` for a scenario with one user.
  package let recipient: String?
  package let content: JSONValue
  /// The URL of its schema: `#/components/schemas/Push`.
  package let schema: String?
  /// The number of the request whose response led to the message; 0 for a message of a timer.
  package let request: Int
  /// The time by the clock of the lane, in microseconds since 1970.
  package let time: Int
}

/// The push messages of a lane, the oldest first.
package struct LanePushes: Codable, Sendable, Hashable {
  static let limit = 200

  package private(set) var messages: [LanePush] = []

  mutating func append(_ message: LanePush) {
    messages.append(message)
    if messages.count > Self.limit { messages.removeFirst() }
  }

  /// Appends the push messages of an instance's expired timers.
  mutating func append(dueOf instance: MachineState, _ owner: String, in machine: ScenarioMachine, at now: Int) {
    instance.pushes(of: owner, in: machine, until: now).forEach { append($0) }
  }

  func names(of request: Int) -> [String] { messages.filter { $0.request == request }.map(\.name) }

  init() {}

  package init(from decoder: any Decoder) throws {
    messages = try decoder.singleValueContainer().decode([LanePush].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(messages)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the push messages, which a state without any lacks.
  func decode(_ type: LanePushes.Type, forKey key: Key) throws -> LanePushes {
    try decodeIfPresent(type, forKey: key) ?? LanePushes()
  }
}

extension KeyedEncodingContainer {
  /// Encodes the push messages unless there are none, so that earlier versions read the state.
  mutating func encode(_ value: LanePushes, forKey key: Key) throws {
    try encodeIfPresent(value.messages.isEmpty ? nil : value, forKey: key)
  }
}

extension MachineState {
  /// The push messages of timers that expired after the state was stored; the `owner` of a shared machine is empty.
  func pushes(of owner: String, in machine: ScenarioMachine, until now: Int) -> [LanePush] {
    guard machine.states.contains(where: { $0.timer?.pushes.isEmpty == false }) else { return [] }
    var (instance, pushes) = (self, [LanePush]())
    instance.settle(in: machine, at: now) { timer, time in
      pushes += timer.pushes.map { message in
        LanePush(
          name: message.name, recipient: owner.isEmpty ? nil : owner, content: message.content, schema: message.schema,
          request: 0, time: time)
      }
    }
    return pushes
  }
}

extension Mock {
  /// The push messages that the scenario of a lane has sent so far, the oldest first.
  package func pushes(of state: LaneState) -> [LanePush] {
    guard let scenario = state.scenario.flatMap({ scenarios[$0] }) else { return state.pushes.messages }
    let due = scenario.duePushes(in: state, at: LaneTime.Moment(LaneTime(options.now), of: state).now)
    return due.isEmpty ? state.pushes.messages : (state.pushes.messages + due).sorted { $0.time < $1.time }
  }
}
