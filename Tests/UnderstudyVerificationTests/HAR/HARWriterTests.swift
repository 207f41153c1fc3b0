import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

struct HARWriterTests {
  /// What comes back of an exchange that was written and read.
  private static func round(
    _ request: HTTPRequest, _ body: [UInt8]?, _ reply: Reply, status: Int?
  ) throws -> Exchange {
    let writer = HARWriter(version: "1.0")
    let exchange = ServedRequest(
      startedAt: 1_700_000_000_123_456, microseconds: 1500, request: SharedRequest(request), body: body,
      reply: reply, status: status)
    var redactor = Redactor()
    let text = try #require(writer.entry(exchange, &redactor))
    return try HAREntry.read(try JSONParser.parse(text.value).root, index: 0, line: 1)
  }

  /// A reply as it is written.
  private static func entry(_ reply: Reply, to request: HTTPRequest = request("text/plain")) throws -> JSON {
    let exchange = ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: 200)
    var redactor = Redactor()
    return try JSONParser.parse(try #require(HARWriter(version: "1.0").entry(exchange, &redactor)).value).root
  }

  private static func request(_ type: String) -> HTTPRequest {
    HTTPRequest(
      method: .post, scheme: "http", authority: "h:1", path: "/p?a=%2F", headerFields: [.contentType: type])
  }

  private static func reply(_ type: String, _ body: [UInt8]) -> Reply {
    Reply(.made(HTTPResponse(status: .ok, headerFields: [.contentType: type]), body: body), reason: "test")
  }

  @Test(
    arguments: [
      ("application/json", Array(#"{"a":"\u0000ü"}"#.utf8)), ("image/png", [0, 255, 254]),
      ("text/plain; charset=utf-16", [0, 104]), ("text/plain; charset=iso-8859-1", [0xFC]), ("text/plain", []),
      ("application/x-www-form-urlencoded", Array("a=%FF&b=".utf8) + [0xFC, 0xFF]),
      ("application/x-www-form-urlencoded; charset=iso-8859-1", Array("name=J".utf8) + [0xFC, 0x26]),
    ])
  func `bodies survive writing and reading`(_ type: String, _ bytes: [UInt8]) throws {
    let entry = try Self.round(Self.request(type), bytes, Self.reply(type, bytes), status: 200)
    #expect(entry.requestBody == .bytes(bytes))
    #expect(entry.response?.body == .bytes(bytes))
    #expect(entry.url == "http://h:1/p?a=%2F")
    #expect(entry.startedAt == 1_700_000_000_123_000)
    #expect(entry.response?.duration == .microseconds(1500))
  }

  @Test(
    arguments: [
      ("", "a=%FF&name=", [0xFC, 0xFF]), ("; charset=iso-8859-1", "name=J", [0xFC, 0xFC, 0x26]),
      ("; charset=iso-8859-1", "name=J", [0xFC]),
    ] as [(String, String, [UInt8])])
  func `a form that is not UTF-8 has the same findings in its recording`(
    _ charset: String, _ start: String, _ end: [UInt8]
  ) throws {
    let (type, body) = ("application/x-www-form-urlencoded" + charset, Array(start.utf8) + end)
    let mock = try ContractFixture(
      ContractFixture.text(
        paths: """
            /p:
              post:
                operationId: p
                requestBody:
                  content:
                    application/x-www-form-urlencoded:
                      schema: {type: object, properties: {a: {type: string}, name: {type: string, maxLength: 2}}}
                responses: {"200": {description: d}}

          """)
    ).mock { $0.onInvalid = .warn }
    let request = Self.request(type)
    let reply = mock.reply(to: request, body: body)
    let entry = try Self.round(request, body, reply, status: reply.status)
    let validator = TrafficValidator(
      mock.contracts.map(\.compiled), rules: RuleSettings(), scope: TrafficScope(mock.contracts.map(\.api)))
    guard case .validated(let recorded) = validator.validate(entry, isOwn: true) else {
      Issue.record("the recording is not validated")
      return
    }
    #expect(recorded.request.findings.map(\.message) == reply.diagnostics.map(\.message))
    #expect(recorded.request.findings.map(\.rule) == reply.diagnostics.map(\.rule))
    #expect(recorded.request.notValidated == reply.notValidated)
  }

  @Test func `a long body is not recorded, and a fault has no answer`() throws {
    var reply = Self.reply("text/plain", [])
    reply.fault = .reset
    let entry = try Self.round(Self.request("text/plain"), nil, reply, status: nil)
    #expect(entry.requestBody.reason == "the request's body was not recorded")
    #expect(entry.status == 0)
  }

  @Test func `an entry names the fault and the delay of its answer`() throws {
    var reply = Self.reply("text/plain", [104])
    reply.fault = .reset(at: .body)
    reply.delay = .milliseconds(250)
    let note = try Self.entry(reply)["_understudy"]
    #expect(note?["fault"] == "reset:body")
    #expect(note?["delay"] == "250ms")
    let plain = try Self.entry(Self.reply("text/plain", [104]))["_understudy"]
    #expect(plain?["fault"] == nil)
    #expect(plain?["delay"] == nil)
  }

  @Test func `an entry keeps what the client broke between its requests, with the proof and without secrets`() throws {
    var reply = Self.reply("text/plain", [104])
    let rule = try #require(Rule.named("check.retry-storm"))
    reply.diagnostics = [
      Diagnostic(.scenarioVariableUnset, "the variable `who` has no value"),
      Diagnostic(
        rule, "the request was repeated 4 times",
        notes: [Diagnostic.Note("request 1: GET /p?k=s3cret-of-a-user -> 503"), Diagnostic.Note("request 5: GET /p")],
        help: "give up"),
    ]
    var request = Self.request("text/plain")
    request.headerFields[.authorization] = "Bearer s3cret-of-a-user"
    let note = try Self.entry(reply, to: request)["_understudy"]
    #expect(note?["findings"]?.elements.map(\.text) == ["scenario.variable.unset", "check.retry-storm"])
    #expect(!(note.map { JSONWriter.text($0) } ?? "s3cret").contains("s3cret"))
    let findings = try Self.round(request, [], reply, status: 503).findings
    #expect(findings.map(\.rule) == [rule])
    #expect(findings.first?.message == "the request was repeated 4 times")
    #expect(findings.first?.notes.last?.message == "request 5: GET /p")
    #expect(findings.first?.help == "give up")
  }

  @Test func `a file is complete after every write, and another file is not written over`() throws {
    try withTemporaryFolder { (folder) throws in
      let path = folder + "/t.har"
      let writer = HARWriter(version: "1.0")
      func count() throws -> Int {
        let file = try HARFile(path)
        #expect(file.damage == nil)
        #expect(file.creator == "Understudy")
        _ = try JSONParser.parse(try FileSystem.read(path))
        return file.count
      }
      do {
        var output = try HAROutput.begin(path, head: writer.head)
        #expect(try count() == 0)
        var redactor = Redactor()
        let entry = redactor.redact(text: "{}").map { Array($0.utf8) }
        try output.append([entry], lost: 0)
        try output.append([entry, entry], lost: 12)
        #expect(try count() == 3)
        let problem = #expect(throws: FileProblem.self) { _ = try HAROutput.begin(path, head: writer.head) }
        #expect(problem?.message == "another run is recording to it")
        #expect(try count() == 3)
      }
      #expect(String(decoding: try FileSystem.read(path).bytes, as: UTF8.self).contains("12 exchanges are missing"))
      _ = try HAROutput.begin(path, head: writer.head)
      #expect(try count() == 3)
      try write(["other.har": Recordings.har([])], in: folder)
      let problem = #expect(throws: FileProblem.self) {
        _ = try HAROutput.begin(folder + "/other.har", head: writer.head)
      }
      #expect(problem?.message == "the file exists and is not a recording of understudy")
    }
  }
}
