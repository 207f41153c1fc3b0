import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct EventStreamTests {
  static func decode(_ text: String, itemSchema: JSON? = [:], schema: JSON? = nil) -> Decoded {
    var media = MediaTypeObject("text/event-stream", schema: schema)
    media.itemSchema = itemSchema
    return BodyDecoder([media], specification: .openAPI32, schemas: .of(.openAPI32))
      .decode(Array(text.utf8), contentType: "text/event-stream").decoded
  }

  @Test(arguments: [
    ("data: a\n\n", #"[{"data":"a"}]"#),
    ("data:a\ndata: b\n\n", #"[{"data":"a\nb"}]"#),
    ("data:  a\r\n\r\n", #"[{"data":" a"}]"#),
    ("event: tick\rdata: 1\rid: 7\rretry: 0100\r\r", #"[{"data":"1","event":"tick","id":"7","retry":100}]"#),
    ("\u{FEFF}data: a\n\n", #"[{"data":"a"}]"#),
    (": a comment\nnonsense: x\ndata\n\n", #"[{"data":""}]"#),
    ("retry: 100\n\ndata: a\n\n", #"[{"data":"a"}]"#),
    ("data: a\nretry: soon\nid: a\u{0}b\n\n", #"[{"data":"a"}]"#),
    ("retry: 0\ndata: a\n\n", #"[{"data":"a","retry":0}]"#),
    ("\n\n\n", "[]"), ("", "[]"),
  ])
  func `a stream is an array of its events`(text: String, value: String) {
    #expect(FormBodyTests.text(Self.decode(text)) == value)
  }

  @Test func `an event without its empty line is noted`() {
    let decoded = Self.decode("data: a\n\ndata: b\n")
    #expect(FormBodyTests.text(decoded) == #"[{"data":"a"}]"#)
    #expect(decoded.problems.map(\.isRecovered) == [true])
  }

  @Test(arguments: [
    ("text/event-stream", "data:\n\n"), ("application/x-ndjson", "1\n"), ("application/json-seq", "\u{1E}1"),
  ])
  func `the items of one body have a limit`(type: String, item: String) {
    func problems(_ count: Int) -> [DecodingProblem.Kind] {
      BodyDecoder([MediaTypeObject(type)], specification: .openAPI32, schemas: .of(.openAPI32))
        .decode(Array(String(repeating: item, count: count).utf8), contentType: type).decoded.problems.map(\.kind)
    }
    #expect(problems(100_000) == [])
    #expect(problems(100_001) == [.limit])
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let decoded = BodyDecoder(
      [MediaTypeObject("text/event-stream")], specification: .openAPI32, schemas: .of(.openAPI32)
    )
    .decode([0xFF], contentType: "text/event-stream").decoded
    #expect(FormBodyTests.text(decoded) == "the event stream is not UTF-8")
  }

  @Test func `a schema of text means the text of the stream`() {
    #expect(
      FormBodyTests.text(Self.decode("data: a\n\n", itemSchema: nil, schema: ["type": "string"])) == #""data: a\n\n""#)
  }

  @Test func `each item of a sequence is validated by itemSchema, the whole by schema`() throws {
    let contract = """
      openapi: 3.2.0
      info: {title: T, version: "1"}
      paths:
        /a:
          get:
            responses:
              "200":
                description: d
                content:
                  text/event-stream: {itemSchema: {required: [event], properties: {data: {maxLength: 2}}}}
                  application/x-ndjson: {schema: {maxItems: 2}, itemSchema: {type: integer}}
      """
    let bench = try ContractFixture(contract).validator()
    func places(_ type: String, _ body: String) -> [String] {
      bench.validate("GET /a", "200\nContent-Type: \(type)\n\n\(body)").places
    }
    #expect(places("text/event-stream", "event: a\ndata: 12\n\n") == [])
    #expect(
      places("text/event-stream", "data: 1\n\nevent: a\ndata: 123\n\n")
        == ["resp.body.schema /body/0", "resp.body.schema /body/1/data"])
    #expect(places("application/x-ndjson", "1\n2\n") == [])
    #expect(places("application/x-ndjson", "1\nx\n") == ["resp.body.unparsable /body"])
    #expect(
      places("application/x-ndjson", "1\n\"2\"\n3") == ["resp.body.schema /body/1", "resp.body.schema /body"])
  }
}
