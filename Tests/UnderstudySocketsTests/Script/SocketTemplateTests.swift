import Testing
import UnderstudySchema
import UnderstudySockets

struct SocketTemplateTests {
  @Test func `a template within text becomes text, and one alone keeps its type`() {
    let environment: JSON = ["event": [["n": 1.5, "list": [1]]], "name": "chat"]
    #expect(SocketTemplate.fill("{{event.0.n}}", from: environment) == 1.5)
    #expect(SocketTemplate.fill("a {{ name }} {{event.0.list}} {{gone}}.", from: environment) == "a chat [1] .")
    #expect(SocketTemplate.fill(["x": ["{{gone}}"]], from: environment) == ["x": [.null]])
  }
}
