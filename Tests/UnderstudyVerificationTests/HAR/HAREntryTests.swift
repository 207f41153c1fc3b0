import HTTPTypes
import Testing
import UnderstudyVerification

/// The differences between tools that write HAR.
struct HAREntryTests {
  private static let json = [("Content-Type", "application/json")]

  @Test func `pseudo-fields are dropped, and joined lines are taken apart`() throws {
    let entry = try Recordings.read(
      Recordings.entry(
        headers: [(":authority", "h"), (":path", "/x"), ("accept", "a/b")],
        answerHeaders: [("set-cookie", "a=1\nb=2"), ("x y", "no name")]))
    #expect(entry.requestFields.map(\.name.rawName) == ["accept"])
    #expect(entry.response?.fields.lines(named: "Set-Cookie") == ["a=1", "b=2"])
    #expect(entry.response?.fields.count == 2)
  }

  @Test func `the query is that of the URL`() throws {
    let entry = try Recordings.read(Recordings.entry("GET", "https://h/p?a=%2C&a=+"))
    #expect(entry.url == "https://h/p?a=%2C&a=+")
  }

  @Test func `cookies replace a missing field`() throws {
    let entry = try Recordings.read(
      Recordings.entry().replacing(
        #""cookies": [], "headers": [], "q"#,
        with: #""cookies": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}], "headers": [], "q"#))
    #expect(entry.requestFields.lines(named: "cookie").joined(separator: "; ") == "a=1; b=2")
  }

  @Test func `cookies of an answer replace missing fields`() throws {
    let entry = try Recordings.read(
      Recordings.entry().replacing(
        #""cookies": [], "headers": [{"#,
        with: #""cookies": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}], "headers": [{"#))
    #expect(entry.response?.fields.lines(named: "set-cookie") == ["a=1", "b=2"])
  }

  // MARK: - Bodies of requests

  @Test(
    arguments: [
      ("", "application/json", ExchangeBody.empty),
      (#""postData": {"mimeType": "application/json", "text": "{}"}"#, "application/json", .bytes(Array("{}".utf8))),
      (#""postData": {"mimeType": "", "text": "", "params": []}"#, "text/plain", .empty),
      (
        #""postData": {"mimeType": "x", "params": [{"name": "a b", "value": "ü&"}, {"name": "c", "value": "1"}]}"#,
        "application/x-www-form-urlencoded", .rebuilt(Array("a%20b=%C3%BC%26&c=1".utf8))
      ),
      (
        #""postData": {"mimeType": "x", "params": [{"name": "a", "value": "%C3%BC+x"}]}"#,
        "application/x-www-form-urlencoded", .rebuilt(Array("a=%C3%BC+x".utf8))
      ),
      (
        #""postData": {"mimeType": "x", "params": [{"name": "a", "value": "100%"}]}"#,
        "application/x-www-form-urlencoded", .rebuilt(Array("a=100%25".utf8))
      ),
      (
        #""postData": {"mimeType": "x", "params": [{"name": "a", "value": "1"}, {"name": "f", "value": "z", "fileName": "f.txt", "contentType": "text/plain"}]}"#,
        "multipart/form-data; boundary=B",
        .rebuilt(
          Array(
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\nz\r\n--B--\r\n"
              .utf8))
      ),
      (
        #""postData": {"mimeType": "x", "params": [{"name": "f", "fileName": "f.png"}]}"#,
        "multipart/form-data; boundary=B", .unknown("a part of the request's body was not recorded")
      ),
      (
        #""postData": {"mimeType": "x", "text": "\u0000\uFFFD"}"#, "application/octet-stream",
        .unknown("the body is binary, and the recording holds it as text")
      ),
      (#""postData": {"mimeType": "x", "text": "", "_base64": "AP8="}"#, "image/png", .bytes([0, 255])),
      (#""postData": {"mimeType": "x", "text": "AP8=", "encoding": "base64"}"#, "image/png", .bytes([0, 255])),
      (#""postData": 7"#, "text/plain", .empty),
    ])
  func `the body of a request is read`(
    _ members: String, _ type: String, _ expected: ExchangeBody
  ) throws {
    let entry = try Recordings.read(
      Recordings.entry("POST", headers: [("Content-Type", type)], request: members))
    #expect(entry.requestBody == expected)
  }

  @Test func `a size without a body is a body that was not recorded`() throws {
    let text = Recordings.entry("POST").replacing(#""bodySize": -1}, "response""#, with: #""bodySize": 7}, "response""#)
    #expect(try Recordings.read(text).requestBody == .unknown("the request's body was not recorded"))
  }

  @Test func `the body of a request with a content coding is not validated`() throws {
    let entry = try Recordings.read(
      Recordings.entry(
        "POST", headers: Self.json + [("Content-Encoding", "gzip")],
        request: #""postData": {"mimeType": "x", "text": "{}"}"#))
    #expect(entry.requestBody.reason != nil)
  }

  @Test func `the media type of postData replaces a missing field`() throws {
    let entry = try Recordings.read(
      Recordings.entry("POST", request: #""postData": {"mimeType": "application/json", "text": "{}"}"#))
    #expect(entry.requestFields[.contentType] == "application/json")
  }

  // MARK: - Bodies of answers

  @Test(
    arguments: [
      (200, #""size": 2, "mimeType": "x", "text": "[]""#, ExchangeBody.bytes(Array("[]".utf8))),
      (200, #""size": 2, "mimeType": "x", "text": "W10=", "encoding": "base64""#, .bytes(Array("[]".utf8))),
      (200, #""size": 2, "mimeType": "x", "text": "W1\n0=", "encoding": "base64""#, .bytes(Array("[]".utf8))),
      (200, #""size": 0, "mimeType": "x", "text": "[]""#, .bytes(Array("[]".utf8))),
      (200, #""size": -9223372036854775808, "mimeType": "x", "text": "[]""#, .bytes(Array("[]".utf8))),
      (
        200, #""size": 9223372036854775807, "mimeType": "x", "text": "[]""#,
        .unknown("the recording holds only a part of the answer's body")
      ),
      (200, #""size": 17, "mimeType": "x""#, .unknown("the answer's body was not recorded")),
      (200, #""size": 17, "mimeType": "x", "text": """#, .unknown("the answer's body was not recorded")),
      (200, #""mimeType": "x", "comment": "bodies are not included""#, .unknown("the answer's body was not recorded")),
      (200, #""size": -1, "mimeType": "x""#, .unknown("the answer's body was not recorded")),
      (200, #""size": 0, "mimeType": "x""#, .empty), (204, #""size": -1, "mimeType": "x""#, .empty),
      (304, #""size": 5, "mimeType": "x", "text": "12345""#, .empty),
      (
        200, #""size": 2, "mimeType": "x", "text": "W10", "encoding": "base64""#,
        .unknown("the body is declared as base64, but is not valid base64")
      ),
      (
        200, #""size": 2, "mimeType": "x", "text": "xx", "encoding": "quoted-printable""#,
        .unknown("the answer's body has an unknown encoding")
      ),
      (
        200, #""size": 2000000, "mimeType": "x", "text": "[1, 2""#,
        .unknown("the recording holds only a part of the answer's body")
      ),
    ])
  func `the body of an answer is read, and a missing one is not empty`(
    _ status: Int, _ content: String, _ expected: ExchangeBody
  ) throws {
    #expect(try Recordings.read(Recordings.entry(status: status, content: content)).response?.body == expected)
  }

  @Test func `text is in the charset of its field again`() throws {
    let entry = try Recordings.read(
      Recordings.entry(
        answerHeaders: [("Content-Type", "text/plain; charset=ISO-8859-1"), ("Content-Encoding", "br")],
        content: #""size": 1, "mimeType": "x", "text": "ü""#))
    #expect(entry.response?.body == .bytes([0xFC]))
  }

  // MARK: - Invalid entries

  @Test(
    arguments: [
      ("{}", "`request` is missing"), (#"{"request": [], "response": {}}"#, "`request` is array"),
      (#"{"request": {}}"#, "`response` is missing"),
      (#"{"request": {"method": 7}, "response": {}}"#, "`request.method` is number"),
      (#"{"request": {"method": "GET"}, "response": {}}"#, "`request.url` is missing"),
      (#"{"request": {"method": "GET", "url": "u"}, "response": {"status": "200"}}"#, "`response.status` is string"),
      (
        #"{"request": {"method": "GET", "url": "u"}, "response": {"status": 9223372036854775807}}"#,
        "`response.status` has more than three digits"
      ),
    ])
  func `an element of another shape does not damage the file`(_ text: String, _ message: String) throws {
    let problem = #expect(throws: HAREntry.Problem.self) { try Recordings.read(text) }
    #expect(problem?.message == message)
    #expect(problem?.isDamage == false)
  }

  @Test(
    arguments: [
      #""headers": 7"#, #""headers": [7, {"name": 7, "value": 8}, {"value": "x"}]"#,
      #""postData": {"text": 7, "params": 9}"#,
      #""cookies": {"a": 1}"#, #""bodySize": "many""#, #""postData": {"params": [7, {"name": 8, "value": []}]}"#,
    ])
  func `wrong types inside a request are taken for absent`(_ member: String) throws {
    let text = #"{"request": {"method": "GET", "url": "u", \#(member)}, "response": {"status": 200}}"#
    let entry = try Recordings.read(text)
    #expect(entry.method == "GET")
    #expect(entry.requestFields.isEmpty)
  }
}
