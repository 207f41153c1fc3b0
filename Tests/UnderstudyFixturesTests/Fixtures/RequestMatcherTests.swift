import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RequestMatcherTests {
  /// Whether a fixture with this `when` answers the request.
  private func answers(
    _ when: String, _ path: String = "/notes/1", _ headers: [String: String] = [:], body: String = ""
  ) throws -> Bool {
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.yaml": "when: \(when)\n"]).withMock { mock in
      #expect(mock.complaints == [])
      return mock.send(.post, path, headers, body: body).reason == "fixture writeNote/409 (when)"
    }
  }

  @Test(arguments: [
    ("{path: {id: 7}}", true), ("{path: {id: \"07\"}}", false), ("{path: {id: {oneOf: [6, 7]}}}", true),
    ("{path: {id: [6, 8]}}", false), ("{path: {other: 7}}", false), ("{query: {a: b c}}", true),
    ("{query: {a: {contains: c}}}", true), ("{query: {a: {contains: d}}}", false),
    ("{query: {flag: {present: true}}}", true),
    ("{query: {flag: null}}", false), ("{query: {nothing: null}}", true),
    ("{query: {nothing: {present: false}}}", true),
    ("{query: {many: 2}}", true), ("{query: {many: 3}}", false),
    ("{query: {many: {equals: [1, 2]}}}", true),
    ("{query: {many: {equals: [2, 1]}}}", false), ("{query: {many: {equals: [1]}}}", false),
    ("{header: {x-mode: fast}}", true),
    ("{header: {X-MODE: {matches: \"^fa\"}}}", true), ("{header: {X-Mode: {matches: \"^t\"}}}", false),
    ("{body: {nick: 도토리}}", true), ("{body: {nick: {equals: a+b}}}", false), ("{body: {truth: true}}", true),
    ("{path: {id: 7}, query: {a: d}}", false), ("{query: {a: b c, many: 1}}", true),
  ])
  func `all conditions must hold, each by one of the values of its name`(when: String, isMet: Bool) throws {
    let met = try answers(
      when, "/notes/7?a=b%20c&flag&many=1&many=2", ["X-Mode": "fast"],
      body: "nick=%EB%8F%84%ED%86%A0%EB%A6%AC&truth=true")
    #expect(met == isMet)
  }

  @Test(arguments: [
    ("{body: {nick: Tom}}", true), ("{body: {/user/age: 7}}", true), ("{body: {/user/tags: b}}", true),
    ("{body: {/user/tags/0: a}}", true), ("{body: {/user/tags: {equals: [a, b]}}}", true),
    ("{body: {/user/tags: {equals: [a]}}}", false), ("{body: {nothing: {present: false}}}", true),
    ("{body: {user: {present: true}}}", true),
    ("{body: {/user/age: 7.0}}", false), ("{body: {isNew: true}}", true),
  ])
  func `fields of JSON are named or pointed to`(when: String, isMet: Bool) throws {
    let body = "{\"nick\":\"Tom\",\"isNew\":true,\"user\":{\"age\":7,\"tags\":[\"a\",\"b\"]}}"
    #expect(try answers(when, "/notes/1", ["Content-Type": "application/json"], body: body) == isMet)
  }

  @Test func `texts are compared by their scalars`() throws {
    // é as one scalar and as two.
    #expect(try answers("{query: {a: \"\u{E9}\"}}", "/notes/1?a=%C3%A9"))
    #expect(try !answers("{query: {a: \"\u{E9}\"}}", "/notes/1?a=e%CC%81"))
  }

  @Test func `the first fixture that fits answers, and a default is none of them`() throws {
    let files = [
      "readNote/200.a.yaml": "when: {query: {x: {present: true}}}\nbody: a\n",
      "readNote/200.b.yaml": "when: {query: {x: 1}}\nbody: b\n", "readNote/404.yaml": "when: {query: {y: 1}}\n",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.send("/notes/1?x=1").text == "\"a\"")
      #expect(mock.send("/notes/1?y=1").reason == "fixture readNote/404 (when)")
      #expect(mock.send("/notes/1").reason == "example readNote/200.first")
      #expect(mock.send("/notes/1", ["Prefer": "example=b"]).text == "\"b\"")
    }
  }

  // MARK: - Reading

  @Test(arguments: [
    (
      "when: ↓[a]", "fixture.invalid",
      "expected a mapping with path, query, header, cookie, body, file, fileType, all, any, not, found array"
    ),
    ("when: ↓{}", "fixture.invalid", "`when` has no condition"),
    ("when: {↓qurey: {a: 1}}", "fixture.unknown-key", "unknown key `qurey`"),
    ("when: {query: ↓a}", "fixture.invalid", "expected a mapping of names to conditions, found string"),
    ("when: {query: {a: {↓equal: 1}}}", "fixture.unknown-key", "unknown key `equal`"),
    (
      "when: {query: {a: ↓{equals: 1, contains: 2}}}", "fixture.invalid",
      "expected exactly one of equals, contains, matches, oneOf, present"
    ),
    ("when: {query: {a: {present: ↓1}}}", "fixture.invalid", "expected `true` or `false` for `present`, found number"),
    ("when: {query: {a: {oneOf: ↓1}}}", "fixture.invalid", "expected a list, found number"),
    ("when: {query: {a: {equals: ↓[]}}}", "fixture.invalid", "expected text for a condition, found array"),
    ("when: {query: {a: {equals: [b, ↓{}]}}}", "fixture.invalid", "expected text for a condition, found object"),
  ])
  func `an invalid value is reported at its location`(text: String, rule: String, message: String) throws {
    let marked = MarkedText(text)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule.id) == [rule])
      #expect(found.map(\.message) == [message])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.contracts[0].fixtures.count == 0)
    }
  }

  @Test func `a pattern is one of ECMA-262`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.yaml": "when: {query: {a: {matches: \"(\"}}}"])
      .withMock {
        mock in
        #expect(mock.contracts[0].diagnostics.map(\.rule) == [.fixtureInvalid])
        #expect(mock.complaints[0].contains("`(` is not a valid regular expression: "))
      }
  }

  @Test(arguments: [
    ("application/json", "H4sIAAAAAAACA6tWystMzlayUgrJz1WqBQD2HikzDgAAAA=="),
    ("application/x-www-form-urlencoded", "H4sIAAAAAAACA8vLTM62DcnPVUu0TQIAiu2DIQwAAAA="),
  ])
  func `a coded body is decoded for conditions and templates`(type: String, base64: String) throws {
    let fixture = "when: {body: {nick: Tom}}\ntemplate: true\ntext: \"{{request.body.nick}}!\"\n"
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.yaml": fixture]).withMock { mock in
      var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/notes/1")
      request.headerFields[.contentType] = type
      request.headerFields[.contentEncoding] = "gzip"
      let bytes = try #require(Base64.decode(Array(base64.utf8)))
      #expect(mock.reply(to: request, body: bytes).text == "Tom!")
      // What cannot be decoded holds nothing.
      #expect(mock.reply(to: request, body: Array("nick=Tom".utf8)).status != 409)
    }
  }
}
