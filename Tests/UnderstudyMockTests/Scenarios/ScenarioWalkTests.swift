import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Random clients of every scenario of `fixtures/slp`: all that matters for the next answer is in the state, which can
/// be written and read between two requests.
struct ScenarioWalkTests {
  struct Walk: Sendable, CustomTestStringConvertible {
    let scenario: String
    let seed: Int
    var testDescription: String { "\(scenario), seed \(seed)" }
  }

  private static let contract =
    Contract.load(Project.path("specs/slp.yaml"), fixtures: Project.path("fixtures")).contract
  private static let walks = (contract?.scenarios ?? []).flatMap { reading in
    (1...2).map { Walk(scenario: reading.name, seed: $0) }
  }
  private static let start = 1_670_324_535_120_000
  private static let checks = [
    "retry-after-401", "one-refresh", "retry-body", "retry-storm=2", "retry-backoff", "retry-after",
    "poll-interval:readQueueState=5s", "one-poller", "read-after-send", "burst", "idempotency-key", "if-match",
    "cancelled",
  ]

  /// A lane with answers, delays, faults and checks of its own.
  private func opening() throws -> LaneOpening {
    var opening = LaneOpening()
    opening.seed = "walk"
    opening.forced = [
      ForcedReply(operation: "*", answer: "500", times: 2), ForcedReply(operation: "readShopInfo", answer: "200.fresh"),
    ]
    opening.faults = [
      try LaneFault("*=drip@50%", isDelay: false), try LaneFault("readUser=reset@flap:2:1", isDelay: false),
      try LaneFault("everything=stall:1ms@10m..20m/30m", isDelay: false),
      try LaneFault("readQueueState=100ms..2s", isDelay: true), try LaneFault("searchQueue=1s", isDelay: true),
    ]
    opening.checks = try Self.checks.map { try ClientCheckSettings(argument: $0) }
    return opening
  }

  @Test func `every scenario has its walks`() {
    let files = ScenarioReader.files(in: Project.path("fixtures/slp/_scenarios"))
    #expect(Self.walks.count == 2 * files.count && files.count > 10)
  }

  @Test(arguments: walks) func `a state that is written and read before each request gives the same answers`(
    _ walk: Walk
  ) throws {
    let contract = try #require(Self.contract)
    var options = Mock.Options()
    options.scenario = walk.scenario
    options.now = { Self.start }
    let mock = Mock(contracts: [contract], options: options)
    #expect(mock.diagnostics.map(\.message) == [])
    let (whole, continued) = (LaneClient(mock, at: Self.start), LaneClient(mock, at: Self.start))
    whole.state = try opening().state(of: mock)
    continued.state = whole.state
    let scenario = try #require(contract.scenarios.first { $0.name == walk.scenario }?.scenario)
    var client = RandomClient(scenario, seed: walk.seed)
    var (reasons, faults) = (Set<String>(), 0)
    for step in 0..<100 {
      continued.state = try JSONDecoder().decode(LaneState.self, from: try JSONEncoder().encode(continued.state))
      let request = client.request()
      let forced = client.forced()
      for lane in [whole, continued] {
        lane.now += request.pause
        if let forced { lane.state.forced.append(forced) }
      }
      let (expected, reply) = (request.sent(by: whole), request.sent(by: continued))
      try #require(reply.reason == expected.reason, "step \(step): \(request)")
      #expect(reply.response == expected.response, "step \(step): \(request)")
      #expect(reply.text == expected.text, "step \(step): \(request)")
      #expect(reply.diagnostics.map(\.message) == expected.diagnostics.map(\.message), "step \(step): \(request)")
      #expect(reply.delay == expected.delay && reply.fault == expected.fault, "step \(step): \(request)")
      // The client has the answer, or has left.
      let number = client.number(below: whole.state.requests + 1)
      let ends = [whole, continued].map { lane in
        lane.state.end(number, rules: ValidationOptions(), at: lane.now).map(\.message)
      }
      #expect(ends[0] == ends[1], "step \(step): \(request)")
      try #require(continued.state == whole.state, "step \(step): \(request)")
      client.learn(from: reply)
      reasons.insert(expected.reason)
      if expected.fault != nil { faults += 1 }
    }
    var redactor = Redactor()
    let verdicts = [continued, whole].map { mock.verdict(of: $0.state).json(&redactor).value }
    #expect(verdicts[0] == verdicts[1])
    // The walk was no walk in place.
    #expect(reasons.count > 5 && reasons.contains { $0.hasSuffix("(forced in the lane)") }, "\(reasons)")
    #expect(faults > 10)
  }
}

/// Makes random requests to SLP, most of them to the operations of a scenario.
private struct RandomClient {
  struct Request: CustomStringConvertible {
    var method: HTTPRequest.Method
    var path: String
    var headers: [String: String]
    var body: String
    /// Before it, in microseconds.
    var pause: Int

    var description: String { "\(method) \(path) \(headers) \(body)" }

    func sent(by lane: LaneClient) -> Reply { lane.send(method, path, headers, body: body) }
  }

  private static let all = [
    "readUser", "signUp", "withdraw", "updateFCMToken", "updateMyPage", "joinQueue", "leaveQueue", "searchQueue",
    "readQueueState", "requestStudy", "acceptStudy", "dodgeStudy", "rateUser", "sendChat", "readChat", "readShopInfo",
    "wearItems", "buyItem",
  ]
  /// The second and the last are one user.
  private static let tokens = ["userB", "userA", "userC", "e30.eyJ1c2VyX2lkIjoidXNlckEifQ.c2ln"]
  private static let users = ["userA", "userB", "userC", "Lk2VpS9nCq4WxGe7RzTy0HbMf5Ju"]
  private static let pauses = [0, 0, 1_000, 400_000, 1_000_000, 5_000_000, 60_000_000, 180_000_000, 3_600_000_000]
  private static let texts = ["hello", "a%26b%3Dc%2Bd", "%EB%8F%84%ED%86%A0%EB%A6%AC", "%EA%B3%A0%EB%9E%98%EB%B0%A5"]
  private static let times = [
    "2000-01-01T00:00:00.000Z", "2022-12-09T15:00:00.000Z", "2022-12-06T11:03:07.000Z", "soon",
  ]

  private let operations: [String]
  private var random: SeededGenerator
  private var lastTime = "2000-01-01T00:00:00.000Z"

  init(_ scenario: MockScenario, seed: Int) {
    let named = scenario.machines.flatMap { $0.allRules.map { $0.operation } }
    operations = Set(Array(scenario.sequences.keys) + named).sorted()
    random = SeededGenerator(state: UInt64(seed), isPlain: false, ordinal: 0)
  }

  mutating func number(below bound: Int) -> Int { random.number(below: bound) }

  private mutating func pick<T>(_ values: [T]) -> T { values[random.number(below: values.count)] }

  /// Takes the time of the last message.
  mutating func learn(from reply: Reply) {
    let parts = reply.text.components(separatedBy: "\"createdAt\":\"")
    if parts.count > 1, let last = parts.last { lastTime = String(last.prefix { $0 != "\"" }) }
  }

  /// Now and then, an answer that is chosen from outside.
  mutating func forced() -> ForcedReply? {
    guard number(below: 12) == 0 else { return nil }
    return ForcedReply(operation: pick(Self.all), answer: pick(["401", "success", "500"]), times: 1)
  }

  mutating func request() -> Request {
    let isNamed = !operations.isEmpty && number(below: 5) > 0
    var request = call(of: pick(isNamed ? operations : Self.all))
    if number(below: 25) == 0 { request.path = "/v1/nowhere" }
    if number(below: 12) > 0 { request.headers["idtoken"] = pick(Self.tokens) }
    if number(below: 20) == 0 { request.headers["Prefer"] = "code=200" }
    return request
  }

  private mutating func call(of operation: String) -> Request {
    let (method, path, body) = parts(of: operation, pick(Self.users), pick(Self.texts))
    return Request(method: method, path: "/v1" + path, headers: [:], body: body, pause: pick(Self.pauses))
  }

  private mutating func parts(
    of operation: String, _ user: String, _ text: String
  ) -> (HTTPRequest.Method, path: String, body: String) {
    switch operation {
    case "signUp":
      (
        .post, "/user",
        "phoneNumber=%2B821012345678&FCMtoken=\(user)&nick=\(text)&birth=1997-03-21T00:00:00.000Z&email=a@b.de&gender=1"
      )
    case "withdraw": (.post, "/user/withdraw", "")
    case "updateFCMToken": (.put, "/user/update_fcm_token", "FCMtoken=\(user)")
    case "updateMyPage":
      (.put, "/user/mypage", "searchable=1&ageMin=\(pick([20, 70]))&ageMax=35&gender=0&study=\(text)")
    case "joinQueue": (.post, "/queue", "lat=37.5\(number(below: 9))&long=126.9&studylist=\(text)&studylist=b")
    case "leaveQueue": (.delete, "/queue", "")
    case "searchQueue": (.post, "/queue/search", "lat=\(pick(["37.51", "126.9"]))&long=37.5")
    case "readQueueState": (.get, "/queue/myQueueState", "")
    case "requestStudy": (.post, "/queue/studyrequest", "otheruid=\(user)")
    case "acceptStudy": (.post, "/queue/studyaccept", "otheruid=\(user)")
    case "dodgeStudy": (.post, "/queue/dodge", "otheruid=\(user)")
    case "rateUser":
      (
        .post, "/queue/rate/\(user)",
        "otheruid=\(user)" + String(repeating: "&reputation=1", count: 6) + "&comment=\(text)"
      )
    case "sendChat": (.post, "/chat/\(user)", "chat=\(text)")
    case "readChat": (.get, "/chat/\(user)?lastchatDate=\(pick(Self.times + [lastTime, lastTime]))", "")
    case "readShopInfo": (.get, "/user/shop/myinfo", "")
    case "wearItems": (.post, "/user/shop/item", "sesac=\(pick([1, 9]))&background=2")
    case "buyItem": (.post, "/user/shop/ios", "receipt=\(text)&product=p")
    default: (.get, "/user", "")
    }
  }
}
