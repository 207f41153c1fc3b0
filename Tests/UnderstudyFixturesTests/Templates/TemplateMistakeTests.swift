import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct TemplateMistakeTests {
  @Test(arguments: [
    ("{{↓uper request.body.a}}", "`uper` is not a function", "did you mean `upper`?"),
    ("{{upper 'a' ↓'b'}}", "`upper` takes 1 value, found 2", "as in `{{upper request.body.nick}}`"),
    ("{{↓default request.body.a}}", "`default` takes 2 values, found 1", "as in `{{default request.query.page 1}}`"),
    ("{{↓join request.body.a}}", "`join` takes 2 or more values, found 1", "as in"),
    ("{{add ↓'abc' 1}}", "`'abc'` is not a number", ""), ("{{add request.body.a ↓true}}", "`true` is not a number", ""),
    ("{{divide request.body.a ↓0}}", "the divisor is 0", ""),
    ("{{↓multiply 9999999999999999 9999999999999999}}", "the result has more than 18 digits", ""),
    ("{{add 1 ↓99999999999999999999}}", "`99999999999999999999` is not a number", ""),
    ("{{round request.body.a ↓digits=x}}", "expected a whole number from 0 to 18 for `digits`, found `x`", ""),
    ("{{round request.body.a ↓digit=2}}", "`digit` is not an option of this function", "did you mean `digits`?"),
    ("{{upper request.body.a ↓x=2}}", "`x` is not an option of this function", "it has none"),
    ("{{date request.body.a ↓format=YYYY}}", "`YYYY` is not a format", "known: date-time"),
    ("{{date request.body.a ↓offset='3 moons'}}", "`3 moons` is not an offset", "expected `+1h`"),
    ("{{now ↓offset='900 years'}}", "`900 years` is not an offset", "expected"),
    ("{{↓date 'tomorrow'}}", "`tomorrow` is not a date", "expected a date"),
    ("{{↓base64 '***' decode=true}}", "`***` is not a string in base64", ""),
    ("{{base64 request.body.a ↓decode=maybe}}", "expected `true` or `false` for `decode`, found `maybe`", ""),
    ("{{jsonPath request.body ↓'$.a['}}", "`$.a[` is not a JSONPath: ", ""),
    ("{{request.body.↓$.a[}}", "`$.a[` is not a JSONPath: ", ""),
    ("{{math 1 ↓'^' 2}}", "`^` is not an operator", "expected one of + - * / %"),
    ("{{upper ↓(lower 'a'}}", "a parenthesis has no end", ""), ("{{upper ↓'a}}", "a quote has no end", ""),
    ("{{#↓eahc request.body.a}}{{/eahc}}", "`eahc` is not a block", "did you mean `each`?"),
    ("{{#if request.body.a ↓eq 1}}{{/if}}", "`if` takes 1 value, found 3", "a function stands in parentheses"),
    ("{{#repeat ↓99999}}{{/repeat}}", "`repeat` takes a whole number from 0 to 10000, found `99999`", ""),
    ("{{#repeat ↓'x'}}{{/repeat}}", "`repeat` takes a whole number from 0 to 10000, found `'x'`", ""),
    ("{{#each request.body.a as ↓item}}{{/each}}", "`as` has no names", "expected names"),
    ("{{#if request.body.a}}{{else}}↓{{else}}{{/if}}", "the section `{{#if request.body.a}}` has a second `else`", ""),
    ("{{#if request.body.a}}↓{{/each}}", "`{{/each}}` cannot end the section `{{#if request.body.a}}`", ""),
    ("{{random ↓format=emial}}", "`emial` is not a format of random values", "did you mean `email`?"),
    ("{{faker ↓'location.cty'}}", "no value is known for `location.cty`", "did you mean `city`?"),
    ("{{randomValue ↓type=UID}}", "`UID` is not a type of a random value", "did you mean `UUID`?"),
    ("{{jwt sub=a ↓hs256=}}", "the secret of `hs256` is empty", ""),
  ]) func `a mistake is reported at its word with the way out`(marked: String, message: String, help: String) throws {
    let places = MarkedText(marked)
    let problem = #expect(throws: TextProblem.self) {
      try FixtureTemplate(Array(places.text.utf8), fileExtension: "txt")
    }
    #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
    #expect(problem?.help?.hasPrefix(help) ?? help.isEmpty, "\(problem?.help ?? "")")
    #expect(problem?.range.lowerBound == places.offsets.first)
  }

  @Test func `functions are nested up to 16 deep`() throws {
    func text(_ depth: Int) -> [UInt8] {
      Array(
        ("{{upper " + String(repeating: "(lower ", count: depth) + "'a'" + String(repeating: ")", count: depth) + "}}")
          .utf8)
    }
    _ = try FixtureTemplate(text(16), fileExtension: "txt")
    let problem = #expect(throws: TextProblem.self) { try FixtureTemplate(text(17), fileExtension: "txt") }
    #expect(problem?.message == "functions are nested more than 16 deep")
    #expect(problem?.kind == .limit)
  }

  // MARK: Limits and values of requests

  private struct Values: RequestValues {
    let texts: [String]
    func values(_ part: RequestPart, _ name: String) -> [String] { texts }
  }

  private func failure(_ text: String, _ texts: [String]) throws -> TextProblem? {
    let rendering = try FixtureTemplate(Array(text.utf8), fileExtension: "txt").rendered(Values(texts: texts), .sample)
    #expect(rendering.text.isEmpty || rendering.failure == nil)
    return rendering.failure
  }

  @Test(arguments: [
    ("{{add request.query.a 1}}", "abc", "`abc` is not a number"),
    ("{{divide 1 request.query.a}}", "0", "the divisor is 0"),
    ("{{add request.query.a 1}}", "9223372036854775807", "the result has more than 18 digits"),
    ("{{add request.query.a 1}}", "99999999999999999999", "`99999999999999999999` has more than 18 digits"),
    ("{{multiply request.query.a request.query.a}}", "9223372036854775807", "the result has more than 18 digits"),
    ("{{date request.query.a}}", "soon", "`soon` is not a date"),
    ("{{date request.query.a offset='1 day'}}", "9999-12-31", "the date is out of range"),
    ("{{date request.query.a}}", "-9223372036854775808", "`-9223372036854775808` is not a date"),
    ("{{base64 request.query.a decode=true}}", "/w==", "`/w==` is not a string in base64"),
    (
      "{{#repeat request.query.a}}x{{/repeat}}", "10001", "`repeat` takes a whole number from 0 to 10000, found `10001`"
    ),
    ("{{#repeat request.query.a}}x{{/repeat}}", "-1", "`repeat` takes a whole number from 0 to 10000, found `-1`"),
  ]) func `a value that a function does not take ends the rendering with the reason`(
    text: String, value: String, message: String
  ) throws {
    #expect(try failure(text, [value])?.message == message)
  }

  @Test func `nested loops over a long list end at the limit of steps`() throws {
    let loop = "{{#request.query.a}}"
    let end = "{{/request.query.a}}"
    let text = String(repeating: loop, count: 8) + "x" + String(repeating: end, count: 8)
    let problem = try failure(text, (0..<1_000).map(String.init))
    #expect(problem?.message == "the template takes more than 20 million steps")
    #expect(problem?.kind == .limit)
  }

  @Test func `output that repeats a long value ends at the limit of its length`() throws {
    let text = "{{#repeat 10000}}{{#repeat 100}}{{request.query.a}}{{/repeat}}{{/repeat}}"
    let problem = try failure(text, [String(repeating: "x", count: 1 << 20)])
    #expect(problem?.message == "the text has more than 16 MB")
  }

  @Test func `functions in a loop pay for the texts that they read`() throws {
    let text = "{{#repeat 10000}}{{#if (eq request.query.a 'b')}}x{{/if}}{{/repeat}}"
    #expect(try failure(text, [String(repeating: "x", count: 1 << 16)])?.kind == .limit)
    let random = "{{#repeat 10000}}{{#if (eq (random length=10000) 'b')}}x{{/if}}{{/repeat}}"
    #expect(try failure(random, ["a"])?.kind == .limit)
  }

  private struct JSONValues: RequestValues {
    let root: JSON
    func values(_ part: RequestPart, _ name: String) -> [String] { root[name]?.requestTexts ?? [] }
    func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON] {
      switch selector {
      case .field(let name): root[name].map { [$0] } ?? []
      case .path(let path): path.nodes(in: root, within: budget) ?? []
      }
    }
  }

  @Test(arguments: [
    // Each looks a long list, an object with many members or a long text up again for each item.
    "{{#with request.body}}{{#each list}}{{#if ../list}}x{{/if}}{{/each}}{{/with}}",
    "{{#each request.body.list}}{{#if (eq request.body.text 'b')}}x{{/if}}{{/each}}",
    "{{#each request.body.list}}{{jsonPath request.body '$..m1'}}{{/each}}",
    "{{#each request.body.list}}{{jwt sub=(request.body.text)}}{{/each}}",
    "{{#each request.body.list}}{{#each request.body.list}}{{@index}}{{/each}}{{/each}}",
    "{{#with request.body}}{{#each list}}{{join /object/m9999 /object/m1 ''}}{{/each}}{{/with}}",
  ]) func `each value that a loop looks up counts by its size`(text: String) throws {
    let list = (0..<10_000).map { JSON.integer($0) }
    let object = JSON.object((0..<10_000).map { ("m\($0)", JSON.integer($0)) })
    let long = JSON.string(String(repeating: "x", count: 100_000))
    let root = JSON.object(
      ("list", .array(list)), ("object", object), ("text", long))
    let template = try FixtureTemplate(Array(text.utf8), fileExtension: "txt")
    let failure = template.rendered(JSONValues(root: root), .sample).failure
    #expect(failure?.message == "the template takes more than 20 million steps")
  }

  @Test func `tags in values are not rendered again`() throws {
    let template = try FixtureTemplate(Array("{{upper request.query.a}}".utf8), fileExtension: "txt")
    let text = template.render(Values(texts: ["{{now}}{{upper request.query.a}}"]), .sample)
    #expect(String(decoding: text, as: UTF8.self) == "{{NOW}}{{UPPER REQUEST.QUERY.A}}")
  }
}
