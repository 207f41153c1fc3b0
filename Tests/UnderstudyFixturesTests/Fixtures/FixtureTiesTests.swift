import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FixtureTiesTests {
  private static func fixture(_ when: String, _ text: String, priority: Int? = nil) -> String {
    "when: {\(when)}\ntext: \(text)\n" + (priority.map { "priority: \($0)\n" } ?? "")
  }

  @Test func `the highest priority answers, then the most conditions, then the first by status and name`() throws {
    let files = [
      "readNote/200.a.yaml": Self.fixture("query: {x: 1}", "one"),
      "readNote/200.b.yaml": Self.fixture("query: {x: 1, y: 1}", "two"),
      "readNote/404.yaml": Self.fixture("query: {x: 1, y: 1, z: 1}", "three"),
      "readNote/200.c.yaml": Self.fixture("query: {z: 1}", "first", priority: 1),
      "readNote/200.d.yaml": Self.fixture("query: {x: 1, any: 1}", "last", priority: -1),
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let texts = ["x=1", "x=1&y=1", "x=1&y=1&z=2", "x=1&y=1&z=1", "x=1&any=1"].map { mock.send("/notes/1?\($0)").text }
      #expect(texts == ["one", "two", "two", "first", "one"])
    }
  }

  @Test(arguments: [
    ("query: {x: 1}", "query: {x: 2}"), ("query: {x: 1}", "query: {x: {present: false}}"),
    ("query: {x: [1, 2]}", "query: {x: 1}"),
    ("query: {x: 1}", "query: {x: 1, y: 2}"), ("query: {x: 1}", "not: {query: {x: 1}}"),
    ("body: {a: {equalsJson: {b: 1}}}", "body: {a: {equalsJson: {b: 2}}}"),
    ("body: {a: {equalsJson: {b: 1}}}", "body: {a: {schema: {required: [c]}}}"),
    ("any: [{query: {x: 1}}, {query: {x: 2}}]", "query: {x: 3}"),
    ("query: {x: {matches: ^a}}", "query: {x: {contains: b}}"),
  ])
  func `fixtures that no request matches both, or of which one is narrower, have no tie`(
    first: String, second: String
  ) throws {
    let files = ["readNote/200.a.yaml": Self.fixture(first, "a"), "readNote/200.b.yaml": Self.fixture(second, "b")]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in #expect(mock.complaints == []) }
  }

  @Test(arguments: [
    ("200.b", "its file name comes first"), ("404", "its status comes first"),
  ])
  func `a tie names the fixture that wins, and why`(loser: String, reason: String) throws {
    let files = [
      "readNote/200.a.yaml": Self.fixture("query: {x: 1}", "a"),
      "readNote/\(loser).yaml": Self.fixture("header: {X-Mode: b}", "b"),
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.rule.id) == ["fixture.tie"])
      #expect(
        found.map(\.message) == [
          "a request can match this fixture and readNote/200.a, which wins: \(reason)"
        ])
      #expect(
        found.map(\.help) == [
          "both have 1 condition and the priority 0: give one of them a `priority`, or add a condition"
        ])
      #expect(found.compactMap { $0.location?.path?.hasSuffix("readNote/\(loser).yaml") } == [true])
      #expect(mock.send("/notes/1?x=1", ["X-Mode": "b"]).text == "a")
    }
  }
}
