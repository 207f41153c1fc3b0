import Foundation
import UnderstudyFixtures
import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct ReplyTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  @Test func `the mock answers by itself where no reply is chosen`() async throws {
    #expect(try send("/v1/chat/u2?lastchatDate=2022-12-06T00:00:00.000Z").status == 200)
    #expect(try await lane.calls().map(\.operation) == ["readChat"])
  }

  @Test func `replies answer in turn, and the last one stays`() async throws {
    try await lane.reply(to: "readUser", 401, 200)
    #expect(try (1...4).map { _ in try send("/v1/user").status } == [401, 200, 200, 200])
    try await lane.expect("readUser", times: 4)
  }

  @Test func `a reply with times gives way to the next`() async throws {
    try await lane.reply(to: "readUser", .status(401).times(2), 406)
    #expect(try (1...4).map { _ in try send("/v1/user").status } == [401, 401, 406, 406])
  }

  @Test func `after its times the mock answers by itself again`() async throws {
    try await lane.reply(to: "readUser", 500, times: 2)
    #expect(try (1...3).map { _ in try send("/v1/user").status } == [500, 500, 200])
  }

  @Test func `a later reply takes precedence`() async throws {
    try await lane.reply(to: "readUser", 500)
    #expect(try send("/v1/user").status == 500)
    try await lane.reply(to: "readUser", "notRegistered")
    #expect(try send("/v1/user").status == 406)
  }

  @Test func `a reply can be a meaning, a fixture or a body`() async throws {
    try await lane.reply(to: "joinQueue", .meaning("penaltyFirst"))
    try await lane.reply(to: "readChat", .fixture("200.empty"))
    try await lane.reply(to: "readUser", .json(#"{"nick": null}"#))
    let place = "lat=37.5&long=126.9&studylist=anything"
    #expect(try send("POST", "/v1/queue", form, body: place).status == 203)
    #expect(try send("/v1/chat/u2?lastchatDate=2022-12-06T00:00:00.000Z").body.contains("[]"))
    #expect(try send("/v1/user").body == #"{"nick": null}"#)
  }

  @Test func `a template is filled for each request, and other replies are sent as they are`() async throws {
    let text = #"{"nick": "{{upper request.header.idtoken}}"}"#
    try await lane.reply(to: "readUser", .json(text).header("X-Token", "{{request.header.idtoken}}").asTemplate())
    for token in ["tom", "ann"] {
      let response = try send("/v1/user", fields: "idtoken: \(token)\r\n")
      #expect(response.body == #"{"nick": "\#(token.uppercased())"}"#)
      #expect(response["x-token"] == token)
    }
    try await lane.reply(to: "readUser", .json(text))
    #expect(try send("/v1/user").body == text)
  }

  @Test func `a predicate selects requests`() async throws {
    try await lane.reply(to: "readUser", when: .header("idtoken", "old"), 401)
    try await lane.reply(to: "requestStudy", when: .field("otheruid", "u2"), 202)
    #expect(try ["new", "old"].map { try send("/v1/user", fields: "idtoken: \($0)\r\n").status } == [200, 401])
    #expect(
      try ["u1", "u2"].map { try send("POST", "/v1/queue/studyrequest", form, body: "otheruid=\($0)").status }
        == [200, 202])
  }

  @Test func `predicates of the path and the query can be joined`() async throws {
    let both: RequestPredicate = .path("uid", "u 2") && .query("lastchatDate", "2022-12-06T00:00:00.000Z")
    try await lane.reply(to: "readChat", when: both, 401)
    let targets = [
      "u2?lastchatDate=2022-12-06T00:00:00.000Z", "u%202?lastchatDate=2000-01-01T00:00:00.000Z",
      "u%202?lastchatDate=2022-12-06T00:00:00.000Z",
    ]
    #expect(try targets.map { try send("/v1/chat/\($0)").status } == [200, 200, 401])
  }

  @Test func `a reply can be a string, or any response`() async throws {
    try await lane.reply(
      to: "readUser", .text("sold out", status: 503), .response(418, headers: ["X-Brew": "tea"], body: Data([0x21])))
    let (first, second) = (try send("/v1/user"), try send("/v1/user"))
    #expect(first.status == 503 && first.body == "sold out")
    #expect(first["content-type"] == "text/plain; charset=utf-8")
    #expect(second.status == 418 && second.body == "!" && second["x-brew"] == "tea")
  }

  @Test func `a chosen status can be cut as well`() async throws {
    try await lane.reply(to: "readUser", .meaning("notRegistered").with(fault: .truncate))
    let client = try RawClient(port: try #require(lane.baseURL.port))
    try client.get("/v1/user", "idtoken: t\r\n")
    let rest = try client.rest()
    #expect(rest.end == .closed && rest.text.hasPrefix("HTTP/1.1 406 "), "\(rest)")
    let length = rest.text.firstMatch(of: /[Cc]ontent-[Ll]ength: (\d+)/).flatMap { Int($0.1) } ?? 0
    let body = rest.text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
    #expect(body.utf8.count < length, "\(rest)")
  }

  @Test func `a reply has a name for lists of arguments`() {
    let replies: [ScriptedReply] = [
      401, "penaltyFirst", .usual, .hang, .delayed(.seconds(3)), .json("{}", status: 503),
      .status(200).with(fault: "reset:body"),
    ]
    #expect(
      replies.map(\.description) == [
        "401", "penaltyFirst", "usual", "hang", "after 3s", "an inline 503", "200 reset:body",
      ])
  }

  @Test func `a path into a body goes through members and lists`() async throws {
    let folder = try TemporaryFolder([
      "api.yaml": """
      openapi: 3.1.0
      info: {title: Orders, version: "1"}
      paths:
        /orders:
          post:
            operationId: order
            requestBody: {content: {application/json: {schema: {}}}}
            responses: {"200": {description: Done}, "409": {description: Sold out}}
      """
    ])
    let found = try await failures(of: .understudy("\(folder.path)/api.yaml")) {
      let lane = try #require(Lane.current)
      try await lane.reply(to: "order", when: .field("/lines/1/name", "b"), 409)
      let statuses = try ["[]", #"{"lines": [{"name": "b"}]}"#, #"{"lines": [{}, {"name": "b"}]}"#].map {
        try send("POST", "/orders", "Content-Type: application/json\r\n", body: $0).status
      }
      #expect(statuses == [200, 200, 409])
      try await lane.reply(to: "order", when: .field("$.lines[?@.name == 'c'].name", "c"), 409)
      let body = #"{"lines": [{"name": "c"}]}"#
      #expect(try send("POST", "/orders", "Content-Type: application/json\r\n", body: body).status == 409)
    }
    #expect(found == [])
  }

  @Test func `a connection fails on purpose`() async throws {
    try await lane.reply(to: "readUser", .reset, .close, .fault(.garbage), .fault(.truncate))
    let ends = try (1...4).map { _ in
      let client = try RawClient(port: try #require(lane.baseURL.port))
      try client.get("/v1/user", "idtoken: t\r\n")
      let rest = try client.rest()
      return "\(rest.end) \(rest.text.isEmpty ? "nothing" : rest.text.hasPrefix("HTTP/1.1 200") ? "part" : "garbage")"
    }
    #expect(ends == ["reset nothing", "closed nothing", "closed garbage", "closed part"])
  }

  @Test(arguments: [ScriptedReply.fault(.drip), .status(200).with(fault: "drip")])
  func `a response can come in pieces`(reply: ScriptedReply) async throws {
    try await lane.reply(to: "readUser", reply)
    #expect(try send("/v1/user").body.contains("도토리"))
  }

  @Test func `a reply can have any fault of the mock`() async throws {
    try await lane.reply(
      to: "readUser", .fault("reset:after-head"), .status(401).with(fault: "bandwidth:1M+close:head"))
    let rests = try (1...2).map { _ in
      let client = try RawClient(port: try #require(lane.baseURL.port))
      try client.get("/v1/user", "idtoken: t\r\n")
      return try client.rest()
    }
    #expect(rests.map(\.end) == [.reset, .closed])
    #expect(rests[0].text.hasPrefix("HTTP/1.1 200") && rests[0].text.hasSuffix("\r\n\r\n"))
    #expect(rests[1].text.hasPrefix("HTTP/1.1 401") && !rests[1].text.contains("\r\n\r\n"))
  }

  @Test func `a call has the decoded values of its request`() async throws {
    try send("POST", "/v1/chat/u%202", form, body: "chat=a%26b%3Dc")
    let call = try await lane.next("sendChat")
    #expect(call.parameter("uid") == "u 2" && call.field("chat") == "a&b=c" && call.header("idtoken") == "t")
    #expect(call.findings == [])
    #expect(call.reason == "fixture sendChat/200")
  }

  @Test func `a call is shown with its status, and has the parts of its request`() async throws {
    try await lane.reply(to: "joinQueue", 203)
    try send("POST", "/v1/queue?a=1&a=2", form, body: "lat=37.5&long=126.9&studylist=a&studylist=b")
    let call = try #require(try await lane.calls().first)
    #expect(call.description == "POST /v1/queue?a=1&a=2 203")
    #expect(call.method == "POST" && call.target == "/v1/queue?a=1&a=2" && call.path == "/v1/queue")
    #expect(call.text == "lat=37.5&long=126.9&studylist=a&studylist=b" && call.body == Data(call.text.utf8))
    #expect(call.status == 203 && call.fields("studylist") == ["a", "b"] && call.parameters("a") == ["1", "2"])
    #expect(call.parameter("b") == nil && call.field("b") == nil && call.header("b") == nil)
    // An undeclared parameter is a warning, which fails no test.
    let finding = try #require(call.findings.first)
    #expect(finding.rule == "req.param.undeclared" && finding.location == "/query/a" && !finding.isError)
    #expect(finding.description == "joinQueue has no query parameter `a` [req.param.undeclared]")
  }

  @Test func `next waits for a request and returns each once`() async throws {
    async let first = lane.next("readUser")
    try send("/v1/user", fields: "idtoken: a\r\n")
    try send("/v1/user", fields: "idtoken: b\r\n")
    let calls = [try await first, try await lane.next("readUser")]
    #expect(calls.map { $0.header("idtoken") } == ["a", "b"])
  }

  @Test(arguments: Cell.all(of: "specs/slp.yaml", operation: "joinQueue"))
  func `every documented status can be had`(cell: Cell) async throws {
    try await lane.reply(with: cell)
    #expect(try send("POST", "/v1/queue", form, body: "lat=37.5&long=126.9&studylist=anything").status == cell.status)
  }

  @Test func `a cell has the name of its status, and those of a contract are all of its cells`() {
    let cell = Cell(operation: "joinQueue", status: 203, meaning: "penaltyFirst")
    #expect(cell.description == "joinQueue 203 penaltyFirst" && cell.key == "203")
    #expect(Cell(operation: "joinQueue", status: 400, key: "4XX").description == "joinQueue 4XX")
    let all = Cell.all(of: "specs/slp.yaml")
    #expect(all.count == 106 && all.contains(cell))
    #expect(Cell.all(of: "specs/nothing.yaml").map(\.description) == ["no cell"])
  }

  @Test(.understudy("specs/petstore.yaml")) func `a trait of a test replaces the trait of its suite`() async throws {
    try send("/api/pets", fields: "")
    let calls = try await lane.calls()
    #expect(calls.count == 1 && calls[0].operation != nil)
  }
}
