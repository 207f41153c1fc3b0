import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct HeaderTemplateTests {
  private func withMock(_ yaml: String, _ file: String = "readNote/200.yaml", _ body: (Mock) throws -> Void) throws {
    try ContractFixture(MockContract.notes, fixtures: [file: yaml]).withMock(
      configure: { $0.now = { 1_000_000_000_000 } }, body)
  }

  @Test func `header fields of a template are filled, with the random values of the body`() throws {
    let yaml = """
      template: true
      text: "{{uuid}}"
      headers: {X-Id: "{{request.path.id}}", Location: "/notes/{{uuid}}", Set-Cookie: ["a={{now format=epoch}}", b=1]}
      """
    try withMock(yaml) { mock in
      #expect(mock.complaints == [])
      let reply = mock.send("/notes/7")
      #expect(reply.header("X-Id") == "7")
      #expect(reply.header("Location") == "/notes/\(reply.text)")
      #expect(reply.response.headerFields[values: .setCookie] == ["a=1000000", "b=1"])
    }
  }

  @Test func `a template without a body has header fields alone`() throws {
    try withMock("template: true\nheaders: {Location: '/notes/{{request.path.id}}'}\n", "readNote/302.yaml") { mock in
      let reply = mock.send("/notes/7?__code=302")
      #expect(reply.status == 302 && reply.text.isEmpty && reply.header("Location") == "/notes/7")
      #expect(reply.header("Content-Type") == nil)
    }
  }

  @Test(arguments: [
    ("headers: {X-Id: 'a ↓{{uper request.path.id}}'}\n", "the template cannot be read: `uper` is not a function"),
    (
      "headers: {X-Id: ['a', '↓{{request.pth.id}}']}\n",
      "nothing gives `{{request.pth.id}}` a value, so it renders as nothing"
    ),
  ]) func `a mistake in a header field is reported at its tag`(yaml: String, message: String) throws {
    let marked = MarkedText(yaml + "text: '{{now}}'\ntemplate: true\n")
    try withMock(marked.text) { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.message) == [message])
      // A function is marked after the braces of its tag.
      let place = found.first?.location?.range?.lowerBound ?? 0
      #expect([place, place - 2].contains(marked.offsets[0]), "\(place)")
    }
  }

  @Test func `a tag in a header field that is no template is a warning, unless template is false`() throws {
    let marked = MarkedText("headers: {X-Id: 'a ↓{{request.path.id}}'}\ntext: a\n")
    try withMock(marked.text) { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureTemplateOff])
      #expect(found.map(\.message) == ["`{{request.path.id}}` is sent as text: the value is no template"])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.send("/notes/7").header("X-Id") == "a {{request.path.id}}")
    }
    try withMock(marked.text + "template: false\n") { #expect($0.complaints == []) }
  }

  @Test func `a fixture that cannot be filled is a 500 with the tag and the reason`() throws {
    try withMock("template: true\nbody: {n: \"{{add request.path.id 1}}\"}\n") { mock in
      #expect(mock.send("/notes/7").text == #"{"n":"8"}"#)
      let reply = mock.send("/notes/x")
      #expect(reply.status == 500 && reply.header("Content-Type") == "application/problem+json")
      let detail = try JSONParser.parse(reply.body).root["detail"]?.text
      #expect(
        detail
          == "readNote/200: `x` is not a number, at `add request.path.id 1` in line 1, column 9 of the body")
    }
  }
}
