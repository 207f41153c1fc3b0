import TestSupport
import Testing
import Understudy

struct RedactionTests {
  private static let contract = ContractFixture(
    """
    openapi: 3.1.0
    info: {title: Test, version: "1"}
    paths: {/: {get: {responses: {"200": {description: Ok}}}}}
    components:
      securitySchemes:
        a: {type: apiKey, in: header, name: idtoken}
        b: {type: apiKey, in: query, name: api key}
        c: {type: apiKey, in: cookie, name: session}
        d: {type: http, scheme: bearer}
      schemas:
        Login: {properties: {user: {type: string}, password: {type: string, format: password}}}
    """)

  private func redaction() throws -> Redaction { Redaction([try Self.contract.api]) }

  @Test(
    arguments: [
      ("IDToken", "abc", "[redacted]"), ("Authorization", "Bearer abc.def", "Bearer [redacted]"),
      ("authorization", "abc", "[redacted]"), ("Cookie", "a=1; session=x; b=2", "a=1; session=[redacted]; b=2"),
      ("Set-Cookie", "session=x; Path=/; HttpOnly", "session=[redacted]; Path=/; HttpOnly"),
      ("Set-Cookie", "theme=dark", "theme=dark"),
      ("Referer", "https://h/?api+key=1", "https://h/?api+key=%5Bredacted%5D"),
      ("X-Other", "abc", "abc"),
    ])
  func `fields of security schemes are redacted`(_ name: String, _ value: String, _ expected: String) throws {
    #expect(try redaction().value(name, value) == expected)
  }

  @Test(
    arguments: [
      ("https://h/p?x=%2f&api%20key=s&y", "https://h/p?x=%2f&api%20key=%5Bredacted%5D&y"),
      ("/p?api+key=a&api+key=b#f", "/p?api+key=%5Bredacted%5D&api+key=%5Bredacted%5D#f"), ("/p", "/p"), ("/p?", "/p?"),
    ])
  func `a URL loses them too, and keeps every other byte`(_ url: String, _ expected: String) throws {
    #expect(try redaction().url(url) == expected)
  }

  @Test(
    arguments: [
      ("X-API-Key", "abc", "[redacted]"), ("x-auth-token", "abc", "[redacted]"), ("Api-Key", "abc", "[redacted]"),
      ("X-Amz-Security-Token", "abc", "[redacted]"), ("Cookie", "theme=dark; sid=x", "theme=dark; sid=[redacted]"),
      ("Set-Cookie", "JSESSIONID=x; Path=/", "JSESSIONID=[redacted]; Path=/"), ("X-Request-Id", "abc", "abc"),
      ("X-Key-Count", "3", "3"), ("Location", "/in?access_token=t", "/in?access_token=%5Bredacted%5D"),
    ])
  func `fields with names of credentials are redacted`(
    _ name: String, _ value: String, _ expected: String
  ) {
    #expect(Redaction().value(name, value) == expected)
  }

  @Test(
    arguments: [
      "access_token", "api_key", "apiKey", "api-key", "API_KEY", "token", "key", "sig", "signature", "X-Amz-Signature",
      "client_secret", "password", "id_token",
    ])
  func `a URL loses them too, contract or not`(name: String) {
    #expect(Redaction().url("/p?\(name)=abc&a=1") == "/p?\(name)=%5Bredacted%5D&a=1")
    #expect(Redaction().url("/p?\(name)s=abc") == "/p?\(name)s=abc")
  }

  @Test func `a documented query parameter key is not redacted`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: Test, version: "1"}
      paths:
        /:
          get:
            parameters:
              - {name: key, in: query, schema: {type: string}}
              - {name: token, in: query, schema: {type: string}}
            responses: {"200": {description: Ok}}
      """
    ).api
    #expect(Redaction([api]).url("/?key=color&token=abc") == "/?key=color&token=%5Bredacted%5D")
  }

  @Test(
    arguments: [
      (
        "application/json", #"{"user":"u","a":[{"password":"p"}],"password":7}"#,
        #"{"user":"u","a":[{"password":"[redacted]"}],"password":7}"#
      ),
      ("application/json", "{ \"user\" : 1 }", "{ \"user\" : 1 }"), ("application/json", "{password", "{password"),
      ("application/x-www-form-urlencoded", "user=u&password=p", "user=u&password=%5Bredacted%5D"),
      ("text/plain", "password=p", "password=p"),
    ])
  func `bodies lose their passwords and nothing else`(_ type: String, _ body: String, _ expected: String) throws {
    #expect(String(decoding: try redaction().body(Array(body.utf8), MediaRange(type)), as: UTF8.self) == expected)
  }

  @Test(arguments: ["password", "passwd", "pwd", "client_secret", "clientSecret", "Client-Secret", "PASSWORD"])
  func `fields with names of passwords are redacted`(name: String) {
    func text(_ body: String, _ type: String) -> String {
      String(decoding: Redaction().body(Array(body.utf8), MediaRange(type)), as: UTF8.self)
    }
    let json = { (value: String) in #"{"a":[{"\#(name)":"\#(value)"}],"b":"c"}"# }
    #expect(text(json("hunter2"), "application/json") == json("[redacted]"))
    let form = { (value: String) in "a=1&\(name)=\(value)&b" }
    #expect(text(form("hunter2"), "application/x-www-form-urlencoded") == form("%5Bredacted%5D"))
    #expect(text("\(name)s=1", "application/x-www-form-urlencoded") == "\(name)s=1")
    #expect(Redaction().isSecret("/body/user/\(name)"))
  }
}
