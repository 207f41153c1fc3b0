import Testing
import UnderstudyTestSupport

/// Conditions that users of other mocks write daily, tried with the program and curl.
@Suite(.waitsForProcesses, .enabled(if: Command.hasCurl))
struct MatchingTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Orders, version: "1"}
    paths:
      /orders:
        post:
          operationId: order
          requestBody:
            content:
              application/json: {schema: {}}
              application/xml: {schema: {}}
              multipart/form-data: {schema: {}}
          responses: {"200": {description: Done, content: {text/plain: {schema: {type: string}}}}}

    """

  private static func fixtures(_ whens: [(name: String, lines: String)]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: whens.map { ("fixtures/api/order/200.\($0.name).yaml", "\($0.lines)\ntext: \($0.name)\n") })
  }

  private func serving(
    _ whens: [(name: String, lines: String)], body: (ServedMock) throws -> Void
  ) throws {
    let files = Self.fixtures(whens).merging(["api.yaml": Self.contract]) { first, _ in first }
    try withProject(files) { folder in
      let mock = try ServedMock(["api.yaml"], in: folder)
      defer { mock.stop() }
      try body(mock)
    }
  }

  @Test func `cookies, JSON, XML and multipart bodies choose fixtures`() throws {
    let whens = [
      ("cookie", "when: {cookie: {session: abc}}\npriority: 1"),
      ("json", "when: {body: {$: {equalsJson: {items: [{id: 1}, {id: 2}]}, ignore: [$.at], ignoreOrder: true}}}"),
      ("path", "when: {body: {\"$.items[?@.price > 10].name\": lamp}}\npriority: 2"),
      ("schema", "when: {body: {$: {schema: {required: [voucher]}}}}\npriority: 3"),
      ("xml", "when: {body: {//item/@sku: X1}}"),
      ("file", "when: {file: {photo: {matches: 'png$'}}, body: {title: cat}}"),
    ]
    try serving(whens.map { (name: $0.0, lines: $0.1) }) { mock in
      let json = ["-H", "Content-Type: application/json", "-d"]
      let requests = [
        ("cookie", ["-b", "session=abc"] + json + ["{}"]),
        ("json", json + [#"{"items": [{"id": 2}, {"id": 1}], "at": "now"}"#]),
        ("path", json + [#"{"items": [{"name": "lamp", "price": 12}]}"#]), ("schema", json + [#"{"voucher": 1}"#]),
        ("xml", ["-H", "Content-Type: application/xml", "-d", #"<o><item sku="X1"/></o>"#]),
        ("file", ["-F", "title=cat", "-F", "photo=@/dev/null;filename=cat.png;type=image/png"]),
      ]
      for (expected, arguments) in requests {
        let result = try Command.run("/usr/bin/curl", ["-sS", mock.url + "/orders"] + arguments)
        #expect(result.output == expected, "\(result.error)\(mock.printed)")
      }
    }
  }

  @Test func `the start names fixtures of which only the file name decides`() throws {
    let whens = [("a", "when: {query: {x: 1}}"), ("b", "when: {cookie: {y: 1}}"), ("c", "when: {query: {x: 1, y: 1}}")]
    try serving(whens.map { (name: $0.0, lines: $0.1) }) { mock in
      let (code, printed) = mock.end()
      #expect(
        printed.hasPrefix(
          """
          fixtures/api/order/200.b.yaml: warning: a request can match this fixture and order/200.a, which wins: its file name comes first [fixture.tie]
            fixtures/api/order/200.a.yaml: note: this one wins
            help: both have 1 condition and the priority 0: give one of them a `priority`, or add a condition

          """), "\(printed)")
      #expect(code == 0)
    }
  }
}
