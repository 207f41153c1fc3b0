import BuggyClients

#if ELSEWHERE
import UnderstudyClient
import UnderstudyClientTestSupport
#else
import UnderstudyTesting
#endif

/// A wrong request breaks a rule, and a sweep reports it with every answer.
@Suite(.needsMock, .slp)
struct RequestBugsTests {
  let lane: Lane
  let client: Wire

  init() throws {
    lane = try #require(Lane.current)
    client = Wire(baseURL: lane.baseURL)
  }

  /// Expects that a call breaks a rule, also in a sweep of an operation.
  private func expect(
    _ rule: String, sweeping operation: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: @escaping @Sendable (Wire) async throws -> Void
  ) async throws {
    if let operation {
      let sweep = try await lane.sweep(operation) { try await call(Wire(baseURL: $0.baseURL)) }
      let row = try sweep[operation, "slow"]
      let isReported = row.violations.contains { $0.hasSuffix("[\(rule)]") }
      #expect(isReported, "\(row.violations)", sourceLocation: sourceLocation)
    }
    try await call(client)
    let caught = try await lane.caught()
    #expect(caught.contains(rule), "\(caught)", sourceLocation: sourceLocation)
  }

  @Test func `E9: the cursor is a part of the path`() async throws {
    try await expect("req.param.missing", sweeping: "readChat") { try await $0.cursorInThePath() }
  }

  @Test func `E10: the cursor is in local time, with a bare plus`() async throws {
    try await expect("req.param.schema", sweeping: "readChat") { try await $0.cursorInLocalTime() }
  }

  @Test func `E14: a list has brackets`() async throws {
    try await expect("req.param.encoding", sweeping: "joinQueue") { try await $0.bracketsInLists() }
  }

  @Test func `E15: a list is sent as one text`() async throws {
    try await expect("req.param.encoding", sweeping: "rateUser") { try await $0.listAsOneText() }
  }

  @Test func `E16: the fields of a POST are in the query`() async throws {
    try await expect("req.body.missing", sweeping: "requestStudy") { try await $0.fieldsInTheQuery() }
  }

  @Test func `E16: a form header has a JSON body`() async throws {
    try await expect("req.body.unparsable", sweeping: "requestStudy") { try await $0.jsonUnderAFormHeader() }
  }

  @Test func `E17: a form by hand loses a part of the text`() async throws {
    let text = "a&b=c+d 한글"
    // What arrived comes back.
    try await lane.reply(to: "sendChat", "200.echo")
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).formByHand(text) }
    #expect(try sweep["sendChat", "slow"].outcome == .returned("a"))
    try await expect("req.param.encoding") { _ = try await $0.formByHand(text) }
    #expect(try await lane.calls("sendChat").map { $0.field("chat") } == ["a"])
  }

  @Test func `E19: the path begins with two slashes`() async throws {
    try await expect("req.path.unknown") { try await $0.doubleSlash() }
  }

  @Test func `E35: numbers are sent as JSON`() async throws {
    try await expect("req.body.schema", sweeping: "updateMyPage") { try await $0.numbersInJSON() }
  }

  @Test func `E37: latitude and longitude are swapped`() async throws {
    try await expect("req.body.schema", sweeping: "searchQueue") { try await $0.swappedCoordinates() }
  }

  @Test func `E42: a GET takes the place of a POST`() async throws {
    try await lane.reply(to: "readQueueState", "200.matched")
    try await expect("req.method.unknown", sweeping: "readQueueState") { try await $0.getForPost() }
  }
}
