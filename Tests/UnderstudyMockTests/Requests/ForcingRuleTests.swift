import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ForcingRuleTests {
  @Test(arguments: ["", "=", "readNote", "readNote=", "=404"]) func `a rule has two sides`(text: String) {
    #expect(ForcingRule(text) == nil)
  }

  @Test func `what follows the first equals sign is the cell`() {
    let rule = ForcingRule("a=b=c")
    #expect(rule?.operation == "a")
    #expect(rule?.cell == "b=c")
  }

  private func forcing<R>(_ rules: [String], _ body: (Mock) throws -> R) throws -> R {
    let fixtures = ["readNote/404.slow.yaml": "delay: 1s\n", "readNote/200.mine.json": "{}"]
    return try ContractFixture(MockContract.notes, fixtures: fixtures).withMock {
      $0.forced = rules.compactMap { ForcingRule($0) }
    } _: {
      try body($0)
    }
  }

  @Test(arguments: [
    ("readNote=404", 404, "contract readNote/404"), ("readNote=lost", 404, "contract readNote/404"),
    ("readNote=404.slow", 404, "fixture readNote/404.slow"), ("readNote=lost.slow", 404, "fixture readNote/404.slow"),
    ("readNote=slow", 404, "fixture readNote/404.slow"), ("readNote=mine", 200, "fixture readNote/200.mine"),
    ("readNote=second", 200, "example readNote/200.second"), ("readNote=503", 503, "sample readNote/5XX"),
    ("*=lost", 404, "contract readNote/404"),
  ])
  func `a cell is a status, a meaning, a name, or both`(rule: String, status: Int, reason: String) throws {
    try forcing([rule]) { mock in
      #expect(mock.diagnostics.isEmpty)
      // Neither a preference nor a bad request takes precedence.
      let reply = mock.send("/notes/1", ["Prefer": "code=200"])
      #expect(reply.status == status)
      #expect(reply.reason == reason + " (forced)")
    }
  }

  @Test func `a rule with a number applies to as many requests of each lane`() throws {
    try forcing(["readNote=lost*2", "readNote=200.mine"]) { mock in
      #expect(mock.diagnostics.isEmpty)
      for _ in 0..<2 {
        let lane = Lane(mock.newState())
        let statuses = (0..<3).map { _ in mock.reply(to: Mock.request(.get, "/notes/1"), body: [], in: lane).status }
        #expect(statuses == [404, 404, 200])
      }
    }
    #expect(ForcingRule("readNote=404*2")?.text == "readNote=404*2")
    #expect(ForcingRule("readNote=404*0")?.times == nil)
    #expect(ForcingRule("readNote=404*x")?.cell == "404*x")
  }

  private func statuses(_ mock: Mock, _ count: Int = 200, _ path: String = "/notes/1") -> [Int] {
    let lane = Lane(mock.newState())
    return (0..<count).map { _ in mock.reply(to: Mock.request(.get, path), body: [], in: lane).status }
  }

  @Test func `a rule with a chance applies to a part of the requests, by the seed`() throws {
    let mock = try ContractFixture(MockContract.notes).mock {
      $0.forced = ["readNote=503@20%"].compactMap { ForcingRule($0) }
    }
    let first = statuses(mock)
    #expect(Set(first) == [200, 503])
    #expect(20...60 ~= first.count { $0 == 503 })
    #expect(statuses(mock) == first)
    let other = try ContractFixture(MockContract.notes).mock {
      $0.forced = ["readNote=503@20%"].compactMap { ForcingRule($0) }
      $0.seed = "8"
    }
    #expect(statuses(other) != first)
  }

  @Test func `a rule has the conditions of a fault, and leaves other requests to the next rule`() throws {
    try forcing(["readNote=lost@after:1@first:3", "readNote=200.mine"]) { mock in
      #expect(mock.diagnostics.isEmpty)
      #expect(statuses(mock, 5) == [200, 404, 404, 200, 200])
    }
    try forcing(["readNote=lost*2@after:1"]) { #expect(statuses($0, 5) == [200, 404, 404, 200, 200]) }
    #expect(ForcingRule("readNote=404*2@20%")?.text == "readNote=404*2@20%")
    #expect(
      ForcingRule.summary(of: ["readNote=500@20%", "*=404"].compactMap { ForcingRule($0) }) == [
        "readNote=500@20%", "otherwise *=404",
      ])
  }

  @Test func `a server error at random needs no documentation`() throws {
    let contract = MockContract.notes.replacing("5XX", with: "410")
    let mock = try ContractFixture(contract).mock { $0.forced = ["*=503@50%"].compactMap { ForcingRule($0) } }
    #expect(mock.diagnostics.isEmpty)
    #expect(Set(statuses(mock, 50)) == [200, 503])
    #expect(Set(statuses(mock, 50, "/elsewhere")) == [404])
  }

  @Test(arguments: [
    ("readNote=503@20", "`@20` is not a condition: expected @20%"),
    ("readNote=503@120%", "`@120%` is not a condition: expected @20%"),
    ("readNote=503@frist:2", "`@frist:2` is not a condition: did you mean `first`?"),
    ("*=503@x", "`@x` is not a condition: expected @20%"),
  ])
  func `a condition that cannot be read is explained`(rule: String, help: String) throws {
    try forcing([rule]) { #expect($0.diagnostics.map { $0.help?.hasPrefix(help) } == [true]) }
  }

  @Test(arguments: [
    ("notes/{id}=404", "did you mean `readNote`?"),
    ("apps/get-autenticated=200", "did you mean `apps/get-authenticated`?"),
  ])
  func `a path without its slash and a misspelt id with slashes get a suggestion`(rule: String, help: String) throws {
    try ContractFixture(Self.slashes).withMock {
      $0.forced = [rule].compactMap { ForcingRule($0) }
    } _: {
      #expect($0.diagnostics.map(\.help) == [help])
    }
  }

  private static let slashes = """
    openapi: 3.1.0
    info: {title: Apps, version: "1"}
    paths:
      /apps:
        get:
          operationId: apps/get-authenticated
          responses: {"200": {description: d}, "404": {description: d}}
      /notes/{id}:
        get: {operationId: readNote, responses: {"200": {description: d}}}
    """

  @Test func `an operationId with slashes names its operation`() throws {
    try ContractFixture(Self.slashes).withMock {
      $0.forced = ["apps/get-authenticated=404"].compactMap { ForcingRule($0) }
    } _: {
      #expect($0.diagnostics.isEmpty)
      #expect($0.send("/apps").status == 404)
    }
  }

  @Test(arguments: [
    (["readNote=200", "readNote=404"], [404, 404]), (["readNote=200", "*=lost"], [200, 200]),
    (["*=lost", "readNote=200"], [200, 200]), (["readNote=200", "/notes/{id}=404"], [200, 200]),
    (["/notes/{id}=200", "*=lost"], [200, 200]), (["readNote=200", "*=404*1"], [200, 200]),
    (["*=lost", "readNote=200*1"], [200, 404]),
  ])
  func `the last rule for an operation applies, and a rule for many operations yields`(
    rules: [String], statuses: [Int]
  ) throws {
    try forcing(rules) { mock in
      #expect(mock.diagnostics.isEmpty)
      let lane = Lane(mock.newState())
      #expect(
        statuses == statuses.map { _ in mock.reply(to: Mock.request(.get, "/notes/1"), body: [], in: lane).status })
    }
  }

  @Test func `rules for a number of requests apply in the given order, then the rule for all others`() throws {
    try forcing(["readNote=503", "readNote=lost*2", "readNote=200.mine*1", "*=409"]) { mock in
      #expect(mock.diagnostics.isEmpty)
      let lane = Lane(mock.newState())
      let statuses = (0..<5).map { _ in mock.reply(to: Mock.request(.get, "/notes/1"), body: [], in: lane).status }
      #expect(statuses == [404, 404, 200, 503, 503])
    }
  }

  @Test func `the command line precedes the configuration file`() throws {
    try ContractFixture(MockContract.notes).withMock {
      $0.forced = ["readNote=200", "*=lost"].compactMap { ForcingRule($0) }
      $0.forced[0].location = Location(path: "understudy.yaml")
    } _: {
      #expect($0.send("/notes/1").status == 404)
    }
  }

  @Test(arguments: [
    (["a=203*1", "a=204*1"], ["a=203*1 then 204*1"]), (["*=500", "a=203"], ["a=203", "otherwise *=500"]),
    (["a=500", "a=203*2", "a=200"], ["a=203*2 then 200"]), (["b=1", "a=2"], ["b=1", "a=2"]), (["*=500"], ["*=500"]),
  ])
  func `a summary lists the rules as they apply`(rules: [String], lines: [String]) {
    #expect(ForcingRule.summary(of: rules.compactMap { ForcingRule($0) }) == lines)
  }

  @Test(arguments: [
    ("readNote=losst", "did you mean `lost`?"), ("raedNote=404", "did you mean `readNote`?"),
    ("readNote=201", "it has 200 found, 404 lost, 5XX, 200.mine, 200.first, 200.second, 404.slow"),
    ("readNote=404.fast", "it has 200 found, 404 lost, 5XX, 200.mine, 200.first, 200.second, 404.slow"),
    ("readNote=200.slow", "it has 200 found, 404 lost, 5XX, 200.mine, 200.first, 200.second, 404.slow"),
  ])
  func `an unknown cell or operation is reported with the known ones`(rule: String, help: String) throws {
    try forcing([rule]) { mock in
      #expect(mock.diagnostics.map(\.rule) == [.configInvalid])
      #expect(mock.diagnostics.first?.help == help)
    }
  }

  @Test func `a rule of a configuration file is reported at its location`() throws {
    let place = Location(path: "understudy.yaml")
    try ContractFixture(MockContract.notes).withMock {
      $0.forced = ["readNote=418", "*=418", "nobody=200"].compactMap { ForcingRule($0) }
      for index in $0.forced.indices { $0.forced[index].location = place }
    } _: { mock in
      #expect(mock.diagnostics.map(\.location?.path) == Array(repeating: "understudy.yaml", count: 3))
      #expect(mock.diagnostics.allSatisfy { $0.message.hasPrefix("`force` ") })
    }
  }

  @Test func `the star applies to all operations with the cell, of which there must be one`() throws {
    try forcing(["*=409"]) { mock in
      #expect(mock.diagnostics.isEmpty)
      #expect(mock.send("/notes/1").status == 200)
      #expect(mock.send(.post, "/notes/1").status == 409)
    }
    try forcing(["*=418"]) { mock in
      #expect(mock.diagnostics.map(\.message) == ["--force asks for `418`, which no operation has"])
    }
  }
}
