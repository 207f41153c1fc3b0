import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FixtureTemplateTests {
  private struct Values: RequestValues {
    var all: [RequestPart: [(String, [String])]] = [:]
    func values(_ part: RequestPart, _ name: String) -> [String] { all[part]?.first { $0.0 == name }?.1 ?? [] }
  }

  private func render(_ text: String, _ fileExtension: String = "json", _ values: Values = Values()) throws -> String {
    let template = try FixtureTemplate(Array(text.utf8), fileExtension: fileExtension)
    let rendered = String(decoding: template.render(values, .sample), as: UTF8.self)
    return rendered.replacing("2022-12-06T11:02:15.120Z", with: "NOW")
  }

  @Test func `each part of a request has its values`() throws {
    let values = Values(all: [
      .path: [("id", ["7"])], .query: [("a", ["b"])], .header: [("X-Mode", ["fast"])], .body: [("nick", ["Tom"])],
    ])
    let text = "{{request.path.id}} {{request.query.a}} {{request.header.X-Mode}} {{request.body.nick}} {{now}}"
    #expect(try render(text, "txt", values) == "7 b fast Tom NOW")
  }

  @Test func `an unknown name renders as nothing`() throws {
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

  // MARK: The Mustache specification

  /// `a` is `x<&"`, `list` has three items, `off` is false.
  private static let values = Values(all: [
    .query: [("a", ["x<&\""]), ("list", ["1", "2", "3"]), ("off", ["false"]), ("empty", [""])],
    .body: [("nick", ["Tom"]), ("a", ["body"])],
  ])

  struct Row: Sendable, CustomTestStringConvertible {
    let template: String
    let rendered: String
    var testDescription: String { template }

    init(_ template: String, _ rendered: String) { (self.template, self.rendered) = (template, rendered) }
  }

  static let interpolation = [
    Row("no tags {or} }} at all", "no tags {or} }} at all"),
    Row("{{ request.query.a }}", "x&lt;&amp;&quot;"), Row("{{{request.query.a}}}", "x<&\""),
    Row("{{{ request.query.a }}}|{{& request.query.a }}|{{&request.query.a}}", "x<&\"|x<&\"|x<&\""),
    Row("{{request.query.list}}", "1,2,3"), Row("{{request.query.none.deeper}}|{{none.a}}", "|"),
    Row("{{request.query.a.b}}", ""), Row("{{request}}{{request.query}}{{.}}", ""), Row("{{{now}}}}", "NOW}"),
    Row("  {{now}}\n", "  NOW\n"), Row("{{\nnow\n}}", "NOW"),
  ]

  static let sections = [
    Row("{{#request.query.list}}{{.}};{{/request.query.list}}", "1;2;3;"),
    Row("{{# now }}[{{.}}]{{/ now }}", "[NOW]"), Row("{{#none}}a{{/none}}", ""),
    Row("{{#request.query.off}}a{{/request.query.off}}", ""),
    Row("{{#request.query.empty}}a{{/request.query.empty}}", "a"),
    Row("{{#request}}{{#body}}{{nick}}{{#query}}{{a}}{{/query}}{{/body}}{{/request}}", "Tomx&lt;&amp;&quot;"),
    Row("{{#request.query}}{{#request.body}}{{a}}{{/request.body}}{{/request.query}}", "body"),
    // The first part of a name decides which section it belongs to.
    Row("{{#request.body}}{{a.b}}{{nick}}{{now}}{{/request.body}}", "TomNOW"),
    Row("{{#now}}{{#now}}{{.}}{{/now}}{{/now}}", "NOW"),
  ]

  static let inverted = [
    Row("{{^none}}a{{/none}}", "a"), Row("{{^request.query.off}}a{{/request.query.off}}", "a"),
    Row("{{^now}}a{{/now}}", ""), Row("{{^request.query.list}}a{{/request.query.list}}", ""),
    Row("{{^none}}{{^none}}{{now}}{{/none}}{{#none}}b{{/none}}{{/none}}", "NOW"),
  ]

  static let comments = [
    Row("1{{! any }}2{{!\n{{ any\n}}3", "123"), Row("{{!now}}", ""),
  ]

  static let standaloneLines = [
    Row("a\n{{! x }}\nb\n", "a\nb\n"), Row("a\n  {{! x }}\t\nb", "a\nb"), Row("a\r\n{{! x }}\r\nb", "a\r\nb"),
    Row("{{! x }}\nb", "b"), Row("a\n  {{! x }}", "a\n"), Row("a\n{{!\n x\n }}\nb", "a\nb"),
    Row("a {{! x }}\nb", "a \nb"), Row("{{! x }} b\n", " b\n"),
    Row("a\n {{#now}} \nb\n{{/now}}\nc", "a\nb\nc"), Row("a\n{{^none}}\nb\n {{/none}}\nc", "a\nb\nc"),
    Row(" {{#now}}b{{/now}}\n", " b\n"), Row(" {{#now}}\tb\n {{/now}}\nc", " \tb\nc"),
    Row("{{#request.query.list}}\n- {{.}}\n{{/request.query.list}}\n", "- 1\n- 2\n- 3\n"),
  ]

  @Test(arguments: interpolation + sections + inverted + comments + standaloneLines)
  func `a template renders as in the Mustache specification`(row: Row) throws {
    #expect(try render(row.template, "html", Self.values) == row.rendered)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let marked: String
    let message: String
    var testDescription: String { marked }

    init(_ marked: String, _ message: String) { (self.marked, self.message) = (marked, message) }
  }

  static let mistakes = [
    Mistake("a ↓{{now", "a tag has no end"), Mistake("↓{{{now}}", "a tag has no end"),
    Mistake("↓{{#a}}b", "the section `{{#a}}` has no end"),
    Mistake("{{#a}}↓{{#b}}{{now}}", "the section `{{#b}}` has no end"),
    Mistake("{{#a}}x↓{{/b}}", "`{{/b}}` cannot end the section `{{#a}}`"),
    Mistake("x↓{{/b}}", "`{{/b}}` ends no section"),
    Mistake("{{↓a b}}", "`a` is not a function"), Mistake("↓{{}}", "the tag `{{}}` has no valid name"),
    Mistake("x\n↓{{a..b}}", "the tag `{{a..b}}` has no valid name"),
    Mistake("↓{{uppercased(a)}}", "the tag `{{uppercased(a)}}` has no valid name"),
    Mistake("↓{{> part }}", "the tag `{{> part }}` is not supported"),
    Mistake("↓{{=<% %>=}}", "the tag `{{=<% %>=}}` is not supported"),
    Mistake("↓{{<a}}{{/a}}", "the tag `{{<a}}` is not supported"),
    Mistake(
      String(repeating: "{{#a}}", count: 32) + "↓{{#a}}", "sections are nested more than 32 deep"),
  ]

  @Test(arguments: mistakes) func `a mistake in a template is reported at its tag`(mistake: Mistake) throws {
    let marked = MarkedText(mistake.marked)
    let problem = #expect(throws: TextProblem.self) {
      try FixtureTemplate(Array(marked.text.utf8), fileExtension: "txt")
    }
    #expect(problem?.message == mistake.message)
    #expect(problem?.range.lowerBound == marked.offsets.first)
  }

  @Test func `tags in inserted text are not rendered`() throws {
    let values = Values(all: [.body: [("x", ["{{now}}"])]])
    #expect(try render("{{request.body.x}}", "txt", values) == "{{now}}")
  }

  private final class CountedValues: RequestValues {
    var lookups: [String] = []
    func values(_ part: RequestPart, _ name: String) -> [String] {
      lookups.append(name)
      return [name]
    }
  }

  @Test func `a template looks up the names that it holds, once each`() throws {
    let values = CountedValues()
    let template = try FixtureTemplate(
      Array("{{request.body.n99999}} {{request.query.a}}".utf8), fileExtension: "txt")
    #expect(String(decoding: template.render(values, .sample), as: UTF8.self) == "n99999 a")
    #expect(values.lookups == ["n99999", "a"])
  }

  @Test func `one member of a hundred thousand is rendered`() throws {
    let yaml = "template: true\ntext: \"{{request.body.n99999}}\"\n"
    let body = "{\((0..<100_000).map { "\"n\($0)\":\($0)" }.joined(separator: ","))}"
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.yaml": yaml]).withMock { mock in
      let reply = mock.send(.post, "/notes/1?__code=409", ["Content-Type": "application/json"], body: body)
      #expect(reply.text == "99999")
    }
  }

  @Test func `a template answers with the request that came`() throws {
    let yaml = "template: true\nbody: {said: \"{{request.body.said}}\", to: \"{{request.path.id}}\"}\n"
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.yaml": yaml]).withMock { mock in
      let reply = mock.send(.post, "/notes/a%22b?__code=409", body: "said=%22%ED%95%9C%22%0A")
      #expect(reply.text == "{\"said\":\"\\\"한\\\"\\n\",\"to\":\"a\\\"b\"}")
      #expect(reply.header("Content-Type") == "application/json")
      #expect(mock.send(.post, "/notes/1?__code=409").text == "{\"said\":\"\",\"to\":\"1\"}")
    }
  }
}
