import Foundation
import Testing
import UnderstudyClient

/// The mocks and lanes of one behaviour.
final class BehaviourRunner {
  private var lanes: [String: Lane] = [:]
  private let sessions = BehaviourStep.Sessions()
  private var running: [String: MockProcess] = [:]

  func end() async {
    for lane in lanes.values { _ = try? await lane.close(checking: false) }
    for mock in running.values { mock.stop() }
  }

  static func matches(_ expected: JSONValue, _ error: UnderstudyError) -> Bool {
    let kind: String =
      switch error.kind {
      case .unreachable: "unreachable"
      case .unsupported: "unsupported"
      case .refused: "refused"
      case .full: "full"
      case .silent: "silent"
      case .failed: "failed"
      case .misused: "misused"
      }
    if let status = expected["status"]?.int, error.kind != .refused(status: status) { return false }
    let parts = expected["contains"]?.array ?? []
    return expected["kind"]?.string == kind && parts.allSatisfy { error.description.contains($0.string ?? "") }
  }

  /// What is observed.
  func perform(_ action: String, _ value: JSONValue, _ step: Behaviour.Step) async throws -> JSONValue {
    let mockName = step.members["mock"]?.string
    let mock = mockName.flatMap { running[$0]?.mock } ?? .current
    let name = step.members["lane"]?.string ?? "a"
    switch action {
    case "start": return try await start(value, mockName ?? "second", step)
    case "stop":
      running[mockName ?? ""]?.stop()
      return .null
    case "connect":
      let target = try value["url"]?.string.map { RunningMock(baseURL: try #require(URL(string: $0))) } ?? mock
      return ["api": .int(try await target.apiVersion), "program": .string(try await target.programVersion)]
    case "version":
      return [
        "api": .int(try await mock.apiVersion), "program": .string(try await mock.programVersion),
        "features": .array(try await mock.features.map(JSONValue.string)),
      ]
    case "operations":
      let all = try await mock.operations
      let statuses = all.first { $0.id == value.string }?.statuses ?? []
      return ["ids": .array(all.map { .string($0.id) }), "statuses": .array(statuses.map(JSONValue.string))]
    case "lanes": return ["names": .array(try await mock.lanes.map(JSONValue.string))]
    case "open":
      let lane = try await open(value, on: mock)
      lanes[name] = lane
      return ["name": .string(lane.name), "url": .string(lane.baseURL.absoluteString)]
    default:
      let lane = try #require(lanes[name])
      return try await BehaviourStep(lane: lane, sessions: sessions).perform(action, value)
    }
  }

  private func start(_ value: JSONValue, _ name: String, _ step: Behaviour.Step) async throws -> JSONValue {
    guard value["port"] == nil, step.members["error"]?["kind"]?.string != "start" else {
      throw Unfit("this client starts no mock")
    }
    let contracts = (value["contracts"]?.array ?? []).compactMap(\.string)
    let started = try MockProcess(
      (value["arguments"]?.array ?? []).compactMap(\.string), contracts: contracts, fixtures: value["fixtures"]?.string)
    running[name] = started
    // A client connects to what it finds.
    _ = try await started.mock.features
    return .null
  }

  private static let settings: Set = [
    "name", "scenario", "force", "checks", "limit", "fault", "delay", "stopClock", "port",
  ]

  private func open(_ value: JSONValue, on mock: RunningMock) async throws -> Lane {
    if let unknown = value.members?.keys.first(where: { !Self.settings.contains($0) }) {
      throw Unfit("Swift's types exclude the setting `\(unknown)`")
    }
    let lane = try await Lane.open(
      name: value["name"]?.string, scenario: value["scenario"]?.string, force: BehaviourStep.cells(value["force"]),
      checks: BehaviourStep.checks(value["checks"]), limit: try value["limit"].map(BehaviourStep.interval), on: mock
    )
    let step = BehaviourStep(lane: lane, sessions: sessions)
    for action in ["fault", "delay"] { if let rules = value[action] { _ = try await step.perform(action, rules) } }
    if value["stopClock"] == true { try await lane.stopClock() }
    return lane
  }
}
