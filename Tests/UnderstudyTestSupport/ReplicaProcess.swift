package import HTTPTypes
package import UnderstudyMock

/// One replica of a mock in the process of a test.
package final class ReplicaProcess: Sendable {
  package let mock: Mock
  package let database: FakeReplicaDatabase
  package let lanes: DurableLanes

  /// The mock of the contract of notes.
  package static func mock(_ contract: String = NotesContract.text) throws -> Mock {
    try ContractFixture(contract, fixtures: [:]).mock { $0.isStateful = true }
  }

  package init(
    _ store: FakeReplicaStore, with defect: FakeReplicaStore.Defect? = nil, _ mock: Mock? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.mock = try mock ?? Self.mock()
    database = store.database(with: defect)
    lanes = try DurableLanes(database, serving: self.mock, report: report)
  }

  package func lane(_ name: String?) throws -> any LaneAccess {
    guard let name else { return lanes.unnamed }
    return try lanes.lane(try LaneName(name)) { LaneOpening().state(of: mock) }
  }

  /// The response as an event loop gives it, or otherwise as a worker does.
  package func send(
    _ method: HTTPRequest.Method, _ path: String, body: String = "", in name: String? = nil
  ) throws -> Reply {
    let fields = body.isEmpty ? [:] : ["Content-Type": "application/json"]
    let request = Mock.request(method, path, fields, body: body)
    let lane = try lane(name)
    if let reply = mock.reply(to: request, body: Array(body.utf8), in: lane, within: WorkBudget(50_000)) {
      return reply
    }
    return mock.reply(to: request, body: Array(body.utf8), in: lane)
  }

  package func add(_ text: String, in name: String? = nil) throws -> Reply {
    try send(.post, "/notes", body: "{\"text\":\"\(text)\"}", in: name)
  }

  package func notes(in name: String? = nil) throws -> Reply { try send(.get, "/notes", in: name) }

  package func status(in name: String? = nil) throws -> Int { try send(.get, "/status", in: name).status }

  package func force(_ status: Int?, in name: String? = nil) throws {
    let lane = try lane(name)
    guard let status else { return try lane.change(.release, by: mock) }
    var opening = LaneOpening()
    opening.forced = [ForcedReply(operation: "readStatus", answer: "\(status)")]
    try lane.change(.add(opening), by: mock)
  }
}
