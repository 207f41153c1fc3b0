import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RedactorTests {
  /// Redacts the exchange of a secret in turn, each time by another redactor of one contract.
  private static func redactions(
    of planted: PlantedSecret, _ count: Int, chained: Bool = false
  ) throws -> [(exchange: Exchange, report: RedactionReport)] {
    let contract = try PlantedSecret.contract.contract().compiled
    var exchange = planted.exchange
    return (0..<count).map { _ in
      var redactor = Redactor([contract.secrets])
      let clean = redactor.redact(exchange, of: planted.operation.flatMap { contract.api.operation($0) }).value
      if chained { exchange = clean }
      return (clean, redactor.report)
    }
  }

  @Test func `the table has at least sixty places`() {
    #expect(PlantedSecret.all.count >= 60)
    #expect(Set(PlantedSecret.all.map(\.title)).count == PlantedSecret.all.count)
  }

  @Test(arguments: PlantedSecret.all) func `a planted secret is left in no encoding`(_ planted: PlantedSecret) throws {
    let before = Spelled(planted.exchange)
    for secret in planted.secrets { #expect(before.holds(secret), "\(secret) is not in the exchange") }
    let (exchange, report) = try Self.redactions(of: planted, 1)[0]
    let after = Spelled(exchange)
    for secret in planted.secrets { #expect(!after.holds(secret), "\(secret) is left in:\n\(after.text)") }
    #expect(!report.isEmpty)
    #expect(report.entries.allSatisfy { Rule.named($0.place.rule) != nil })
    for secret in planted.secrets { #expect(!report.text.contains(secret)) }
  }

  @Test(arguments: PlantedSecret.all) func `a second redaction finds nothing more`(_ planted: PlantedSecret) throws {
    let passes = try Self.redactions(of: planted, 2, chained: true)
    #expect(Spelled(passes[1].exchange).text == Spelled(passes[0].exchange).text)
    #expect(passes[1].report.text == "")
  }

  @Test(arguments: PlantedSecret.all) func `a recording made twice is the same`(_ planted: PlantedSecret) throws {
    let texts = try Self.redactions(of: planted, 2).map { Spelled($0.exchange).text }
    #expect(texts[0] == texts[1])
  }

  @Test(arguments: Survivor.all) func `a value that is not secret survives`(_ survivor: Survivor) throws {
    var redactor = Redactor([try PlantedSecret.contract.contract().compiled.secrets])
    let after = redactor.redact(survivor.exchange).value
    #expect(Spelled(after).text == Spelled(survivor.exchange).text)
    #expect(redactor.report.text == "")
  }

  @Test func `only a mark makes a declared response header a secret`() throws {
    let contract = try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: t, version: "1"}
      paths:
        /a:
          get:
            responses:
              "200":
                description: ok
                headers: {X-Left: {schema: {type: string}}, X-Pass: {schema: {type: string, format: password}}}
      """
    ).contract().compiled
    var exchange = Exchange(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/a"))
    var sent = HTTPFields()
    for (name, value) in [("X-Left", "seven"), ("X-Pass", "Zq9hunter2")] {
      sent.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    exchange.response = Exchange.Response(HTTPResponse(status: .ok, headerFields: sent))
    var redactor = Redactor([contract.secrets])
    let fields = redactor.redact(exchange, of: contract.operations[0].operation).value.response?.fields
    #expect(fields?.first(named: "x-left") == "seven")
    #expect(fields?.first(named: "x-pass") == "Redacted01")
  }

  @Test func `a redacted exchange has no secret in its lane and its reason, and no messages`() {
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "h", path: "/x", headerFields: [.authorization: "Bearer s3cret-1234"])
    var exchange = Exchange(head, lane: "of-s3cret-1234")
    exchange.outcome = .missing("no host s3cret-1234")
    exchange.socket = Exchange.Socket(messages: [.init(isFromClient: true, data: "s3cret-1234")])
    var redactor = Redactor()
    #expect(!"\(redactor.redact(exchange).value)".contains("s3cret-1234"))
  }

  @Test func `the table of survivors has at least forty values`() { #expect(Survivor.all.count >= 40) }

  @Test func `a secret in gzip and base64 is found`() throws {
    func packed(_ text: String) -> String { Base64.encode(Gzip.stored(Array(text.utf8))) }
    var exchange = Exchange(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/x"))
    exchange.response = Exchange.Response(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
    exchange.responseBody = Array(#"{"state":"\#(packed(#"{"password":"hunter2-Zq9"}"#))"}"#.utf8)
    var redactor = Redactor()
    let body = String(decoding: redactor.redact(exchange).value.responseBody, as: UTF8.self)
    let text = try #require(body.firstMatch(of: /H4sI[^"]*/)?.output)
    let bytes = try #require(Base64.decode(Array(text.utf8)))
    let decoded = try ContentCoding.decode(bytes, ["gzip"])
    #expect(decoded == .decoded(Array(#"{"password":"Redacted-01"}"#.utf8)))
  }

  // MARK: - Consistency

  @Test func `a secret has one placeholder in all exchanges of a recording`() throws {
    var redactor = Redactor()
    func exchange(_ target: String, _ token: String) -> Exchange {
      Exchange(
        HTTPRequest(
          method: .get, scheme: "http", authority: "h", path: target, headerFields: [.authorization: "Bearer \(token)"])
      )
    }
    let first = redactor.redact(exchange("/a?api_key=k1-abcdef", "t1-abcdef")).value
    let second = redactor.redact(exchange("/b?api_key=k2-abcdef", "t1-abcdef")).value
    #expect(first.request.path == "/a?api_key=redacted1")
    #expect(first.request.headerFields[.authorization] == "Bearer redacted2")
    #expect(second.request.path == "/b?api_key=redacted3")
    #expect(second.request.headerFields[.authorization] == first.request.headerFields[.authorization])
  }

  @Test func `the report counts places by rule`() throws {
    var redactor = Redactor()
    for name in ["a", "b"] {
      _ = redactor.redact(
        Exchange(
          HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/\(name)", headerFields: [.cookie: "sid=1234567"]),
          body: [],
          response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
          responseBody: Array(#"{"items":[{"token":"abcd1234"},{"token":"efgh5678"}]}"#.utf8)))
    }
    #expect(
      redactor.report.text == """
          2 x request /cookie/sid [redact.cookie]
          4 x response /body/items/*/token [redact.member]

        """)
  }

  // MARK: - Settings

  private static func body(_ settings: RedactionSettings, _ text: String) -> String {
    var redactor = Redactor(settings: settings)
    let head = HTTPRequest(
      method: .post, scheme: nil, authority: nil, path: "/", headerFields: [.contentType: "application/json"])
    return String(
      decoding: redactor.redact(Exchange(head, body: Array(text.utf8))).value.requestBody.bytes, as: UTF8.self)
  }

  @Test func `a rule can be switched off, and a place kept or added`() throws {
    let text = #"{"password":"hunter2","mail":"a@b.co","items":[{"token":"abc12345"}]}"#
    #expect(Self.body(.init(off: ["redact.member"]), text) == text)
    let mail = try #require(PlacePattern("/body/mail"))
    let token = try #require(PlacePattern("/body/items/*/token"))
    #expect(
      Self.body(.init(places: [(mail, true), (token, false)]), text)
        == #"{"password":"redact1","mail":"redac2","items":[{"token":"abc12345"}]}"#)
    #expect(PlacePattern("/nothing/x") == nil && PlacePattern("mail") == nil && PlacePattern("/header") == nil)
  }

  @Test func `a body without secrets stays byte for byte, and others keep their layout`() {
    #expect(Self.body(.init(), "{ \"a\" : 1.50 , \"b\":\"\\u0041\" }") == "{ \"a\" : 1.50 , \"b\":\"\\u0041\" }")
    #expect(
      Self.body(.init(), "{ \"a\" : 1.50,\n \"token\":\"s3cr3t99\" }") == "{ \"a\" : 1.50,\n \"token\":\"redacte1\" }")
  }

  @Test func `the work is linear in the body`() throws {
    // Quadratic work on a megabyte of these would take hours.
    for unit in [
      "token=", "eyJ", "<a ", "://", "a.b:", "-----BEGIN ", "\"x\":", "%2", "Bearer ", "sk_live_", "aaaa/", "==",
    ] {
      let text = String(repeating: unit, count: 200_000 / unit.utf8.count)
      _ = Self.body(.init(), text)
    }
  }
}
