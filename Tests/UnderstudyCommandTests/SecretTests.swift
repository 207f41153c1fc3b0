import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Secrets in what a running mock writes: the log, problem documents, headers and recordings.
struct SecretTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: t, version: "1"}
    paths:
      /login:
        post:
          operationId: login
          parameters:
            - {name: token, in: query, schema: {type: integer}}
            - {name: X-Api-Key, in: header, schema: {type: integer}}
            - {name: session, in: cookie, schema: {type: integer}}
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    password: {type: string, minLength: 12}
                    login: {type: object, enum: [{}], properties: {password: {type: string}}}
          responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}}

    """

  private static let secrets = ["qs3cret", "hs3cret", "cs3cret", "ps3cret", "is3cret"]

  private static let exchange = Scenario.Exchange(
    method: "POST", target: "/login?token=qs3cret",
    headers: [("Content-Type", "application/json"), ("X-Api-Key", "hs3cret"), ("Cookie", "session=cs3cret")],
    body: #"{"password": "ps3cret", "login": {"password": "is3cret"}}"#)

  @Test(arguments: [["--on-invalid", "problem"], ["--on-invalid", "warn"], []])
  func `a finding about a secret shows it nowhere`(_ arguments: [String]) throws {
    try withProject(["api.yaml": Self.contract]) { (folder) throws in
      let mock = try ServedMock(["api.yaml", "--har", "t.har"] + arguments, in: folder)
      let answer = try Curl.send(Self.exchange, to: mock.url)
      let (_, log) = mock.end()
      let har = String(decoding: try FileSystem.read(folder + "/t.har").bytes, as: UTF8.self)
      let fields = answer.headers.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
      let document = answer.body
      for secret in Self.secrets {
        for text in [log, har, fields, document] { #expect(!text.contains(secret), "\(text)") }
      }
      #expect(log.contains("query `token`: the value breaks the contract; it is a secret and not shown"), "\(log)")
      #expect(log.contains("/password: the value breaks `minLength`; it is a secret and not shown"), "\(log)")
    }
  }

  @Test func `rules and places of redaction are settings`() throws {
    let config = """
      redact:
        redact.member: off
        /body/note: on

      """
    try withProject(["api.yaml": Self.contract, "understudy.yaml": config]) { (folder) throws in
      let mock = try ServedMock(["api.yaml", "--har", "t.har", "--no-redact", "/header/X-Api-Key"], in: folder)
      var exchange = Self.exchange
      exchange.body = #"{"password": "ps3cret", "note": "n0te-secret"}"#
      _ = try Curl.send(exchange, to: mock.url)
      _ = mock.end()
      let har = String(decoding: try FileSystem.read(folder + "/t.har").bytes, as: UTF8.self)
      #expect(har.contains("ps3cret") && har.contains("hs3cret"))
      #expect(!har.contains("n0te-secret") && !har.contains("qs3cret") && !har.contains("cs3cret"))
    }
  }

  @Test(arguments: [
    (
      ["--no-redact", "redact.jwd"],
      "--no-redact `redact.jwd` is neither a place of a message nor a rule of redaction\n  help: did you mean `redact.jwt`?\n"
    ),
    (
      ["--redact", "/to"],
      "--redact `/to` is not a place of a message\n  help: a place starts with /header/, /query/, /cookie/ or /body\n"
    ),
  ])
  func `an unknown rule or place is a usage error`(_ arguments: [String], _ message: String) throws {
    try withProject(["api.yaml": Self.contract]) { (folder) throws in
      let result = try Command.run(Command.path, ["serve", "api.yaml", "--port", "0"] + arguments, in: folder)
      #expect(result.code == 2)
      #expect(result.error == "error: \(message)")
    }
  }

  @Test func `explain lists the rules of redaction`() throws {
    let result = try Command.run("explain", "redact.*")
    let ids = result.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(ids == Rule.redaction.map(\.id))
    #expect(result.code == 0)
  }
}
