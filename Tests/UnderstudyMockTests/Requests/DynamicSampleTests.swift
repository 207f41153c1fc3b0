import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct DynamicSampleTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Users, version: "1"}
    paths:
      /user:
        get:
          operationId: readUser
          responses:
            "200":
              description: d
              content:
                application/json:
                  example: {id: 4b8b0d0e-2f6c-4a3c-9a0a-0f6f7f3c2b11, mail: a@b.c, name: Ada}
                  schema:
                    type: object
                    required: [id, mail, name]
                    properties:
                      id: {type: string, format: uuid}
                      mail: {type: string, format: email}
                      name: {type: string, minLength: 3}
      /flag:
        get:
          operationId: readFlag
          responses:
            "200":
              description: d
              content: {application/json: {schema: {const: true}}}

    """

  private func lane(seed: String = "0", fixtures: [String: String] = [:], isDynamic: Bool = true) throws -> LaneClient {
    LaneClient(
      try ContractFixture(Self.contract, fixtures: fixtures).mock {
        $0.isDynamic = isDynamic
        $0.seed = seed
      })
  }

  private func texts(_ lane: LaneClient, _ count: Int = 20) -> [String] {
    (0..<count).map { _ in lane.send("/user").text }
  }

  @Test func `a dynamic sample is new for each request`() throws {
    let lane = try lane()
    #expect(Set(texts(lane)).count == 20)
    #expect(lane.send("/user").reason == "sample readUser/200")
    #expect(Set((0..<3).map { _ in lane.send("/flag").text }) == ["true"])
  }

  @Test func `every dynamic sample fits its schema and its formats`() throws {
    let lane = try lane(seed: "7")
    let operation = try #require(lane.mock.operations.first)
    for _ in 0..<20 {
      let reply = lane.send("/user")
      let answer = ResponseView(
        status: reply.status, fields: reply.response.headerFields, body: reply.body, method: "GET", hadBody: false,
        askedForPart: false)
      let result = operation.compiled.exchangeValidator(operation.options).validate(
        ValidationResult(), answer, isMeant: false, within: nil)
      #expect(result.findings.isEmpty)
    }
  }

  @Test func `a seed repeats the sequence in each lane, and another seed has another one`() throws {
    let first = texts(try lane(seed: "7"))
    #expect(try texts(lane(seed: "7")) == first)
    #expect(try texts(lane(seed: "8")) != first)
    let own = try lane(seed: "8")
    own.state.seed = "7"
    #expect(texts(own) == first)
  }

  @Test func `a request with a seed gets the same bytes each time`() throws {
    let lane = try lane()
    let replies = (0..<3).map { _ in lane.send("/user", ["Prefer": "dynamic=true, seed=5"]).text }
    #expect(Set(replies).count == 1)
  }

  @Test func `a lane has dynamic samples, or none, by itself`() throws {
    let lane = try lane(isDynamic: false)
    var opening = LaneOpening()
    opening.isDynamic = true
    opening.apply(to: &lane.state, of: lane.mock)
    #expect(Set(texts(lane)).count == 20)
    opening.isDynamic = false
    opening.apply(to: &lane.state, of: lane.mock)
    #expect(Set(texts(lane)) == [#"{"id":"4b8b0d0e-2f6c-4a3c-9a0a-0f6f7f3c2b11","mail":"a@b.c","name":"Ada"}"#])
  }

  @Test func `fixtures with a condition are served as they are`() throws {
    let fixture = "when: {query: {me: \"1\"}}\nbody: {id: 1, mail: a@b.c, name: me}\n"
    let lane = try lane(fixtures: ["readUser/200.mine.yaml": fixture])
    #expect(Set((0..<3).map { _ in lane.send("/user?me=1").text }) == [#"{"id":1,"mail":"a@b.c","name":"me"}"#])
  }

  @Test func `requests of several threads to one lane get different samples`() async throws {
    let mock = try lane().mock
    let shared = Lane(mock.newState())
    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { mock.reply(to: Mock.request(.get, "/user"), body: [], in: shared).text }
      }
      var texts: Set<String> = []
      for await text in group { texts.insert(text) }
      return texts
    }
    #expect(texts.count == 50)
  }
}
