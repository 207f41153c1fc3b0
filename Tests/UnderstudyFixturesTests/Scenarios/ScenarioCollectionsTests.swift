import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ScenarioCollectionsTests {
  private static let json = ["Content-Type": "application/json"]
  private static let fixture = [
    "listUsers/200.yaml": "body: {items: [{id: eve, name: Eve, createdAt: 2024-01-01T00:00:00Z}], total: 1}\n"
  ]

  /// A mock that is not stateful, with the scenario `life` and one without collections.
  private func played<R>(_ collections: String, _ body: (LaneClient) throws -> R) throws -> R {
    let scenarios = ["_scenarios/life.yaml": "\(collections)\n", "_scenarios/other.yaml": "checks: [retry-storm]\n"]
    return try ContractFixture(MockContract.library, fixtures: scenarios.merging(Self.fixture) { first, _ in first })
      .withMock(configure: { $0.scenario = "life" }) { try body(LaneClient($0)) }
  }

  private func ids(_ lane: LaneClient) -> [String] {
    let root = try? JSONParser.parse(lane.send("/users").body).root
    return root?["items"]?.elements.compactMap { $0["id"]?.string } ?? []
  }

  @Test(arguments: [
    "collections: all", "collections: [users, posts]", "collections: users",
    "collections: {people: {id: id, create: createUser, list: listUsers, read: readUser}}",
  ]) func `a collection of a scenario remembers, and begins with its fixtures`(collections: String) throws {
    try played(collections) { lane in
      #expect(lane.mock.complaints == [])
      #expect(ids(lane) == ["eve"])
      let made = lane.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Ann"}"#)
      #expect(made.status == 201)
      #expect(ids(lane) == ["eve", "ann"])
      #expect(lane.send("/users/ann").text == made.text)
    }
  }

  @Test func `a collection that the scenario does not name remembers nothing`() throws {
    try played("collections: users") { lane in
      _ = lane.send(.post, "/users/eve/posts", body: "text=a")
      #expect(!lane.send("/users/eve/posts").reason.hasPrefix("resource"))
    }
  }

  @Test func `another scenario has no collections, and the same one begins with its fixtures`() throws {
    try played("collections: all") { lane in
      _ = lane.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Ann"}"#)
      lane.state.play("other", in: lane.mock)
      #expect(!lane.send("/users/ann").reason.hasPrefix("resource"))
      lane.state.play("life", in: lane.mock)
      #expect(ids(lane) == ["eve"])
    }
  }

  @Test func `an answer that the scenario has comes before the collection`() throws {
    try played("collections: all\nsequence: {readUser: [404*1, 200]}") { lane in
      #expect(lane.send("/users/eve").status == 404)
      #expect(lane.send("/users/eve").reason.hasPrefix("scenario life step 2/2"))
      #expect(ids(lane) == ["eve"])
    }
  }

  @Test func `a stateful mock has the collections of its scenario besides its own`() throws {
    let scenario = "collections: {people: {id: id, create: createUser, list: listUsers}}\n"
    try ContractFixture(MockContract.library, fixtures: ["_scenarios/life.yaml": scenario]).withMock(
      configure: {
        $0.scenario = "life"
        $0.isStateful = true
      }
    ) { mock in
      #expect(mock.collections.map(\.name).sorted() == ["people", "posts", "users"])
    }
  }

  @Test(arguments: [
    ("collections: [↓usrs]", "fixture.invalid", "did you mean `users`?"),
    ("collections: ↓true", "fixture.invalid", "known: posts, users"),
    ("collections: {people: {↓creat: createUser}}", "fixture.invalid", "did you mean `create`?"),
    ("collections: {people: {create: ↓createUsr}}", "fixture.invalid", "did you mean `createUser`?"),
    ("collections: {people: ↓[createUser]}", "fixture.invalid", ""),
    ("collections: [↓[users]]", "fixture.invalid", ""),
    ("↓collection: all\nchecks: [retry-storm]", "fixture.unknown-key", "did you mean `collections`?"),
  ]) func `a mistake in the collections of a scenario is reported at its place`(
    marked: String, rule: String, help: String
  ) throws {
    let places = MarkedText(marked)
    try played(places.text) { lane in
      let found = lane.mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.rule.id) == [rule], "\(found.map(\.message))")
      #expect(found.first?.help ?? "" == help || help.isEmpty)
      #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets)
    }
  }

  @Test func `a contract without collections says how to describe one`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["_scenarios/life.yaml": "collections: all\n"]).withMock { mock in
      let found = mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.message) == ["the contract has no collections"])
      #expect(found.first?.help?.contains("collections: {pets:") == true)
    }
  }

  @Test func `the outline of a scenario names its collections with their actions`() throws {
    try played("collections: [posts]") { lane in
      let scenario = try #require(lane.mock.contracts[0].scenarios.compactMap(\.scenario).first { $0.name == "life" })
      #expect(ScenarioOutline(scenario).text == "life\n  collections: posts (create, list, read)\n")
    }
  }

  @Test func `a cursor finds what was sent at the same moment, after it`() throws {
    let mock = try Mock.load(Project.path("specs/slp.yaml")) { $0.isStateful = true }
    // The clock stands still.
    let lane = LaneClient(mock)
    func sent(_ text: String) throws -> JSON {
      try JSONParser.parse(lane.send(.post, "/v1/chat/userB", ["idtoken": "userA"], body: "chat=\(text)").body).root
    }
    let messages = [try sent("one"), try sent("two"), try sent("three")]
    let cursor = try #require(messages[0]["createdAt"]?.string)
    #expect(cursor == "1970-01-01T00:16:40.000Z")
    let read = lane.send("/v1/chat/userA?lastchatDate=\(cursor)", ["idtoken": "userB"])
    #expect(try JSONParser.parse(read.body).root["payload"] == .array(Array(messages.dropFirst())))
  }
}
