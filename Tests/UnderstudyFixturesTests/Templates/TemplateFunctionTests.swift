import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct TemplateFunctionTests {
  private struct NoValues: RequestValues {
    func values(_ part: RequestPart, _ name: String) -> [String] { part == .body && name == "uuid" ? ["mine"] : [] }
  }

  /// At 2022-12-06T11:02:15.120Z, a Tuesday.
  private func render(
    _ text: String, _ environment: TemplateEnvironment = .sample, fileExtension: String = "txt"
  ) throws -> String {
    let template = try FixtureTemplate(Array(text.utf8), fileExtension: fileExtension)
    return String(decoding: template.render(NoValues(), environment), as: UTF8.self)
  }

  // MARK: Time

  @Test(arguments: [
    ("{{now}}", "2022-12-06T11:02:15.120Z"), ("{{now +1h}}", "2022-12-06T12:02:15.120Z"),
    ("{{ now  -30m }}", "2022-12-06T10:32:15.120Z"), ("{{now +1d12h}}", "2022-12-07T23:02:15.120Z"),
    ("{{now +1w -1ms}}", "2022-12-13T11:02:15.119Z"), ("{{now -36500d}}", "1922-12-31T11:02:15.120Z"),
    ("{{now format=date}}", "2022-12-06"), ("{{now +1d format=date}}", "2022-12-07"),
    ("{{now format=time}}", "11:02:15"), ("{{now format=date-time}}", "2022-12-06T11:02:15.120Z"),
    ("{{now format=http}}", "Tue, 06 Dec 2022 11:02:15 GMT"), ("{{now format=epoch}}", "1670324535"),
    ("{{now format=epoch-ms}}", "1670324535120"), ("{{now -19333d format=epoch-ms}}", "-46664880"),
    ("{{now -19333d format=http}}", "Wed, 31 Dec 1969 11:02:15 GMT"),
    ("{{now format='%d.%m.%y %H:%M 100%%'}}", "06.12.22 11:02 100%"), ("{{now format=%s.%L}}", "1670324535.120"),
    ("{{now format=\"%a %b\"}}", "Tue Dec"),
  ]) func `now takes offsets and a format`(template: String, rendered: String) throws {
    #expect(try render(template) == rendered)
  }

  // MARK: Chance

  @Test func `a UUID is one of version 4`() throws {
    for seed in 0..<50 {
      let text = try render("{{uuid}}", TemplateEnvironment(now: 0, seed: ["\(seed)"]))
      #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
  }

  @Test func `random values depend on the seed alone, and each tag has its own`() throws {
    func rendered(_ seed: String) throws -> [Substring] {
      let environment = TemplateEnvironment(now: 0, seed: [seed])
      return try render("{{uuid}} {{uuid}} {{random length=20}}", environment).split(separator: " ")
    }
    #expect(try rendered("a") == rendered("a"))
    #expect(try Set(rendered("a") + rendered("b")).count == 6)
  }

  @Test func `random numbers, texts and choices stay within their limits`() throws {
    for seed in 0..<50 {
      let environment = TemplateEnvironment(now: 0, seed: ["\(seed)"])
      let text = try render("{{random min=-1 max=1}} {{random length=3}} {{random of='red,light blue'}}", environment)
      #expect(text.wholeMatch(of: /(-1|0|1) [A-Za-z0-9]{3} (red|light blue)/) != nil, "\(text)")
      #expect(try Int(render("{{random}}", environment)).map { 0...999_999 ~= $0 } == true)
    }
    #expect(try render("{{random min=7 max=7}}{{random length=0}}{{random of=a}}") == "7a")
  }

  @Test func `a member of the request hides a function without arguments`() throws {
    #expect(try render("{{#request.body}}{{uuid}}{{/request.body}}") == "mine")
  }

  @Test func `the text of a function is escaped for where it goes`() throws {
    #expect(try render("{{random of='\"<'}} {{{random of='\"<'}}}", fileExtension: "json") == #"\"< "<"#)
    #expect(try render("{{random of='\"<'}} {{&random of='\"<'}}", fileExtension: "html") == "&quot;&lt; \"<")
  }

  // MARK: Tokens

  private func claims(_ tag: String) throws -> String {
    let parts = try render(tag).split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.last == "")
    let decoded = parts.compactMap { Base64.decode(url: $0.utf8) }.map { String(decoding: $0, as: UTF8.self) }
    #expect(decoded.first == #"{"alg":"none","typ":"JWT"}"#)
    return decoded[1]
  }

  @Test(arguments: [
    ("{{jwt}}", #"{"iat":1670324535}"#), ("{{jwt exp=+5s}}", #"{"iat":1670324535,"exp":1670324540}"#),
    ("{{jwt exp=-1h iat=-2h}}", #"{"exp":1670320935,"iat":1670317335}"#),
    ("{{jwt exp=1700000000}}", #"{"iat":1670324535,"exp":1700000000}"#),
    (
      "{{jwt sub='42' level=42 email_verified=true name='Tom \"T\" Lee'}}",
      #"{"iat":1670324535,"sub":"42","level":42,"email_verified":true,"name":"Tom \"T\" Lee"}"#
    ),
  ]) func `a token has the claims of its tag and the time it was issued`(tag: String, expected: String) throws {
    #expect(try claims(tag) == expected)
  }

  @Test func `a token expires for the validator of tokens as it does for a client`() throws {
    let token = try render("{{jwt exp=+5s}}")
    var check = TokenCheck(now: { 1_670_324_540 }, leeway: 0)
    #expect(check.check(token) == .good)
    check.now = { 1_670_324_541 }
    #expect(check.check(token) == .bad("the token expired at 2022-12-06T11:02:20.000Z"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("{{↓nwo +1h}}", "`nwo` is not a function", "did you mean `now`?"),
    ("{{now ↓1h}}", "`1h` is not an offset", "expected `+` or `-`"),
    ("{{now ↓+1y}}", "`+1y` is not an offset", "expected `+` or `-`"),
    ("{{now ↓+9999999999999999999s}}", "`+9999999999999999999s` is not an offset", "expected `+` or `-`"),
    ("{{now ↓+99999w}}", "`+99999w` is not an offset", "expected `+` or `-`"),
    ("{{now +36525d -1d ↓+2d}}", "the offsets exceed a hundred years", ""),
    ("{{now ↓fromat=date}}", "`fromat` is not an option of this function", "did you mean `format`?"),
    ("{{now ↓format=dat}}", "`dat` is not a format", "did you mean `date`?"),
    ("{{now ↓format=%q}}", "`%q` is not a format", "known: date-time, date, time, http, epoch, epoch-ms, and patterns"),
    ("{{now ↓format=100%}}", "`100%` is not a format", "known: "),
    ("{{now format=date ↓format=time}}", "`format` is given twice", ""),
    ("{{now format=↓'%H}}", "a quote has no end", ""), ("{{now ↓=date}}", "a value has no name", "as in"),
    ("{{uuid ↓v=7}}", "`v` is not an option of this function", "it has none"),
    ("{{random min=2 ↓max=1}}", "`min` is 2, but `max` is 1", ""),
    ("{{random ↓length=1e3}}", "expected a whole number from 0 to 10000 for `length`, found `1e3`", ""),
    ("{{random length=1 ↓min=1}}", "`length` and `min` exclude each other", "keep one of them"),
    ("{{random ↓7}}", "`7` is not an option of this function", "known: min, max, length, hex, of"),
    ("{{jwt ↓+5s}}", "`+5s` is not a claim", "as in"), ("{{jwt ↓exp=soon}}", "`soon` is not an offset", "expected"),
    ("{{jwt sub=a ↓sub=b}}", "`sub` is given twice", ""),
  ]) func `a mistake in a function is reported at its word, with the way out`(
    marked: String, message: String, help: String
  ) throws {
    let places = MarkedText(marked)
    let problem = #expect(throws: TextProblem.self) {
      try FixtureTemplate(Array(places.text.utf8), fileExtension: "txt")
    }
    #expect(problem?.message == message)
    #expect(problem?.help?.hasPrefix(help) ?? help.isEmpty)
    #expect(problem?.range.lowerBound == places.offsets.first)
  }

  // MARK: In a mock

  private static let yaml = "template: true\ntext: '{{now +1h format=epoch}} {{random}}'\n"

  private func withMock(seed: String = "0", _ body: (Mock) throws -> Void) throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": Self.yaml]).withMock(
      configure: {
        $0.seed = seed
        $0.now = { 1_000_000_000_000 }
      }, body)
  }

  @Test func `a mock takes the time of a template from its clock`() throws {
    try withMock { #expect($0.send("/notes/1").text.hasPrefix("1003600 ")) }
  }

  @Test func `each reply has other random values, and each run the same ones`() throws {
    var runs: [[String]] = []
    for seed in ["0", "0", "1"] {
      try withMock(seed: seed) { mock in
        let lane = LaneClient(mock)
        runs.append((0..<3).map { _ in lane.send("/notes/1").text })
      }
    }
    #expect(Set(runs[0]).count == 3)
    #expect(runs[0] == runs[1])
    #expect(Set(runs[0]).isDisjoint(with: runs[2]))
  }

  @Test func `a request that asks for a seed gets the same bytes each time`() throws {
    try withMock { mock in
      let lane = LaneClient(mock)
      let replies = (0..<3).map { _ in lane.send("/notes/1", ["Prefer": "seed=7"]).text }
      #expect(Set(replies).count == 1)
    }
  }

  @Test func `a mistake in a function is reported at its place in the fixture`() throws {
    let places = MarkedText("template: true\nbody: {at: \"{{now ↓+1y}}\"}\n")
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.yaml": places.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.message) == ["the template cannot be read: `+1y` is not an offset"])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets)
    }
  }
}
