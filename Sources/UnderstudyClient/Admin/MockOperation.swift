/// An operation that a mock answers.
public struct MockOperation: Sendable, Hashable {
  /// Its id in the contract.
  public let id: String
  /// In capitals.
  public let method: String
  /// The template with the base path: `/v1/chat/{uid}`.
  public let path: String
  /// The documented statuses: `200`, `4XX`, `default`.
  public let statuses: [String]

  /// Asks a mock, once in a process.
  static func all(of mock: RunningMock) async throws -> [MockOperation] {
    if let known = mock.facts.withLock(\.operations) { return known }
    let answer = try await AdminClient(mock: mock).send("GET", "operations")
    let all = (answer["operations"]?.array ?? []).compactMap(MockOperation.init)
    mock.facts.withLock { $0.operations = all }
    return all
  }

  /// The paths by ids: what is captured in a path is read by them.
  static func templates(of mock: RunningMock) async throws -> [String: String] {
    Dictionary(try await all(of: mock).map { ($0.id, $0.path) }, uniquingKeysWith: { first, _ in first })
  }

  private init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let path = value["path"]?.string else { return nil }
    self.id = id
    self.path = path
    method = value["method"]?.string ?? ""
    statuses = (value["cells"]?.array ?? []).compactMap { $0["status"]?.string }
  }
}
