import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct TemplateExpressionTests {
  private static let body = """
    {"user": {"name": "ada lovelace", "roles": ["admin", "dev"], "age": 36, "none": null, "off": false},
     "items": [{"sku": "a-1", "price": 19.99, "tags": ["x", "y"]}, {"sku": "b-2", "price": 5, "tags": []}],
     "ids": [7, 8, 9], "one": [{"n": 1}], "empty": [], "a.b": "dotted", "total": 100, "html": "<b>", "long": "x y  z"}
    """

  /// A POST to `/notes/42/copies?page=2&tag=a&tag=b` with a body, two headers and a cookie.
  private static func request(_ body: String = body) -> RequestView {
    let target = "/notes/42/copies?page=2&tag=a&tag=b&filter[x]=9&off=false"
    var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: target)
    request.headerFields[.contentType] = "application/json"
    request.headerFields[HTTPField.Name("X-Mode")!] = "fast"
    request.headerFields[.cookie] = "session=abc"
    return RequestView(
      request: request, target: target, captures: [(name: "id", range: 7..<9)], body: Array(body.utf8))
  }

  private func rendering(
    _ text: String, _ fileExtension: String = "txt", body: String = body
  ) throws -> FixtureTemplate.Rendering {
    try FixtureTemplate(Array(text.utf8), fileExtension: fileExtension).rendered(Self.request(body), .sample)
  }

  private func render(_ text: String, _ fileExtension: String = "txt") throws -> String {
    let rendering = try rendering(text, fileExtension)
    return rendering.failure?.message ?? String(decoding: rendering.text, as: UTF8.self)
  }

  // MARK: Names

  @Test(arguments: [
    ("{{request.body.user.name}}", "ada lovelace"), ("{{request.body.items.0.sku}}", "a-1"),
    ("{{request.body.items[1].sku}}", "b-2"), ("{{request.body.items.[1].sku}}", "b-2"),
    ("{{request.body.items[0]['sku']}}", "a-1"), ("{{request.body.[a.b]}}", "dotted"),
    ("{{request.body./items/0/sku}}", "a-1"), ("{{request.body./a.b}}", "dotted"),
    ("{{request.body.$.items[*].sku}}", "a-1,b-2"), ("{{request.body.$..price}}", "19.99,5"),
    ("{{request.body.ids}} {{request.body.ids.length}}", "7,8,9 3"), ("{{request.body.items.9.sku}}|", "|"),
    ("{{request.body.user.none}}", "null"), ("{{request.body.user.roles}}", "admin,dev"),
    ("{{{request.body.user.roles.1}}}", "dev"),
    ("{{request.path.id}} {{request.path.[1]}} {{request.path.2}}", "42 42 copies"),
    ("{{request.pathSegments.[0]}}", "notes"), ("{{request.method}} {{request.path}}", "POST /notes/42/copies"),
    ("{{request.url}}", "/notes/42/copies?page=2&tag=a&tag=b&filter[x]=9&off=false"),
    ("{{request.query.tag}} {{request.query.tag.1}} {{request.query.tag.[0]}} {{request.query.page.0}}", "a,b b a 2"),
    ("{{request.query.filter[x]}}", "9"), ("{{request.headers.X-Mode}} {{request.header.[X-Mode]}}", "fast fast"),
    ("{{request.cookies.session}} {{request.cookie.session}}", "abc abc"),
  ]) func `a name leads by dots, positions, pointers and JSONPath`(text: String, expected: String) throws {
    #expect(try render(text) == expected)
  }

  @Test func `the body as a whole is its text`() throws {
    #expect(try render("{{{request.body}}}", "json") == Self.body)
  }

  // MARK: Sections

  @Test(arguments: [
    ("{{#request.body.items}}{{sku}}={{price}};{{/request.body.items}}", "a-1=19.99;b-2=5;"),
    ("{{#each request.body.items}}{{@index}}{{this.sku}}{{#unless @last}}, {{/unless}}{{/each}}", "0a-1, 1b-2"),
    ("{{#each request.body.items}}{{#if @first}}<{{/if}}{{sku}} {{request.path.id}}{{/each}}", "<a-1 42b-2 42"),
    ("{{#each request.body.items as |item n|}}{{n}}:{{item.sku}} {{/each}}", "0:a-1 1:b-2 "),
    ("{{#each request.body.items}}{{#each tags}}{{../sku}}{{.}} {{else}}none{{/each}}{{/each}}", "a-1x a-1y none"),
    ("{{#each request.body.items}}{{#each tags}}{{sku}}{{.}} {{/each}}{{/each}}", "a-1x a-1y "),
    ("{{#each request.body.one}}{{n}}{{/each}}", "1"), ("{{#each request.body.empty}}a{{else}}b{{/each}}", "b"),
    ("{{#each request.body.user}}{{@key}} {{/each}}", "name roles age none off "),
    ("{{#each request.query.tag}}[{{this}}]{{/each}}", "[a][b]"),
    ("{{#with request.body.user}}{{name}} {{age}}{{/with}}", "ada lovelace 36"),
    ("{{#with request.body.gone}}a{{else}}b{{/with}}", "b"),
    ("{{#repeat 3}}{{@index}}{{/repeat}}{{#repeat request.query.page}}x{{/repeat}}", "012xx"),
    ("{{#if request.body.user.name}}a{{else}}b{{/if}}", "a"), ("{{#if request.body.user.off}}a{{else}}b{{/if}}", "b"),
    ("{{#if request.body.user.none}}a{{else}}b{{/if}}", "b"), ("{{#if request.query.off}}a{{else}}b{{/if}}", "b"),
    ("{{#if request.query.gone}}a{{else if (eq request.query.page 2)}}b{{else}}c{{/if}}", "b"),
    ("{{#if request.query.gone}}a{{else if request.body.empty}}b{{else}}c{{/if}}", "c"),
    ("{{#unless request.query.gone}}a{{/unless}}", "a"), ("{{#eq request.query.page 2}}a{{else}}b{{/eq}}", "a"),
    ("{{#if (and request.query.page (not request.query.gone))}}a{{/if}}", "a"),
    ("{{#request.query.gone}}a{{else}}b{{/request.query.gone}}", "b"),
    ("{{#if request.query.page}}\na\n{{else}}\nb\n{{/if}}\n", "a\n"),
    ("{{#each request.body.items}}{{@root.request.path.id}}{{/each}}", "4242"),
  ]) func `a block chooses and repeats text, and names look into its item first`(text: String, expected: String) throws
  {
    #expect(try render(text) == expected)
  }

  // MARK: Functions

  @Test(arguments: [
    ("{{upper request.body.user.name}}", "ADA LOVELACE"), ("{{lower 'ÀB'}}", "àb"),
    ("{{capitalize request.body.user.name}}", "Ada Lovelace"), ("[{{trim '  a b '}}]", "[a b]"),
    ("[{{trim '  '}}]", "[]"),
    ("{{uppercase 'a'}}{{lowercase 'B'}}", "Ab"), ("{{upper request.query.gone}}|", "|"),
    ("{{default request.query.gone 'none'}} {{default request.query.page 1}}", "none 2"),
    ("{{default request.body.user.none 1.50}}", "1.50"), ("{{default (add request.query.gone 1) 1}}", "1"),
    ("{{join request.body.user.roles ' + '}}", "admin + dev"),
    ("{{join request.path.id request.query.page '-'}}", "42-2"),
    ("{{join request.body.$.items[*].sku '/'}}", "a-1/b-2"), ("{{size request.body.items}}{{length 'abc'}}", "23"),
    ("{{size request.body.empty}}", "0"),
    ("{{base64 'ada:secret'}}", "YWRhOnNlY3JldA=="), ("{{base64 'YWRh' decode=true}}", "ada"),
    ("{{base64 (join request.path.id ':' request.query.page '')}}", "NDI6Mg=="),
    ("{{json request.body.items.1}}", #"{"sku":"b-2","price":5,"tags":[]}"#),
    ("{{json request.query.tag}}", #"["a","b"]"#),
    ("{{json request.query.gone}}", "null"), ("{{jsonPath request.body '$.items[?@.price > 10].sku'}}", "a-1"),
    ("{{#each (jsonPath request.body '$.items[*]')}}{{sku}}{{/each}}", "a-1b-2"),
    ("{{#each request.body.items}}{{jsonPath this '$.tags[0]'}}{{/each}}", "x"),
    ("{{#if (contains request.body.user.roles 'dev')}}a{{/if}}{{#if (contains 'abcabd' 'abd')}}b{{/if}}", "ab"),
    ("{{#if (contains 'aab' 'ac')}}a{{/if}}{{#if (eq '1' 1.0)}}b{{/if}}{{#if (eq 'a' 'b')}}c{{/if}}", "b"),
    (
      "{{#if (lt 9 10)}}a{{/if}}{{#if (gte request.query.page 2)}}b{{/if}}{{#if (ne request.query.gone 1)}}c{{/if}}",
      "abc"
    ),
  ]) func `functions change texts, lists and conditions`(text: String, expected: String) throws {
    #expect(try render(text) == expected)
  }

  @Test(arguments: [
    ("{{add request.query.page 1}}", "3"), ("{{subtract 1 2 3}}", "-4"), ("{{multiply 0.1 3}}", "0.3"),
    ("{{multiply request.body.items.0.price 3}}", "59.97"), ("{{divide 1 3}}", "0.333333333333"),
    ("{{divide 10 4}}", "2.5"),
    ("{{divide -7 2}}", "-3.5"), ("{{modulo request.path.id 5}}", "2"), ("{{modulo -7 2}}", "-1"),
    ("{{round 2.5}}", "3"),
    ("{{round -2.5}}", "-3"), ("{{round 2.345 digits=2}}", "2.35"), ("{{round 2 digits=2}}", "2"),
    ("{{add 9007199254740993 1}}", "9007199254740994"), ("{{math request.query.page '*' 21}}", "42"),
    ("{{round (divide (multiply request.body.total 2) 3) digits=1}}", "66.7"), ("{{add 0.5 0.5}}", "1"),
    ("{{divide 0 5}}", "0"), ("{{add 1e2 1}}", "101"),
  ]) func `arithmetic is exact`(text: String, expected: String) throws {
    #expect(try render(text) == expected)
  }

  @Test(arguments: [
    ("{{now offset='3 days' format='yyyy-MM-dd'}}", "2022-12-09"),
    ("{{now offset='-1 months' format=date}}", "2022-11-06"),
    ("{{now offset='1 year 2 months' format=date}}", "2024-02-06"), ("{{now offset=+1h format='HH:mm'}}", "12:02"),
    ("{{now 'dd.MM.yy'}}", "06.12.22"),
    ("{{now format=\"EEEE, d MMMM yyyy 'at' h:mm a\"}}", "Tuesday, 6 December 2022 at 11:02 AM"),
    ("{{now format=\"yyyy-MM-dd'T'HH:mm:ss.SSSX\"}}", "2022-12-06T11:02:15.120Z"),
    ("{{date '2024-01-31' offset='1 month' format=date}}", "2024-02-29"),
    ("{{date '2024-02-29T12:00:00Z' offset='1 year' format=date-time}}", "2025-02-28T12:00:00.000Z"),
    ("{{date '17.05.2024' parse='dd.MM.yyyy' format='EEE d MMM'}}", "Fri 17 May"),
    ("{{date (parseDate '5/7/2024 3:04 PM' format='M/d/yyyy h:mm a') format='HH:mm'}}", "15:04"),
    ("{{date 1700000000 format=http}}", "Tue, 14 Nov 2023 22:13:20 GMT"),
    ("{{date '1700000000000' format=epoch}}", "1700000000"),
    ("{{date 'Sun, 06 Nov 1994 08:49:37 GMT'}}", "1994-11-06T08:49:37.000Z"),
  ]) func `dates are moved, read and written`(text: String, expected: String) throws {
    #expect(try render(text) == expected)
  }

  @Test func `a token is signed by HS256 with the claims of its tag`() throws {
    // The example of jwt.io.
    let text = "{{jwt sub='1234567890' name='John Doe' iat=1516239022 hs256='your-256-bit-secret'}}"
    #expect(
      try render(text)
        == "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ"
        + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c")
  }

  @Test func `a claim in parentheses is a value of the request`() throws {
    let token = try render(
      "{{jwt sub=(request.path.id) roles=(request.body.user.roles) age=(request.body.user.age) x=(request.query.gone)}}"
    )
    let claims = token.split(separator: ".").dropFirst().first.flatMap { Base64.decode(url: $0.utf8) } ?? []
    #expect(
      String(decoding: claims, as: UTF8.self)
        == #"{"iat":1670324535,"sub":"42","roles":["admin","dev"],"age":36}"#)
  }

  @Test(arguments: [
    ("{{random format=email}}", #"[a-z]+@example\.(com|org|net)"#), ("{{random format=ipv4}}", #"192\.0\.2\.[0-9]+"#),
    ("{{random format=date}}", #"20[0-9]{2}-[0-9]{2}-[0-9]{2}"#), ("{{guid}}", #"[0-9a-f-]{36}"#),
    ("{{faker 'person.firstName'}}", #"Ada|Grace|Alan|Edsger"#), ("{{randomInt lower=5 upper=7}}", #"[567]"#),
    ("{{randomValue type='NUMERIC' length=4}}", #"[0-9]{4}"#), ("{{randomValue type='UUID'}}", #"[0-9a-f-]{36}"#),
    ("{{pickRandom 'a b' 'c'}}", #"a b|c"#),
  ]) func `random values have a format, and are equal for equal seeds`(text: String, pattern: String) throws {
    let rendered = try render(text)
    #expect(try rendered.wholeMatch(of: Regex(pattern)) != nil, "\(rendered)")
    #expect(try render(text) == rendered)
  }

  @Test func `values are escaped for where they go`() throws {
    #expect(try render("{{upper request.body.html}} {{{request.body.html}}}", "html") == "&lt;B&gt; <b>")
    #expect(
      try render(#"{"a": "{{json request.query.tag}}", "b": {{{json request.query.tag}}}}"#, "json")
        == #"{"a": "[\"a\",\"b\"]", "b": ["a","b"]}"#)
  }
}
