import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures", scenario: "accepted-by-push"))
struct PushTests {
  @Test func `a test reads the push messages of its scenario`() throws {
    let api = try #require(Understudy.current)
    #expect(api.pushes.isEmpty)
    try send("POST", "/v1/queue/studyrequest", form, body: "otheruid=hT5wKq9ZrXb3NfUe7LmYc1VsDg42")
    let push = try #require(api.pushes.first)
    #expect(api.pushes.count == 1)
    #expect(push.name == "studyAccepted" && push.recipient == nil)
    #expect(push.content["studyAccepted"] == "1")
    #expect(push.description.hasPrefix(#"studyAccepted: {"studyAccepted":"1","#))
    try send("/v1/queue/myQueueState", fields: "idtoken: t\r\n")
  }
}
