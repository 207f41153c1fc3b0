import Testing
import UnderstudyMock
import UnderstudyReport
import UnderstudyTestSupport

/// The answers of a sweep: their names, and the content of hostile ones.
struct SweepPlanTests {
  private static let box = """
    openapi: 3.1.0
    info: {title: Boxes, version: "1"}
    paths:
      /box:
        get:
          operationId: readBox
          responses:
            "200":
              description: A box.
              content:
                application/json:
                  schema:
                    type: object
                    required: [kind, size, items]
                    properties:
                      kind: {enum: [small, large]}
                      size: {type: integer}
                      items:
                        type: array
                        items:
                          type: object
                          required: [name]
                          properties: {name: {type: string}, note: {type: [string, "null"]}}
                      note: {type: string}
                      level: {enum: [1, 2]}
                      made: {type: string, format: date-time}
                  example:
                    kind: small
                    size: 3
                    items: [{name: Äpfel, note: ripe}]
                    note: fine
                    level: 1
                    made: "2024-05-06T07:08:09Z"

    """

  private let usual: Reply
  private let variants: [SweepVariant]

  init() throws {
    (usual, variants) = try Self.plan(Self.box, "/box")
  }

  private static func plan(
    _ contract: String, _ path: String, seed: String = "0"
  ) throws -> (usual: Reply, variants: [SweepVariant]) {
    let mock = try ContractFixture(contract).mock()
    let usual = mock.send(path)
    return (usual, SweepPlan(mock.operations[0], usual: usual, seed: seed).variants)
  }

  /// The answer of a variant.
  private func answer(_ name: String) throws -> (response: HTTPResponse, body: [UInt8]) {
    let variant = try #require(variants.first { $0.name == name }, "\(variants.map(\.name))")
    guard case .response(let response, let body, _) = variant.override.answer else { throw Missing() }
    return (response, body)
  }

  private struct Missing: Error {}

  /// The body of a variant as JSON.
  private func body(_ name: String) throws -> JSON { try JSONParser.parse(try answer(name).body).root }

  private func original() throws -> JSON { try JSONParser.parse(usual.body).root }

  // MARK: - Members

  @Test func `an unknown value is one that the enumeration does not list`() throws {
    #expect(try body("unknown-enum /kind")["kind"] == "UNDERSTUDY_UNKNOWN")
    #expect(try body("unknown-enum /level")["level"] == 987_654_321)
    #expect(variants.filter { $0.kind == .unknownEnum }.map(\.detail) == ["/kind", "/level"])
  }

  @Test func `a huge number has 24 digits`() throws {
    let body = try body("huge-number /size")
    #expect(body["size"]?.kind == .number && body["size"]?.text == "123456789012345678901234")
  }

  @Test func `null stands only where the schema does not allow it`() throws {
    #expect(try body("required-null /size")["size"]?.isNull == true)
    #expect(try body("optional-null /note")["note"]?.isNull == true)
    #expect(
      variants.filter { $0.kind == .requiredNull }.map(\.detail) == ["/kind", "/size", "/items", "/items/0/name"])
    #expect(variants.filter { $0.kind == .optionalNull }.map(\.detail) == ["/note", "/level", "/made"])
  }

  @Test func `a member that is missing is the only difference`() throws {
    for (name, member) in [("required-missing /size", "size"), ("optional-missing /note", "note")] {
      let rest = try original().members.filter { $0.name != member }.map(\.name)
      let body = try body(name)
      #expect(body.members.map(\.name) == rest)
      #expect(rest.count == 5)
    }
    let missing = variants.filter { $0.kind == .optionalMissing }.map(\.detail)
    #expect(missing == ["/items/0/note", "/note", "/level", "/made"])
  }

  @Test func `an additional member is one that the schema does not declare`() throws {
    let (body, original) = (try body("additional-member"), try original())
    let nested: JSON = ["nested": [1, 2]]
    #expect(body["understudyExtra"] == nested)
    #expect(body.members.map(\.name) == original.members.map(\.name) + ["understudyExtra"])
  }

  @Test func `a value of another type stands in place of each`() throws {
    let (list, object): (JSON, JSON) = ([], [:])
    #expect(try body("wrong-type") == list)
    #expect(try body("wrong-type /items")["items"] == object)
    #expect(try body("wrong-type /size")["size"] == "3")
    #expect(try body("wrong-type /note")["note"] == 12345)
  }

  // MARK: - Lists and texts

  @Test func `a list is empty, has its first item twice, or is long`() throws {
    let first = try #require(try original()["items"]?[0])
    #expect(try body("empty-list /items")["items"]?.count == 0)
    let twice = try #require(try body("duplicate-items /items")["items"])
    #expect(twice.count == 2 && twice.elements.allSatisfy { $0 == first })
    let long = try #require(try body("long-list /items")["items"])
    #expect(long.count == 10_000 && long[0] == first && long[9_999] == first)
  }

  @Test func `a long text repeats the usual one`() throws {
    let long = variants.filter { $0.kind == .longText }
    #expect(long.map(\.detail) == ["/items/0/name"])
    let text = try body("long-text /items/0/name")["items"]?[0]?["name"]?.string ?? ""
    #expect(text.hasPrefix("ÄpfelÄpfel") && 100_000...100_010 ~= text.utf8.count)
  }

  @Test func `a date has another form of the same moment`() throws {
    #expect(try body("other-date /made")["made"] == "2024-05-06T07:08:09.123456+00:00")
    #expect(variants.filter { $0.kind == .otherDate }.map(\.detail) == ["/made"])
  }

  // MARK: - Encodings and parts

  @Test func `a byte order mark stands before the usual bytes`() throws {
    #expect(try answer("byte-order-mark").body == [0xEF, 0xBB, 0xBF] + usual.body)
  }

  @Test func `UTF-16 is named, and has the usual text`() throws {
    let (response, body) = try answer("utf-16")
    #expect(response.headerFields[.contentType] == "application/json; charset=utf-16")
    #expect(body.prefix(2).elementsEqual([0xFE, 0xFF]) && body.count.isMultiple(of: 2))
    let units = stride(from: 2, to: body.count, by: 2).map { UInt16(body[$0]) << 8 | UInt16(body[$0 + 1]) }
    #expect(String(decoding: units, as: UTF16.self) == String(decoding: usual.body, as: UTF8.self))
  }

  @Test func `a truncated body is the first half, and an empty one has the usual media type`() throws {
    #expect(try answer("truncated-body").body == Array(usual.body.prefix(usual.body.count / 2)))
    let empty = try answer("empty-body")
    #expect(empty.body == [] && empty.response.headerFields[.contentType] == "application/json")
    #expect(empty.response.status == 200)
  }

  @Test func `a page has the media type of the contract`() throws {
    let (response, body) = try answer("html")
    #expect(response.headerFields[.contentType] == "application/json")
    #expect(String(decoding: body, as: UTF8.self).lowercased().contains("<html"))
  }

  // MARK: - Statuses

  private static func statuses(_ responses: String) throws -> [String] {
    let contract = """
      openapi: 3.1.0
      info: {title: Statuses, version: "1"}
      paths: {/a: {get: {operationId: readA, responses: {\(responses)}}}}

      """
    let statuses = try plan(contract, "/a").variants.filter { $0.kind == .status }
    return statuses.map { "\($0.name): \($0.status ?? 0)" }
  }

  @Test func `a range and the default are sent with a code that nothing else documents`() throws {
    let one = "'200': {description: a}, '400': {description: b}, 4XX: {description: c, x-meaning: refused}"
    #expect(
      try Self.statuses(one + ", default: {description: d}")
        == ["status 200: 200", "status 400: 400", "status 4XX refused: 401", "status default: 500"])
    let other = "2XX: {description: a}, '500': {description: b}, 5XX: {description: c}"
    #expect(
      try Self.statuses(other + ", default: {description: d}")
        == ["status 2XX: 200", "status 500: 500", "status 5XX: 501", "status default: 400"])
  }

  @Test func `an interim status is not sent`() throws {
    let responses = "'103': {description: a}, 1XX: {description: b}, '204': {description: c}"
    #expect(try Self.statuses(responses) == ["status 204: 204"])
  }

  // MARK: - Seeds

  /// An object of 24 required members, of which each kind changes twelve.
  private static let wide = """
    openapi: 3.1.0
    info: {title: Wide, version: "1"}
    paths:
      /wide:
        get:
          operationId: readWide
          responses:
            "200":
              description: Wide.
              content:
                application/json:
                  schema:
                    type: object
                    required: [\(members)]
                    additionalProperties: {type: integer}
                  example: {\(members.split(separator: ", ").map { "\($0): 1" }.joined(separator: ", "))}

    """

  private static let members = (10..<34).map { "m\($0)" }.joined(separator: ", ")

  private static func changed(seed: String) throws -> [String] {
    try plan(wide, "/wide", seed: seed).variants.filter { $0.kind == .requiredNull }.map(\.detail)
  }

  @Test func `a seed selects the members of a body that has more than a sweep changes`() throws {
    let first = try Self.changed(seed: "0")
    #expect(first == (10..<22).map { "/m\($0)" })
    let other = try Self.changed(seed: "a")
    #expect(other.count == 12 && other == other.sorted() && other != first)
    #expect(try Self.changed(seed: "a") == other)
  }
}

/// The variants of answers that are streams.
struct StreamPlanTests {
  private static func contract(_ type: String, _ example: String) -> String {
    """
    openapi: 3.1.0
    info: {title: Words, version: "1"}
    paths:
      /words:
        get:
          operationId: readWords
          responses:
            "200": {description: Words, content: {\(type): {example: \(example)}}}

    """
  }

  /// The steps of each stream as they are sent by a reply of a lane.
  private func streams(_ mock: Mock) throws -> [String] {
    SweepPlan(mock.operations[0], usual: mock.send("/words"), sockets: mock.sockets).variants.compactMap { variant in
      guard case .stream(let script, 200, _) = variant.override.answer else { return nil }
      return "\(variant.name) \(JSONWriter.text(LaneReplyEvents.list(script)))"
    }
  }

  @Test func `the events of a body are sent whole, short, broken and not at all`() throws {
    let contract = Self.contract("text/event-stream", #""event: a\ndata: {\"n\": 1}\n\ndata: two\n\ndata: [DONE]\n\n""#)
    #expect(
      try streams(try ContractFixture(contract).mock()) == [
        #"stream-whole [{"event":"a","data":"{\"n\": 1}"},{"data":"two"},{"data":"[DONE]"}]"#,
        #"stream-empty [{"comment":""}]"#,
        #"stream-short [{"event":"a","data":"{\"n\": 1}"}]"#,
        #"stream-error [{"event":"a","data":"{\"n\": 1}"},{"event":"error","data":{"error":{"message":"the server failed"}}}]"#,
        #"stream-malformed [{"event":"a","data":"{\"n\": 1}"},{"text":"tw"},{"data":"[DONE]"}]"#,
        #"stream-stall [{"event":"a","data":"{\"n\": 1}"},{"end":"stall"}]"#,
        #"stream-cut [{"event":"a","data":"{\"n\": 1}"},{"cut":"two"}]"#,
        #"stream-lost [{"event":"a","data":"{\"n\": 1}"},{"end":"drop"}]"#,
      ])
  }

  @Test func `lines of JSON are a stream of events without types`() throws {
    let contract = Self.contract("application/x-ndjson", "[{n: 1}]")
    #expect(
      try streams(try ContractFixture(contract).mock()) == [
        #"stream-whole [{"data":{"n":1}}]"#, #"stream-empty [{"comment":""}]"#,
        #"stream-error [{"data":{"n":1}},{"data":{"error":{"message":"the server failed"}}}]"#,
        #"stream-malformed [{"text":"{\"n\":"}]"#, #"stream-stall [{"data":{"n":1}},{"end":"stall"}]"#,
        #"stream-cut [{"cut":{"n":1}}]"#, #"stream-lost [{"data":{"n":1}},{"end":"drop"}]"#,
      ])
  }

  @Test func `the rules of a declared stream send its events, and its answers have them as a body`() throws {
    let contract =
      Self.contract("application/json", "{}") + """
        x-understudy-events:
          transport: sse
          operation: readWords
          rules: [{on: connect, do: [{emit: message, argument: {n: 1}}, {wait: 2s}, {emit: end, argument: 2}]}]

        """
    let mock = try ContractFixture(contract).mock()
    #expect(try streams(mock).first == #"stream-whole [{"data":{"n":1}},{"event":"end","data":2}]"#)
    let variants = SweepPlan(mock.operations[0], usual: mock.send("/words"), sockets: mock.sockets).variants
    let half = try #require(variants.first { $0.kind == .truncatedBody })
    guard case .response(let response, let body, _) = half.override.answer else {
      Issue.record("\(half.name)")
      return
    }
    #expect(response.headerFields[.contentType] == "text/event-stream")
    let whole = "data: {\"n\":1}\n\nevent: end\ndata: 2\n\n"
    #expect(body.count > 1 && body.count < whole.utf8.count && whole.hasPrefix(String(decoding: body, as: UTF8.self)))
    #expect(!variants.contains { $0.kind == .wrongType })
  }

  @Test func `an answer that is no stream has no such variants`() throws {
    #expect(try streams(try ContractFixture(Self.contract("application/json", "{}")).mock()) == [])
  }
}
