import HTTPTypes
import Testing
import Understudy

struct FixtureTemplateTests {
  private struct Values: RequestValues {
    var all: [RequestPart: [(String, [String])]] = [:]
    func values(_ part: RequestPart, _ name: String) -> [String] { all[part]?.first { $0.0 == name }?.1 ?? [] }
    func all(_ part: RequestPart) -> [(name: String, values: [String])] { all[part]?.map { ($0.0, $0.1) } ?? [] }
  }

  private func render(_ text: String, _ fileExtension: String = "json", _ values: Values = Values()) throws -> String {
    String(decoding: try FixtureTemplate(text, fileExtension: fileExtension).render(values, now: "NOW"), as: UTF8.self)
  }

  @Test func `each part of a request has its values`() throws {
    let values = Values(all: [
      .path: [("id", ["7"])], .query: [("a", ["b"])], .header: [("X-Mode", ["fast"])], .body: [("nick", ["Tom"])],
    ])
    let text = "{{request.path.id}} {{request.query.a}} {{request.header.X-Mode}} {{request.body.nick}} {{now}}"
    #expect(try render(text, "txt", values) == "7 b fast Tom NOW")
  }

  @Test func `what is not there is nothing`() throws {
    #expect(try render("[{{request.path.id}}{{nothing}}]") == "[]")
  }

  @Test(arguments: [("json", "a\\\"b\\\\<\\u0001>"), ("html", "a&quot;b\\&lt;\u{1}&gt;"), ("txt", "a\"b\\<\u{1}>")])
  func `inserted text is escaped for where it goes`(fileExtension: String, expected: String) throws {
    let values = Values(all: [.body: [("x", ["a\"b\\<\u{1}>"])]])
    #expect(try render("{{request.body.x}}", fileExtension, values) == expected)
  }

  @Test func `a repeated value is a list`() throws {
    let values = Values(all: [.query: [("a", ["1", "2"])]])
    #expect(try render("{{#request.query.a}}({{.}}){{/request.query.a}}", "txt", values) == "(1)(2)")
  }

  @Test func `what a client sends is no template`() throws {
    let values = Values(all: [.body: [("x", ["{{now}}"])]])
    #expect(try render("{{request.body.x}}", "txt", values) == "{{now}}")
  }

  @Test(.timeLimit(.minutes(5))) func `many members cost no quadratic time`() throws {
    let yaml = "template: true\ntext: \"{{request.body.n99999}}\"\n"
    let body = "{\((0..<100_000).map { "\"n\($0)\":\($0)" }.joined(separator: ","))}"
    try withMock(MockContract.notes, fixtures: ["writeNote/409.yaml": yaml]) { engine in
      let reply = engine.send(.post, "/notes/1?__code=409", ["Content-Type": "application/json"], body: body)
      #expect(reply.text == "99999")
    }
  }

  @Test func `a template answers with the request that came`() throws {
    let yaml = "template: true\nbody: {said: \"{{request.body.said}}\", to: \"{{request.path.id}}\"}\n"
    try withMock(MockContract.notes, fixtures: ["writeNote/409.yaml": yaml]) { engine in
      let reply = engine.send(.post, "/notes/a%22b?__code=409", body: "said=%22%ED%95%9C%22%0A")
      #expect(reply.text == "{\"said\":\"\\\"한\\\"\\n\",\"to\":\"a\\\"b\"}")
      #expect(reply.header("Content-Type") == "application/json")
      #expect(engine.send(.post, "/notes/1?__code=409").text == "{\"said\":\"\",\"to\":\"1\"}")
    }
  }
}
