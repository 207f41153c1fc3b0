import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct MatcherReaderTests {
  @Test(arguments: [
    (
      "when: {body: {↓\"$.a[\": 1}}",
      "`$.a[` is not a JSONPath: expected a name in quotes, an index, a slice, `*` or `?`, at character 5"
    ),
    (
      "when: {body: {↓\"$[?match(@.a, '\\\\\\\\d+')]\": 1}}",
      "the pattern `\\d+` never matches: `\\d` is not part of I-Regexp (RFC 9485): expected a class such as `[0-9]`"
    ),
    ("when: {query: {a: {↓equalsJson: {}}}}", "`equalsJson` is for fields of `body`"),
    ("when: {body: {a: {equals: ↓{b: 1}}}}", "expected text for a condition, found object"),
    ("when: {body: {a: ↓{equalsJson: 1, schema: {}}}}", "expected exactly one of equalsJson, containsJson, schema"),
    (
      "when: {body: {a: {equalsJson: 1, ignore: ↓b}}}",
      "`b` is not a JSONPath: expected `$` at the start of a JSONPath, at character 1"
    ),
    (
      "when: {body: {a: {equalsJson: 1, ignoreOrder: ↓maybe}}}",
      "expected `true` or `false` for `ignoreOrder`, found string"
    ),
    ("when: {body: {a: {schema: ↓false}}}", "the schema `false` accepts nothing"),
    ("when: {body: {a: {schema: ↓[]}}}", "expected a schema, found array"),
    ("when: {query: {a: ↓[]}}", "an empty list of values never matches"),
    ("when: {any: ↓[]}", "`any` has no condition"),
    ("when: {all: ↓1}", "expected a list of conditions for `all`, found number"),
    ("when: {not: ↓{}}", "`when` has no condition"),
    (
      "when: {path: {id: 1}, all: [{path: {↓id: 2}}]}",
      "no request meets this condition and the other one about path `id`: expected `2`, and `1`"
    ),
    (
      "when: {query: {a: 1}, all: [{query: {↓a: null}}]}",
      "no request meets this condition and the other one about query `a`: expected none, and `1`"
    ),
    ("priority: ↓high\nwhen: {query: {a: 1}}", "expected a whole number from -1000 to 1000 for `priority`"),
    ("priority: ↓1", "`priority` is for fixtures with `when`: without it a fixture is tried last"),
  ])
  func `a condition that never matches is reported at its location`(text: String, message: String) throws {
    let marked = MarkedText(text)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule.id) == ["fixture.invalid"])
      #expect(found.map(\.message) == [message])
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
      #expect(mock.contracts[0].fixtures.count == 0)
    }
  }

  @Test func `an invalid schema is reported where it is invalid`() throws {
    let marked = MarkedText("when: {body: {$: {schema: {properties: {a: {minLength: ↓many}}}}}}")
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.yaml": marked.text]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.count == 1 && found[0].message.hasPrefix("the schema is not valid: "), "\(found)")
      #expect(found.compactMap { $0.location?.range?.lowerBound } == marked.offsets)
    }
  }

  @Test func `deep groups are refused`() throws {
    let when = String(repeating: "{not: ", count: 40) + "{query: {a: 1}}" + String(repeating: "}", count: 40)
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.yaml": "when: \(when)\n"]).withMock { mock in
      #expect(mock.contracts[0].diagnostics.map(\.message) == ["conditions nest deeper than 16 levels"])
    }
  }
}
