/// All that a mock remembers of the requests of a lane, as a value.
///
/// The same state, request and time give the same reply and the same next state.
public struct LaneState: Codable, Sendable, Hashable {
  /// The name of the scenario in play.
  package var scenario: String?
  /// In place of the mock's.
  package var seed: String?
  /// How far the clock of the lane is ahead, in microseconds.
  package var clockOffset = 0
  /// When it began, in microseconds since 1970: outages are counted from there.
  package var openedAt = 0
  /// The answers that were chosen from outside; of several for an operation the last one counts.
  package var forced: [ForcedReply] = []
  /// By `MockOperation.key`.
  package var positions: [String: ScenarioSequence.Position] = [:]
  /// The numbers of answers so far, by the labels of templates and of faults with conditions.
  package var turns: [String: Int] = [:]
  /// The values that a scenario has captured, by their names.
  package var variables: [String: String] = [:]
  /// The stored resources, by the names of their collections.
  package var collections: [String: LaneCollection] = [:]

  /// The state of a lane that no request has reached.
  public init() {}

  /// Which requests have to see this state.
  var demand: LaneDemand {
    if !forced.isEmpty { return .everything }
    return scenario == nil ? .templates : .scenario
  }

  /// The number of earlier answers of a template.
  mutating func nextTurn(of label: String) -> Int {
    let turn = turns[label] ?? 0
    turns[label] = turn &+ 1
    return turn
  }
}

/// The requests that have to see the state of a lane; the others cost nothing for it.
package enum LaneDemand: UInt8, Sendable {
  /// Those of operations whose answers depend on earlier ones by themselves.
  case templates
  /// Also those of operations that a scenario names.
  case scenario
  case everything
}

/// The stored resources of one collection.
package struct LaneCollection: Codable, Sendable, Hashable {
  /// In the order of their creation, as JSON texts.
  package var items: [Item] = []
  /// The number of resources that were ever created.
  package var created = 0

  package struct Item: Codable, Sendable, Hashable {
    package var id: String
    package var json: String

    package init(id: String, json: String) {
      self.id = id
      self.json = json
    }
  }

  package init() {}
}
