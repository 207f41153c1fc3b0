import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FixtureReaderTests {
  // MARK: - Plain files

  @Test func `a plain file is the body, byte for byte, and its extension the type`() throws {
    let files = ["readNote/200.json": " {\n} \n", "readNote/404.txt": "gone\r\n", "readNote/503.empty.bin": ""]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.complaints == [])
      let found = mock.send("/notes/1")
      #expect(found.text == " {\n} \n")
      #expect(found.header("Content-Type") == "application/json")
      let lost = mock.send("/notes/1", ["Prefer": "code=404"])
      #expect(lost.text == "gone\r\n")
      #expect(lost.header("Content-Type") == "text/plain; charset=utf-8")
      let empty = mock.send("/notes/1", ["Prefer": "code=503, example=empty"])
      #expect(empty.body == [])
      #expect(empty.header("Content-Type") == nil)
    }
  }

  // MARK: - Streams

  private static let feed = ContractFixture.text(
    paths: """
        /feed:
          get:
            operationId: readFeed
            responses: {"200": {description: Events., content: {text/event-stream: {}, application/json: {}}}}
      """)

  private func complaints(_ description: String, _ body: String = "data: a\\n\\ndata: b\\n\\n") throws -> [String] {
    let yaml = "contentType: text/event-stream\ntext: \"\(body)\"\n\(description)\n"
    return try ContractFixture(Self.feed, fixtures: ["readFeed/200.yaml": yaml]).withMock(\.complaints)
  }

  @Test func `a stream has a pause for each of its records`() throws {
    #expect(try complaints("pauses: [0ms, 1.5s]") == [])
    #expect(
      try complaints("pauses: [10ms]").first?.contains("expected 2 times, one for each record of the body, found 1")
        == true)
    #expect(try complaints("pauses: [10ms, 7]").first?.contains("`7` is not a time") == true)
    #expect(try complaints("pauses: 10ms").first?.contains("expected a list of times for `pauses`") == true)
    #expect(
      try complaints("pauses: [1ms, 1ms]\ntemplate: true").first?.contains(
        "`pauses` cannot be combined with a template") == true)
    let yaml = "body: [1]\npauses: [1ms]\n"
    try ContractFixture(Self.feed, fixtures: ["readFeed/200.yaml": yaml]).withMock { mock in
      #expect(mock.complaints.first?.contains("`pauses` are for a stream, and the body is application/json") == true)
    }
  }

  // MARK: - Descriptions

  @Test func `a description sets every part of an answer`() throws {
    let yaml = """
      summary: Slow and cut.
      headers: {X-Count: 3, X-Flag: true, X-Many: [a, b]}
      body: {text: 한글, list: [1, 2.50]}
      contentType: application/vnd.note+json
      delay: 250ms
      fault: truncate
      violates: [resp.content-type.undocumented]
      """
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": yaml]).withMock { mock in
      #expect(mock.complaints == [])
      let reply = mock.send("/notes/1")
      #expect(reply.text == "{\"text\":\"한글\",\"list\":[1,2.50]}")
      #expect(reply.header("Content-Type") == "application/vnd.note+json")
      #expect(reply.header("X-Count") == "3")
      #expect(reply.header("X-Flag") == "true")
      #expect(reply.header("X-Many") == "a, b")
      #expect(reply.delay == .milliseconds(250))
      #expect(reply.fault == .truncate)
      let fixture = mock.contracts[0].fixtures.fixtures["readNote"]?.first
      #expect(fixture?.summary == "Slow and cut.")
      #expect(fixture?.violates == ["resp.content-type.undocumented"])
    }
  }

  @Test func `a header with null is not sent, whether the body or the contract asks for it`() throws {
    let contract = ContractFixture.text(
      paths: """
          /raw:
            get:
              operationId: readRaw
              responses:
                "200":
                  description: Raw.
                  headers: {X-Total: {required: true, schema: {type: integer}}}
                  content: {text/plain: {}}

        """)
    let files = ["readRaw/200.yaml": "text: raw\nheaders: {content-type: null, X-Total: null, X-Other: a}\n"]
    try ContractFixture(contract, fixtures: files).withMock { mock in
      #expect(mock.complaints == [])
      let reply = mock.send("/raw")
      #expect(reply.text == "raw")
      #expect(reply.header("Content-Type") == nil)
      #expect(reply.header("X-Total") == nil)
      #expect(reply.header("X-Other") == "a")
    }
  }

  @Test func `a body may be text, a file beside, or nothing`() throws {
    let files = [
      "readNote/200.yaml": "bodyFile: _long.json\n", "readNote/_long.json": "{\"long\": 1}",
      "readNote/404.yaml": "text: |\n  gone\n", "readNote/500.yaml": "summary: Nothing.\n", "readNote/501.yaml": "",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.complaints == [])
      #expect(mock.send("/notes/1").text == "{\"long\": 1}")
      #expect(mock.send("/notes/1", ["Prefer": "code=404"]).text == "gone\n")
      for code in [500, 501] {
        let reply = mock.send("/notes/1", ["Prefer": "code=\(code)"])
        #expect(reply.status == code)
        #expect(reply.body == [])
      }
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    /// The arrow stands before what the finding must point at.
    var text: String
    var rule = "fixture.invalid"
    var message: String
    var help: String?
    var testDescription: String { text }
  }

  static let mistakes = [
    Mistake(
      text: "↓boddy: {}", rule: "fixture.unknown-key", message: "unknown key `boddy`", help: "did you mean `body`?"),
    Mistake(text: "summary: ↓[a]", message: "expected text for `summary`, found array"),
    Mistake(text: "headers: ↓[a]", message: "expected a mapping of header names to values, found array"),
    Mistake(text: "headers: {X-A: ↓{}}", message: "expected text for the header `X-A`, found object"),
    Mistake(
      text: "headers: {A B: ↓c}",
      message: "`A B` cannot be sent as a header: expected letters, digits and `-`, and a value of one line"),
    Mistake(
      text: "headers: {A: ↓\"x\\r\\nSet-Cookie: a\"}",
      message: "`A` cannot be sent as a header: expected letters, digits and `-`, and a value of one line"),
    Mistake(text: "delay: ↓soon", message: "`soon` is not a delay"),
    Mistake(text: "delay: ↓-1s", message: "`-1s` is not a delay"),
    Mistake(text: "delay: ↓2000m", message: "`2000m` is not a delay"),
    Mistake(text: "fault: ↓rest", message: "`rest` is not a fault", help: "did you mean `reset`?"),
    Mistake(text: "fault: reset@↓often", message: "`@often` is not a condition"),
    Mistake(text: "fault: [reset, delay:↓soon]", message: "`soon` is not a delay"),
    Mistake(text: "fault: ↓{kind: reset}", message: "expected a fault such as `reset` or `reset@20%`, found object"),
    Mistake(text: "violates: ↓resp.body.schema", message: "expected a list of rule ids, found string"),
    Mistake(
      text: "violates: [↓resp.body.schma]", message: "unknown rule `resp.body.schma`",
      help: "did you mean `resp.body.schema`?"),
    Mistake(text: "body: a\n↓text: b", message: "`body` and `text` exclude each other", help: "keep one of them"),
    Mistake(text: "bodyFile: ↓none.json", message: "the body file `none.json` cannot be read: no such file or folder"),
    Mistake(text: "body: {}\ntemplate: ↓3", message: "expected `true` or `false` for `template`, found number"),
    Mistake(text: "↓- 200", message: "expected a mapping with \(FixtureKey.names), found array"),
    Mistake(text: "body: 1\n↓body: 2", message: "duplicate key `body` in one object"),
  ]

  @Test(arguments: mistakes) func `an invalid value is reported at its location, and the fixture is left out`(
    _ mistake: Mistake
  ) throws {
    let marked = MarkedText(mistake.text)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule.id) == [mistake.rule])
      #expect(found.first?.message == mistake.message)
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.contracts[0].fixtures.count == 0)
      if let help = mistake.help { #expect(found.first?.help == help) }
      #expect(found.allSatisfy { $0.owner == .fixture })
    }
  }

  @Test(arguments: [
    "text: \"↓{{#a}}\"\ntemplate: true\n", "text: |\n  {{#a}}{{/a}}\n  ↓{{#a}}\ntemplate: true\n",
    "template: true\nbody: {a: [\"{{now}}\", \"↓{{#a}}\"]}\n",
  ]) func `a template that cannot be read is reported at its tag`(yaml: String) throws {
    let marked = MarkedText(yaml)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureInvalid])
      #expect(found.map(\.message) == ["the template cannot be read: the section `{{#a}}` has no end"])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.send("/notes/1").reason == "example readNote/200.first")
    }
  }

  @Test func `a mistake in the template of a body file is reported in that file`() throws {
    let fixtures = [
      "readNote/200.yaml": "bodyFile: _note.txt\ntemplate: true\n", "readNote/_note.txt": "a\n b {{#a}}\n",
    ]
    try ContractFixture(MockContract.notes, fixtures: fixtures).withMock { mock in
      let locations = mock.contracts[0].diagnostics.map { $0.location?.description ?? "" }
      #expect(locations.count == 1 && locations[0].hasSuffix("readNote/_note.txt:2:4"), "\(locations)")
    }
  }

  @Test(arguments: [
    (#"text: "↓{{request.heders.X-A}}""#, "request.heders.X-A", "did you mean `header`?"),
    (#"body: {n: "a ↓{{faker.name}}"}"#, "faker.name", "known: request, var, others, now, uuid, random, jwt"),
    (
      #"text: "{{now}} ↓{{{request.query.o.p}}}""#, "request.query.o.p",
      "a name of this part has three parts, or a position after them: `{{request.query.o.0}}`"
    ),
    (#"text: "↓{{response.body.id}}""#, "response.body.id", "known: request, var, others, now, uuid, random, jwt"),
    (#"text: "↓{{other.nick}}""#, "other.nick", "did you mean `others`?"),
    (
      #"text: "↓{{#others.near.nick}}{{/others.near.nick}}""#, "others.near.nick",
      "as in `{{#others.nearby}}{{nick}}{{/others.nearby}}`"
    ),
    (#"text: "↓{{^reqest.body.a}}-{{/reqest.body.a}}""#, "reqest.body.a", "did you mean `request`?"),
  ]) func `a name without a value is reported at its tag, and the fixture is served`(
    yaml: String, name: String, help: String
  ) throws {
    let marked = MarkedText(yaml + "\ntemplate: true\n")
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureTemplateUnknown])
      #expect(found.map(\.message) == ["nothing gives `{{\(name)}}` a value, so it renders as nothing"])
      #expect(found.map(\.help) == [help])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.contracts[0].fixtures.count == 1)
    }
  }

  @Test(arguments: [
    "{{request.path.id}} {{request.body./o/p}} {{var.who}} {{now +1h}} {{uuid}}",
    "{{#others.near}}{{me}} {{nick}}{{^isLast}}, {{/isLast}}{{/others.near}}{{^others.near}}none{{/others.near}}",
    "{{#request.query.tag}}{{.}}{{/request.query.tag}} {{#request}}{{#body}}{{anything}}{{/body}}{{/request}}",
  ]) func `a template whose names may have values has no finding`(text: String) throws {
    let files = [
      "readNote/200.yaml": "text: '\(text)'\ntemplate: true\n",
      "readNote/404.yaml": "bodyFile: _gone.txt\ntemplate: true\n", "readNote/_gone.txt": text,
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { #expect($0.complaints == []) }
  }

  @Test func `an unknown name in a body file is reported in that file`() throws {
    let marked = MarkedText("<p>{{request.path.id}}\n ↓{{faker.name}}")
    let files = ["readNote/200.yaml": "bodyFile: _page.html\ntemplate: true\n", "readNote/_page.html": marked.text]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureTemplateUnknown])
      #expect(found.first?.location?.path?.hasSuffix("_page.html") == true)
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
    }
  }

  @Test(arguments: [
    ("200.yaml", "text: \"a ↓{{x}} {{y}}\"\n", "{{x}}"), ("200.yaml", "body: {a: [\"↓{{now +1h}}\"]}\n", "{{now +1h}}"),
    ("200.json", "{\"a\": \"↓{{request.body.chat}}\"}", "{{request.body.chat}}"),
    ("200.html", "<p>↓{{{ title }}}</p>", "{{{ title }}}"), ("200.txt", "{{ a | b }} ↓{{#list}}{{/list}}", "{{#list}}"),
  ]) func `a tag in a body that is no template is a warning at its location, and is sent as it is`(
    file: String, body: String, tag: String
  ) throws {
    let marked = MarkedText(body)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/\(file)": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureTemplateOff])
      #expect(found.map(\.severity) == [.warning])
      #expect(found.map(\.message) == ["`\(tag)` is sent as text: the body is no template"])
      #expect(found.first?.help?.contains("`template: false`") == true)
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.send("/notes/1").text.contains(tag))
    }
  }

  @Test func `a tag in a body file is a warning in that file, unless a description says what it is`() throws {
    let marked = MarkedText("{\"a\": \"↓{{now}}\"}")
    for (line, rules) in [("", [Rule.fixtureTemplateOff]), ("template: false", []), ("template: true", [])] {
      let files = ["readNote/200.yaml": "bodyFile: _b.json\n\(line)\n", "readNote/_b.json": marked.text]
      try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
        let found = mock.contracts[0].diagnostics
        #expect(found.map(\.rule) == rules)
        #expect(found.allSatisfy { $0.location?.path?.hasSuffix("_b.json") == true })
        #expect(found.compactMap { $0.location?.range?.lowerBound } == (rules.isEmpty ? [] : marked.offsets))
        #expect(mock.send("/notes/1").text.contains("{{now}}") == (line != "template: true"))
      }
    }
  }

  @Test(arguments: [
    #"{"a":{"b":{}}}"#, "{{}} {{ }} {{1}} {{ a.b() }} {{ a | b }} {{'x'}} {{> part}}", "{{x", "{{x}", "{{{x}",
    "{{\u{FF}x}}",
    "{{" + String(repeating: "x", count: 300) + "}}",
  ]) func `braces that are no tag are no finding`(body: String) throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.txt": body]).withMock { mock in
      #expect(mock.complaints == [])
    }
  }

  @Test func `a file with invalid JSON is reported at its location, and served`() throws {
    let marked = MarkedText("{\"n\": ↓nope}")
    let files = [
      "readNote/200.json": marked.text, "readNote/404.json": "", "readNote/500.yaml": "bodyFile: _torn.json\n",
      "readNote/501.yaml": "bodyFile: _torn.json\nviolates: [resp.body.unparsable]\n", "readNote/_torn.json": "{",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule) == [.fixtureBodySyntax, .fixtureBodySyntax])
      #expect(found.first?.location?.range?.lowerBound == marked.offsets.first)
      #expect(found.last?.location?.path?.hasSuffix("_torn.json") == true)
      #expect(mock.send("/notes/1").text == marked.text)
    }
  }

  @Test func `an answer that has no body must not have one, unless that is meant`() throws {
    let files = [
      "writeNote/204.txt": "body", "writeNote/204.meant.yaml": "text: body\nviolates: [resp.body.unexpected]\n",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.complaints == ["fixture.body.forbidden  a response 204 has no body, but this fixture has one"])
    }
  }
}
