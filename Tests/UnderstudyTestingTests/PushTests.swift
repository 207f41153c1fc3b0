import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures", scenario: "accepted-by-push"))
struct PushTests {
  @Test func `a test reads the push messages of its scenario`() async throws {
    let lane = try #require(Lane.current)
    #expect(try await lane.pushes().isEmpty)
    try send("POST", "/v1/queue/studyrequest", form, body: "otheruid=hT5wKq9ZrXb3NfUe7LmYc1VsDg42")
    let pushes = try await lane.pushes()
    let push = try #require(pushes.first)
    #expect(pushes.count == 1)
    #expect(push.name == "studyAccepted" && push.recipient == nil)
    #expect(push.content["studyAccepted"] == "1")
    try send("/v1/queue/myQueueState", fields: "idtoken: t\r\n")
  }
}
