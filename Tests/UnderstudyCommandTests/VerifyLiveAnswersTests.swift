import Foundation
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// What a live run makes of answers that are malformed, or hold secrets.
struct VerifyLiveAnswersTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: Any, version: "1"}
    paths:
      /a: {get: {operationId: a, responses: {"200": {description: d}}}}
      /b: {get: {operationId: b, responses: {"200": {description: d}}}}

    """

  /// A server that answers requests for a path below `/a` with these bytes, and others with 200.
  private static func server(_ answer: String) throws -> RawServer {
    try RawServer { connection, _ in
      while let head = try? connection.head() {
        try connection.send(
          Array((head.contains(" /a") ? answer : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").utf8))
        if head.contains(" /a") { break }
      }
      return ""
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk",
    "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nokk",
    "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok",
  ]) func `an answer with contradictory lengths is a finding about the provider`(_ answer: String) throws {
    let server = try Self.server(answer)
    try withProject(["any.yaml": Self.contract]) { folder in
      let result = try Command.run(
        "verify", "any.yaml", "--live", "http://127.0.0.1:\(server.port)", "--report", "json=r.json", in: folder)
      let report = try TextDocument.read(FileSystem.read(folder + "/r.json")).root
      let findings = (report["cases"]?.elements ?? JSON.array([]).elements).flatMap {
        $0["findings"]?.elements.map(\.self) ?? []
      }
      #expect(findings.map { $0["rule"]?.string } == ["prov.answer.malformed"], "\(result.output)")
      #expect(findings.map { $0["owner"]?.string } == ["provider"])
      #expect(result.output.contains("error: its answer "))
      #expect(result.code == 1)
    }
  }

  @Test func `an answer whose head breaks off is a finding about the provider`() throws {
    let server = try Self.server("HTTP/1.1 200 OK\r\nConte")
    try withProject(["any.yaml": Self.contract]) { folder in
      let result = try Command.run("verify", "any.yaml", "--live", "http://127.0.0.1:\(server.port)", in: folder)
      #expect(result.output.contains("prov.answer.malformed"), "\(result.output)\(result.error)")
      #expect(result.output.contains("it closed the connection within its answer"), "\(result.output)")
      #expect(result.code == 1, "\(result.error)")
    }
  }

  // MARK: - Secrets

  private static let secretive = """
    openapi: 3.0.3
    info: {title: Any, version: "1"}
    paths:
      /tokens:
        post:
          operationId: createToken
          responses:
            "201":
              description: d
              content: {application/json: {schema: {type: object, properties: {password: {type: integer}}}}}
      /tokens/{access_token}:
        get:
          operationId: readToken
          parameters: [{name: access_token, in: path, required: true, schema: {type: string}}]
          responses:
            "200": {description: d}
            "400": {description: d}

    """

  private static let secrets = [
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "correct-horse-battery", "AKIAIOSFODNN7EXAMPLE", "tr0ub4dor&3",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0b20ifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  ]

  private static let backend = PythonServer.handler(
    """
    S = \(secrets)
    def do_POST(self):
        self.body()
        self.answer(201, json.dumps({"access_token": self.S[0], "password": self.S[1]}).encode(), Content_Type="application/json")
    def do_GET(self):
        text = json.dumps({"error": "no", "aws": self.S[2], "url": "https://tom:" + self.S[3] + "@db.example", "jwt": self.S[4]})
        self.answer(400 if self.S[0] in self.path else 200, text.encode(), Content_Type="application/json")
    """)

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no python3"))
  func `no report of a live run has a secret of an answer`() throws {
    let backend = try PythonServer(Self.backend)
    defer { backend.stop() }
    try withProject(["any.yaml": Self.secretive]) { folder in
      let formats = ["json=r.json", "junit=r.xml", "sarif=r.sarif", "html=r.html", "github=r.txt", "gitlab=r.gl.json"]
      let result = try Command.run(
        Command.path,
        ["verify", "any.yaml", "--live", "http://127.0.0.1:\(backend.port)", "--allow-unsafe"]
          + formats.flatMap { ["--report", $0] }, in: folder)
      var texts = [result.output, result.error]
      for format in formats {
        let name = try #require(format.split(separator: "=").last)
        texts.append(String(decoding: try FileSystem.read("\(folder)/\(name)").bytes, as: UTF8.self))
      }
      #expect(result.output.contains("prov.valid-rejected"), "\(result.output)")
      #expect(result.output.contains("the answer is: "), "\(result.output)")
      #expect(result.output.contains("/tokens/${access_token_id}"), "\(result.output)")
      for (text, secret) in texts.flatMap({ text in Self.secrets.map { (text, $0) } }) {
        #expect(!text.contains(secret), "\(secret) in \(text)")
        #expect(
          !text.contains(secret.replacing("&", with: "%26")) && !text.contains(secret.replacing("&", with: "&amp;")))
      }
    }
  }
}
