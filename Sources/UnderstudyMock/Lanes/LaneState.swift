package import UnderstudySockets

/// All that a mock remembers of the requests of a lane, as a value.
///
/// The same state, request and time give the same reply and the same next state.
package struct LaneState: Codable, Sendable, Hashable {
  private var format = LaneStateFormat()
  package var scenario: String?
  /// In place of the mock's.
  package var seed: String?
  /// Whether samples, new for each request, replace fixtures and examples; `nil` as for the mock.
  package var isDynamic: Bool?
  package var clock = LaneClock()
  /// When it began, in microseconds since 1970: outages are counted from there.
  package var openedAt = 0
  /// The time of the last request by the clock of the lane, in microseconds since 1970.
  package internal(set) var latest = 0
  /// The answers that were chosen from outside; of several for an operation the last one counts.
  package var forced: [ForcedReply] = []
  /// The replies that were chosen from outside; of several for a request the latest counts, before `forced`.
  package internal(set) var replies: [LaneReply] = []
  package internal(set) var replyCount = 0
  /// The routes that were added to the lane.
  package internal(set) var routes = LaneAddedRoutes()
  /// How long a request may wait for its answer; `nil` without a limit.
  package var limit: Duration?
  /// Delays and faults that were chosen from outside.
  package var faults: [LaneFault] = []
  /// By `MockOperation.key`.
  package var positions: [String: ScenarioSequence.Position] = [:]
  /// By the keys of machines and the names of their instances.
  package var machines: [String: [String: MachineState]] = [:]
  /// The states in which instances of machines begin, by the keys of machines; `nil` where the scenario decides.
  var starts: [String: String]?
  /// The numbers of answers so far, by the labels of templates and of faults with conditions.
  package var turns: [String: Int] = [:]
  package internal(set) var requests = 0
  /// What the lane began with, for a reset; `nil` for a lane like the one without a name.
  package var origin: LaneOpening?
  /// Whether the lane is closed with a verdict, so that it has to see every request.
  package var isObserved = false
  package var checks: [ClientCheckSettings] = []
  package internal(set) var history = LaneHistory()
  /// The time before which exchanges may have been dropped.
  var historyStart = Int.min
  /// The last events of sockets, for the checks.
  package internal(set) var frames: [CheckedFrame] = []
  var frameCount = 0
  /// The numbers of the frames that are reported, by the rule.
  var reportedFrames: [String: Set<Int>] = [:]
  package internal(set) var findings: [LaneFinding] = []
  package var resources = ResourceState()
  package internal(set) var pushes = LanePushes()
  /// The sockets that are connected, and what waits for its time.
  package var sockets = SocketState()

  /// The format number of the states that this version encodes; earlier formats are decoded as well.
  package static var currentFormat: Int { LaneStateFormat.current }

  package init() {}

  var demand: LaneDemand {
    if !forced.isEmpty || !replies.isEmpty || isDynamic != nil { return .everything }
    if isObserved || !faults.isEmpty || !checks.isEmpty || limit != nil { return choosesAnswers ? .everything : .noted }
    return scenario == nil ? .templates : .scenario
  }

  /// Whether the state may choose the responses of operations that act on no collection.
  var choosesAnswers: Bool {
    scenario != nil || seed != nil || isDynamic != nil || !forced.isEmpty || !replies.isEmpty
  }

  package var seesEveryRequest: Bool { demand.isForAll }

  /// The time of the lane, not before its last request; `now` is the machine's clock, in microseconds since 1970.
  package func time(at now: Int) -> Int { max(latest, clock.time(at: now)) }

  /// The number of earlier answers of a template.
  mutating func nextTurn(of label: String) -> Int {
    let turn = turns[label] ?? 0
    turns[label] = turn &+ 1
    return turn
  }
}

/// The format number of an encoded `LaneState`; a decoded state has the current one. A member that a later format adds
/// is decoded as `format` is: an earlier format lacks it. `Tests/LaneStates` has a state of each.
struct LaneStateFormat: Sendable, Hashable {
  /// The format of this version. Format 1 adds the number to format 0, which has none.
  static let current = 1
}

extension LaneStateFormat: Codable {
  init(from decoder: any Decoder) throws {
    let number = try decoder.singleValueContainer().decode(Int.self)
    guard 0...Self.current ~= number else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "unknown format \(number) of a lane's state: expected at most \(Self.current)"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.current)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the format number, which format 0 lacks.
  func decode(_ type: LaneStateFormat.Type, forKey key: Key) throws -> LaneStateFormat {
    try decodeIfPresent(type, forKey: key) ?? LaneStateFormat()
  }
}
