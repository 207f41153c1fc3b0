import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct BodyDecoderTests {
  static let object: JSON = ["type": "object", "properties": ["a": ["type": "integer"]]]

  static func decode(_ body: String, _ contentType: String?, _ ranges: [String], schema: JSON? = object) -> String {
    let content = ranges.map { MediaTypeObject($0, schema: schema) }
    let result = BodyDecoder(content, specification: .openAPI31, schemas: .of(.openAPI31))
      .decode(Array(body.utf8), contentType: contentType)
    let entry = result.content.map { "\($0) " } ?? ""
    let notes = result.decoded.problems.filter(\.isRecovered).map { " (\($0.kind))" }.joined()
    if case .unvalidated(let reason) = result.decoded.outcome { return entry + "unvalidated: " + reason }
    return entry + FormBodyTests.text(result.decoded) + notes
  }

  @Test(
    arguments: [
      ("{\"a\":1}", "application/json", ["application/json"], #"0 {"a":1}"#),
      ("{\"a\":1}", "Application/JSON;charset=UTF-8", ["text/plain", "application/json"], #"1 {"a":1}"#),
      ("{\"a\":1}", "application/problem+json", ["application/json", "application/*"], #"1 {"a":1}"#),
      ("a=1", "application/x-www-form-urlencoded; charset=utf-8", ["application/x-www-form-urlencoded"], #"0 {"a":1}"#),
      ("{\"a\":1}", nil, ["application/json"], #"0 {"a":1} (contentType)"#),
      ("", nil, ["application/json"], "absent"),
      ("", "application/json", ["application/json"], "0 absent"),
      ("0", "application/json", ["application/json"], "0 0"),
      ("false", "application/json", ["application/json"], "0 false"),
      (
        "x", nil, ["application/json", "text/plain"],
        "the body has no Content-Type; expected `application/json` or `text/plain`"
      ),
      ("x", nil, [], "the body has no Content-Type; expected no body"),
      ("x", "text/html", ["application/json"], "Content-Type `text/html` is not declared; expected `application/json`"),
      ("x", "*/*", ["application/json"], "Content-Type `*/*` is not a valid media type; expected `application/json`"),
      ("x", "", ["application/json"], "Content-Type `` is not a valid media type; expected `application/json`"),
      ("<x><a>1</a></x>", "application/xml", ["application/xml"], #"0 {"a":1}"#),
      ("", "text/xml", ["text/xml"], "0 absent"),
      ("{\"a\":1}\n\n{\"a\":2}\n", "application/jsonl", ["application/jsonl"], #"0 [{"a":1},{"a":2}]"#),
      ("\u{1E}1\n\u{1E}2", "application/json-seq", ["application/json-seq"], "0 [1,2]"),
      ("1\n{", "application/x-ndjson", ["application/x-ndjson"], "0 item 2 of the sequence is not valid JSON: "),
      (
        "1", "application/json-seq", ["application/json-seq"],
        "0 the sequence does not start with a record separator (0x1E), which precedes every text"
      ),
      ("{\"a\":1,\"a\":2}", "application/json", ["application/json"], #"0 {"a":1,"a":2} (encoding)"#),
      ("\u{FEFF}{}", "application/json", ["application/json"], "0 {} (encoding)"),
      (
        "a=1&b[]=2", "application/json", ["application/json"],
        "0 the body is a form (`name=value`), but Content-Type says JSON; send JSON, or Content-Type: application/x-www-form-urlencoded where the contract allows it"
      ),
      ("{a}", "application/json", ["application/json"], "0 the body is not valid JSON: "),
    ] as [(String, String?, [String], String)])
  func `a body is read by the narrowest key`(body: String, contentType: String?, ranges: [String], value: String) {
    let text = Self.decode(body, contentType, ranges)
    #expect(value.hasSuffix(": ") ? text.hasPrefix(value) : text == value)
  }

  @Test func `text is read by its type`() {
    #expect(Self.decode("7", "text/plain", ["text/plain"], schema: ["type": "integer"]) == "0 7")
    #expect(Self.decode("7", "text/plain", ["text/plain"], schema: ["type": "string"]) == "0 \"7\"")
    #expect(Self.decode("x", "text/plain", ["text/plain"], schema: ["type": "integer"]) == "0 \"x\"")
    #expect(Self.decode("7", "text/plain", ["text/plain"], schema: nil) == "0 7 | \"7\"")
  }

  @Test func `bytes are a text of their length`() {
    #expect(Self.decode("0123456789ABCDEF", "image/png", ["image/*"], schema: nil) == "0 \"<16 bytes>......\"")
    #expect(Self.decode("abc", "image/png", ["image/*"], schema: ["type": "string"]) == "0 \"<3 \"")
  }

  @Test(arguments: ["text/csv", "application/x-protobuf"])
  func `a media type without a mapping to arrays is not validated`(type: String) {
    let unvalidated = "0 unvalidated: no specification maps \(type) to the schema"
    #expect(Self.decode("a,b", type, [type], schema: ["type": "array"]) == unvalidated)
    #expect(Self.decode("[1]", type, [type], schema: ["type": "array"]).hasPrefix("0 [1]"))
    #expect(Self.decode("a,b", "text/plain", ["text/plain"], schema: ["type": "array"]) == "0 \"a,b\"")
  }

  static func text(_ bytes: [UInt8], _ contentType: String) -> String {
    let content = [MediaTypeObject("text/plain", schema: ["type": "string"])]
    let result = BodyDecoder(content, specification: .openAPI31, schemas: .of(.openAPI31)).decode(
      bytes, contentType: contentType)
    return FormBodyTests.text(result.decoded)
  }

  @Test(
    arguments: [
      ([0x63, 0xC3, 0xA9], "text/plain; charset=UTF-8", "\"c\u{E9}\""),
      ([0xEF, 0xBB, 0xBF, 0x63], "text/plain", "\"c\""),
      ([0x63, 0xE9], "text/plain; charset=ISO-8859-1", "\"c\u{E9}\""),
      ([0x63, 0xE9], "text/plain; charset=\"utf-8\"", "the text is not in `utf-8`, its charset"),
      ([0x63, 0xE9], "text/plain; charset=us-ascii", "the text is not in `us-ascii`, its charset"),
      ([0x63, 0xE9], "text/plain", "unvalidated: the text has no charset and is not UTF-8"),
      ([0x63, 0xE9], "text/plain; charset=koi8-r", "unvalidated: the charset `koi8-r` is not supported"),
      ([0xFF, 0xFE, 0x63, 0x00, 0xE9, 0x00], "text/plain; charset=utf-16", "\"c\u{E9}\""),
      ([0x00, 0x63], "text/plain; charset=utf-16be", "\"c\""),
      ([0x63, 0x00], "text/plain; charset=utf-16le", "\"c\""),
      ([0x63], "text/plain; charset=utf-16", "the text is not in `utf-16`, its charset"),
      ([0xD8, 0x00], "text/plain; charset=utf-16", "the text is not in `utf-16`, its charset"),
    ] as [([UInt8], String, String)])
  func `text is read in its charset`(bytes: [UInt8], contentType: String, value: String) {
    #expect(Self.text(bytes, contentType) == value)
  }

  @Test func `a coded body is decoded first`() throws {
    let content = [MediaTypeObject("application/json", schema: Self.object)]
    let decoder = BodyDecoder(content, specification: .openAPI31, schemas: .of(.openAPI31))
    let bytes = try ContentCodingTests.bytes("DwOAeyJhIjoxfQM=")
    let result = decoder.decode(bytes, contentType: "application/json", codings: ["br"])
    #expect(FormBodyTests.text(result.decoded) == #"{"a":1}"#)
    let plain = decoder.decode(Array("{}".utf8), contentType: "application/json", codings: ["br"])
    #expect(FormBodyTests.text(plain.decoded) == "the body is not valid `br`, its Content-Encoding")
  }

  @Test(arguments: ["text/plain", "application/octet-stream"])
  func `JSON under another name is read where nothing else can be meant`(type: String) {
    #expect(Self.decode("{\"a\":1}", type, [type], schema: Self.object) == #"0 {"a":1} (encoding)"#)
    #expect(Self.decode("{\"a\":1}", type, [type], schema: ["type": "string"]).hasPrefix("0 \""))
    let decoder = BodyDecoder(
      [MediaTypeObject(type, schema: Self.object)], specification: .swagger2, schemas: .of(.swagger2))
    let problems = decoder.decode(Array("{}".utf8), contentType: type).decoded.problems
    #expect(problems.map(\.sentence) == ["the body is JSON, but Content-Type says \(type)"])
    #expect(!problems.contains { !$0.isRecovered })
  }
}
