import Foundation
import HTTPTypes
package import UnderstudyMock

/// An exchange with a secret in it.
package struct PlantedSecret: Sendable, CustomStringConvertible {
  package var title: String
  /// The texts that must not be left, in any encoding.
  package var secrets: [String]
  package var exchange: Exchange
  /// The operation that the request reaches.
  package var operation: String?

  package var description: String { title }

  package static let contract = ContractFixture(
    """
    openapi: 3.1.0
    info: {title: Vault, version: "1"}
    security: [{header: [], query: [], cookie: []}]
    paths:
      /login:
        post:
          operationId: login
          requestBody:
            content:
              application/json:
                schema: {$ref: '#/components/schemas/Login'}
              application/x-www-form-urlencoded:
                schema: {$ref: '#/components/schemas/Login'}
          responses:
            "200": {description: Ok, content: {application/json: {schema: {type: object}}}}
      /pins:
        post:
          operationId: pins
          requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pin'}}}}}
          responses: {"200": {description: Ok}}
      /map:
        post:
          operationId: map
          requestBody:
            content: {application/json: {schema: {type: object, additionalProperties: {$ref: '#/components/schemas/Pin'}}}}
          responses: {"200": {description: Ok}}
      /bot{botToken}/getMe:
        get:
          operationId: getMe
          parameters: [{name: botToken, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: Ok}}
      /vouchers/{voucher}:
        get:
          operationId: readVoucher
          parameters: [{name: voucher, in: path, required: true, schema: {type: string, x-secret: true, enum: [free]}}]
          responses: {"200": {description: Ok}}
      /reset/{resetToken}:
        get:
          operationId: reset
          parameters: [{name: resetToken, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: Ok}}
    components:
      securitySchemes:
        header: {type: apiKey, in: header, name: idthing}
        query: {type: apiKey, in: query, name: k}
        cookie: {type: apiKey, in: cookie, name: c}
      schemas:
        Pin: {type: string, format: password}
        Login:
          allOf:
            - properties:
                phrase: {$ref: '#/components/schemas/Pin'}
                hint: {type: string, writeOnly: true}
                kind: {type: string, x-secret: true, enum: [plain]}
                digits: {type: integer, format: password}
                maybe: {anyOf: [{$ref: '#/components/schemas/Pin'}, {type: 'null'}]}
                safe: {type: object, x-secret: true, properties: {known: {}}}
                answers: {type: array, items: {$ref: '#/components/schemas/Pin'}}
                vault: {type: object, additionalProperties: {$ref: '#/components/schemas/Pin'}}
                inner: {allOf: [{$ref: '#/components/schemas/Pin'}, {minLength: 3}]}
    """)

  // MARK: - Exchanges

  static func request(
    _ target: String, _ fields: [(String, String)] = [], _ body: [UInt8] = []
  ) -> Exchange {
    var head = HTTPRequest(
      method: body.isEmpty ? .get : .post, scheme: "http", authority: "h:1", path: target, headerFields: HTTPFields())
    for (name, value) in fields { head.headerFields.append(field(name, value)) }
    return Exchange(head, body: body, response: HTTPResponse(status: .ok))
  }

  static func field(_ name: String, _ value: String) -> HTTPField {
    HTTPField(name: HTTPField.Name(name) ?? .accept, value: value)
  }

  static func header(_ title: String, _ name: String, _ value: String, _ secrets: String...) -> Self {
    Self(title: title, secrets: secrets, exchange: request("/x", [(name, value)]))
  }

  static func target(_ title: String, _ target: String, _ secrets: String...) -> Self {
    Self(title: title, secrets: secrets, exchange: request(target))
  }

  private static func sent(_ title: String, _ type: String?, _ body: String, _ secrets: String...) -> Self {
    Self(
      title: title, secrets: secrets,
      exchange: request("/login", type.map { [("Content-Type", $0)] } ?? [], Array(body.utf8)))
  }

  static func answered(
    _ title: String, _ type: String, _ body: String, _ secrets: String..., status: Int = 200,
    fields: [(String, String)] = [], to request: Exchange? = nil
  ) -> Self {
    var exchange = request ?? Self.request("/x")
    var response = HTTPResponse(status: .init(code: status), headerFields: [.contentType: type])
    for (name, value) in fields { response.headerFields.append(field(name, value)) }
    exchange.response = Exchange.Response(response)
    exchange.responseBody = Array(body.utf8)
    return Self(title: title, secrets: secrets, exchange: exchange)
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  package static let token =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjMiLCJleHAiOjE3MDAwMDAwMDAsImVtYWlsIjoiYUBiLmNvIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  package static let signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

  package static let all: [Self] = headers + cookies + targets + jsons + forms + texts + echoes + coded

  private static let headers: [Self] = [
    header("a header of a security scheme", "IDThing", "s3cr3t-of-scheme", "s3cr3t-of-scheme"),
    header("a Bearer token", "Authorization", "Bearer abcDEF123.x_y", "abcDEF123.x_y"),
    header("a Basic password", "Authorization", "Basic " + base64("ann:hunter2"), "hunter2"),
    header("a token as the Basic user", "Authorization", "Basic " + base64("tok_8h2k1x:"), "tok_8h2k1x"),
    header("an Authorization without a scheme", "Authorization", "rawkey-12345", "rawkey-12345"),
    header("a Digest response", "Authorization", #"Digest username="a", response="6629fae49393a0""#, "6629fae49393a0"),
    header(
      "an AWS signature", "Authorization",
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
      "AKIAIOSFODNN7EXAMPLE", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    header("a proxy's password", "Proxy-Authorization", "Basic " + base64("u:pr0xypass"), "pr0xypass"),
    header("X-Api-Key", "X-Api-Key", "k3y-4711-x", "k3y-4711-x"),
    header("X-Registry-Auth", "X-Registry-Auth", base64(#"{"username":"u","password":"reg1stry"}"#), "reg1stry"),
    header("X-Plex-Token", "X-Plex-Token", "plexT0ken99", "plexT0ken99"),
    header("DPoP", "DPoP", token, token, signature), header("opaque DPoP", "DPoP", "pr00f-4712-x", "pr00f-4712-x"),
    header("Private-Token", "PRIVATE-TOKEN", "gl-abc123", "gl-abc123"),
    header("X-CSRF-Token", "X-CSRF-Token", "csrf9f8e7d", "csrf9f8e7d"),
    header(
      "a webhook's signature", "X-Hub-Signature-256", "sha256=0b3e8d5c0b3e8d5c0b3e8d5c", "0b3e8d5c0b3e8d5c0b3e8d5c"),
    header("a WebSocket's token", "Sec-WebSocket-Protocol", "v1.kernel, token.9a8b7c6d", "9a8b7c6d"),
    header("a WebSocket's bearer", "Sec-WebSocket-Protocol", "bearer, Zx81Yq72Pw", "Zx81Yq72Pw"),
    header(
      "a generated text in an unknown header", "X-Stuff", "9fKx2LmQ8vRt4ZpW7yBn3HsD6jGc1TfE",
      "9fKx2LmQ8vRt4ZpW7yBn3HsD6jGc1TfE"),
    header("a forwarded Authorization", "X-Original-Headers", "authorization: Bearer q1w2e3r4t5", "q1w2e3r4t5"),
  ]

  private static let jsons: [Self] = [
    sent("a password", "application/json", #"{"user":"u","password":"hunter2!"}"#, "hunter2!"),
    sent("a password that is a number", "application/json", #"{"password": 84629173}"#, "84629173"),
    sent(
      "a password that is confirmed", "application/json",
      #"{"password_confirmation":"c0nfirm-1","passwordRepeat":"r3peat-2","password2":"s3cond-pw"}"#, "c0nfirm-1",
      "r3peat-2", "s3cond-pw"),
    sent(
      "shared access signatures and HMACs", "application/json",
      #"{"blobSas":"sv=2022-11&sp=r+x","request_hmac":"hm4c-value","sig":"s1gn-value"}"#, "sv=2022-11&sp=r+x",
      "hm4c-value", "s1gn-value"),
    sent(
      "strings that connect to a database", "application/json",
      #"{"connectionString":"Server=db;User=sa;Data=c0nn-data","CONNECTION_STRING":"mongo-c0nn-2"}"#,
      "Server=db;User=sa;Data=c0nn-data", "mongo-c0nn-2"),
    sent("a social security number", "application/json", #"{"ssn":"078-05-1120"}"#, "078-05-1120"),
    sent("a PIN", "application/json", #"{"cardPin":"482915736402", "pin": 7391045286}"#, "482915736402", "7391045286"),
    sent("format: password behind anyOf", "application/json", #"{"maybe": "m4ybe-word"}"#, "m4ybe-word"),
    sent("a nested secret", "application/json", #"{"a":[{"b":{"clientSecret":"n3st3d-secret"}}]}"#, "n3st3d-secret"),
    sent("format: password behind $ref", "application/json", #"{"phrase": "open sesame"}"#, "open sesame"),
    sent("writeOnly", "application/json", #"{"hint": "my first car"}"#, "my first car"),
    sent("format: password behind items", "application/json", #"{"answers": ["blue", "rex77"]}"#, "rex77"),
    sent(
      "format: password behind additionalProperties", "application/json", #"{"vault": {"x": "treasure9"}}"#, "treasure9"
    ),
    sent("format: password behind allOf", "application/json", #"{"inner": "inn3r-secret"}"#, "inn3r-secret"),
    sent("without Content-Type", nil, #"{"phrase": "no-type-phrase"}"#, "no-type-phrase"),
    sent("in JSON that is cut off", "application/json", #"{"user": "u", "phrase": "cut-off-secr"#, "cut-off-secr"),
    answered(
      "a known prefix in an unknown member", "application/json", #"{"stored":"sk_live_4eC39HqLyjWDarjtT1zdp7dc"}"#,
      "4eC39HqLyjWDarjtT1zdp7dc"),
    answered(
      "a list of variables", "application/json",
      #"{"Env":["PATH=/bin","DB_PASSWORD=pa55 w0rd;x","AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX"]}"#,
      "pa55 w0rd;x", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX"),
    answered(
      "a TSIG key", "application/json",
      #"{"name":"k","algorithm":"hmac-sha256","key":"kp4/24gyYsEzbuTVJRUMoqGFmN3LYgVDzJ/3oRSP7ys="}"#,
      "kp4/24gyYsEzbuTVJRUMoqGFmN3LYgVDzJ/3oRSP7ys="),
    answered(
      "a URL with a password in a body", "application/json", #"{"clone":"https://bot:cl0neP4ss@git.example/x.git"}"#,
      "cl0neP4ss"),
    answered(
      "a private key", "application/json",
      #"{"pem":"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA04up8hoqzS\n-----END RSA PRIVATE KEY-----\n"}"#,
      "MIIEpAIBAAKCAQEA04up8hoqzS"),
    answered("JSON in a text", "application/json", #"{"log":"{\"token\":\"inn3rJson88\"}"}"#, "inn3rJson88"),
    answered(
      "a token as a member's name", "application/json", #"{"sessions":{"xoxb-123456789012-abcdefGHIJ":{"u":1}}}"#,
      "xoxb-123456789012-abcdefGHIJ"),
    answered("secrets by name", "application/json", #"{"secrets":{"db":"t0psecret-db"}}"#, "t0psecret-db"),
  ]

  private static let forms: [Self] = [
    sent("a form", "application/x-www-form-urlencoded", "u=a&password=f0rm%20pass&x=1", "f0rm pass"),
    sent("a form with the contract's name", "application/x-www-form-urlencoded", "phrase=form-phrase7", "form-phrase7"),
    sent("a form with brackets", "application/x-www-form-urlencoded", "user%5Bpassword%5D=br4ckets", "br4ckets"),
    sent(
      "a grant", "application/x-www-form-urlencoded",
      "grant_type=refresh_token&refresh_token=rt-556677&client_secret=cs-889900", "rt-556677", "cs-889900"),
    sent("a form without Content-Type", nil, "user=u&pwd=unt1tled", "unt1tled"),
    sent(
      "multipart", "multipart/form-data; boundary=B",
      "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nmult1part\r\n--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n{\"apiKey\":\"f1le-key-77\"}\r\n--B--\r\n",
      "mult1part", "f1le-key-77"),
  ]

  private static let texts: [Self] = [
    answered(
      "a hidden input", "text/html", #"<input type="hidden" name="_xsrf" value="2|aa77bb88|cc"><p>x</p>"#,
      "2|aa77bb88|cc"),
    answered(
      "a hidden input with an entity", "text/html",
      #"<input name="csrf" value="q&amp;r-77xyz"><script>go("q&r-77xyz")</script>"#, "q&r-77xyz"),
    answered(
      "a link of a page", "text/html", #"<a href="/x?a=1&amp;sig=l1nkS1g77aa">next</a>"#, "l1nkS1g77aa"),
    answered("an element of XML", "application/xml", "<a><password>xmlS3cret</password></a>", "xmlS3cret"),
    answered("a configuration", "text/plain", "host: x\npassword: yamlP4ss\n", "yamlP4ss"),
    answered(
      "a connection string", "text/plain",
      "Server=x;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu==;Db=y",
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu=="),
    answered("a URL in a text", "text/plain", "see https://h/x?token=t3xtUrl55&y=1", "t3xtUrl55"),
    answered("events", "text/event-stream", "data: {\"access_token\":\"ev3nt-tok\"}\n\n", "ev3nt-tok"),
    answered("NDJSON", "application/x-ndjson", "{\"a\":1}\n{\"secret\":\"l1nes-secret\"}\n", "l1nes-secret"),
    answered(
      "a hash of a password", "text/plain", "user:$2b$12$KIXQxgpC1zQ9ZbWcR0nV0uO1sXo8kq",
      "KIXQxgpC1zQ9ZbWcR0nV0uO1sXo8kq"),
  ]

  private static let echoes: [Self] = [
    answered(
      "an error that repeats the token", "text/html", "<p>bad token ech0-t0ken-1</p>", "ech0-t0ken-1", status: 401,
      to: request("/x", [("Authorization", "Bearer ech0-t0ken-1")])),
    answered(
      "an echo of a password", "application/json", #"{"json":{"you said":"ech0pass"}}"#, "ech0pass",
      to: request("/x", [("Content-Type", "application/json")], Array(#"{"password":"ech0pass"}"#.utf8))),
    answered(
      "an echo with the entities of HTML", "text/html", "<p>bad token ech0&amp;&#60;&#x27;77</p>", "ech0&<'77",
      to: request("/x", [("X-Api-Key", "ech0&<'77")])),
    answered(
      "an echo that is a number", "application/json", #"{"seen":[84629174]}"#, "84629174",
      to: request("/x?token=84629174")),
    answered(
      "an echo that only the name of a header reveals", "text/plain", "ok", "we4kKey-9Xk2Lm8Qv",
      to: request("/o/we4kKey-9Xk2Lm8Qv", [("X-Signing-Seed", "we4kKey-9Xk2Lm8Qv")])),
    answered(
      "a Basic password in a path", "text/plain", "ok", "b4sicP4th",
      to: request("/o/b4sicP4th", [("Authorization", "Basic " + base64("ann:b4sicP4th"))])),
    answered(
      "an encoded echo", "text/plain", "next=%2Fx%3Fq%3Dech0%2Fenc%2B9", "ech0/enc+9",
      to: request("/x?token=ech0%2Fenc%2B9")),
    answered(
      "an echo in base64", "application/json", #"{"raw":"\#(base64("say ech0-in-b64 now"))"}"#, "ech0-in-b64",
      to: request("/x", [("X-Api-Key", "ech0-in-b64")])),
    answered(
      "an echo in hexadecimal", "text/plain", "got 6563683020696e2068657821", "ech0 in hex!",
      to: request("/x", [("X-Api-Key", "ech0 in hex!")])),
    answered(
      "an echo that is encoded twice", "text/plain", "see next=%252Fy%253Fq%253Dech0%252Ftw9",
      "ech0/tw9", to: request("/x?token=ech0%2Ftw9")),
    answered(
      "an echo of all headers", "application/json",
      #"{"headers":{"Authorization":"Basic \#(base64("ann:b4sicEcho"))","Cookie":"sid=c00kieEcho"}}"#, "b4sicEcho",
      "c00kieEcho",
      to: request("/x", [("Authorization", "Basic " + base64("ann:b4sicEcho")), ("Cookie", "sid=c00kieEcho")])),
    answered(
      "an echo in a Link", "text/plain", "", "l1nkEcho77",
      fields: [("Link", "<https://h/x?key=l1nkEcho77&page=2>; rel=next")], to: request("/x?k=l1nkEcho77")),
    answered(
      "the value of a pair with a name", "application/json",
      #"{"fields":[{"name":"password","value":"p4irOne-q"},{"Key":"api_key","Val":"p4irTwo-q"}]}"#, "p4irOne-q",
      "p4irTwo-q", to: request("/x")),
    answered(
      "the value of an object with a secret name", "application/json", #"{"password":{"value":"w1thin-q9"}}"#,
      "w1thin-q9", to: request("/x")),
    answered(
      "the second of a pair in a list of pairs", "application/json",
      #"[["refresh_token","l1stPair-q"],["page","2"]]"#, "l1stPair-q", to: request("/x")),
    answered(
      "a query in a percent-encoded URL", "application/json",
      #"{"next":"https%3A%2F%2Fh%2Fx%3Faccess_token%3Dinn3rUrl-q%26page%3D2"}"#, "inn3rUrl-q", to: request("/x")),
    answered(
      "the answer to a question", "application/json", #"{"secretAnswer":"r3x-the-dog"}"#, "r3x-the-dog",
      to: request("/x")),
    answered(
      "a link in a mail", "application/json",
      #"{"mail":"Open https://app.example/reset-password/c6h3kz0a1b to go on"}"#, "c6h3kz0a1b", to: request("/x")),
    answered(
      "the address of a workflow", "application/json",
      #"{"a":"https://hooks.slack.com/workflows/T00000000/A00000000/12345678/w0rkfl0wT0ken"}"#, "w0rkfl0wT0ken",
      to: request("/x")),
    answered(
      "the address of a webhook", "application/json",
      #"{"a":"https://hooks.slack.com/services/T00000000/B00000000/sl4ckHookXXXX","b":"https://discord.com/api/webhooks/12/d1scordHook"}"#,
      "sl4ckHookXXXX", "d1scordHook", to: request("/x")),
    answered(
      "a query in a URL that is encoded twice", "application/json",
      #"{"next":"https%253A%252F%252Fh%252Fx%253Faccess_token%253Dtw1ceUrl-q"}"#, "tw1ceUrl-q", to: request("/x")),
    answered(
      "a query in a URL with a wrong escape", "application/json",
      #"{"next":"https%3A%2F%2Fh%2Fx%3Fq%3D%ZZ%26access_token%3Dwr0ngEsc-q"}"#, "wr0ngEsc-q", to: request("/x")),
    answered(
      "texts below a value", "application/json", #"{"password":{"value":{"text":"d33pValue-q","kind":"plain"}}}"#,
      "d33pValue-q", to: request("/x")),
    answered(
      "addresses of webhooks in other cases and of other hosts", "application/json",
      #"{"a":"https://HOOKS.slack.com/services/T0/B0/sl4ckUpper","b":"https://canary.discord.com/api/v10/webhooks/12/d1scordTen","c":"https://api.telegram.org/bot12:t3legramBot/send"}"#,
      "sl4ckUpper", "d1scordTen", "t3legramBot", to: request("/x")),
    answered(
      "an echo in a page", "text/html", "<a href='/in?next=1'>p4geEcho99</a>", "p4geEcho99",
      to: request("/x?session_id=p4geEcho99")),
  ]

  private static let coded: [Self] = {
    func gzipped(_ text: String) -> [UInt8] { Gzip.stored(Array(text.utf8)) }
    var sent = request(
      "/login", [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
      gzipped(#"{"password":"gz1pped-pw"}"#))
    sent.response = Exchange.Response(HTTPResponse(status: .ok))
    var got = request("/x")
    got.response = Exchange.Response(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json", .contentEncoding: "gzip"]))
    got.responseBody = gzipped(#"{"id_token":"gz1p-answer"}"#)
    return [
      Self(
        title: "an expression of the path", secrets: ["p4thSecret99"], exchange: request("/v1/reset/p4thSecret99"),
        operation: "reset"),
      Self(
        title: "a marked value beside a list", secrets: ["n0t-listed"],
        exchange: request("/login", [("Content-Type", "application/json")], Array(#"{"kind":"n0t-listed"}"#.utf8)),
        operation: "login"),
      Self(
        title: "a marked number", secrets: ["790790791"],
        exchange: request("/login", [("Content-Type", "application/json")], Array(#"{"digits": 790790791}"#.utf8)),
        operation: "login"),
      Self(
        title: "names and values of a marked object", secrets: ["kn0wn-one", "hidden-name", "v4lue-two"],
        exchange: request(
          "/login", [("Content-Type", "application/json")],
          Array(#"{"safe": {"known": "kn0wn-one", "hidden-name": ["v4lue-two"]}}"#.utf8)), operation: "login"),
      Self(
        title: "an expression in a segment", secrets: ["b0tSecret99"], exchange: request("/botb0tSecret99/getMe"),
        operation: "getMe"),
      Self(
        title: "a parameter of the path that the contract marks", secrets: ["v0ucher-a"],
        exchange: request("/vouchers/v0ucher-a"), operation: "readVoucher"),
      Self(
        title: "format: password of the elements of a body", secrets: ["rootP1n-77"],
        exchange: request("/pins", [("Content-Type", "application/json")], Array(#"["rootP1n-77"]"#.utf8)),
        operation: "pins"),
      Self(
        title: "format: password of all members of a body", secrets: ["anyM3mber"],
        exchange: request("/map", [("Content-Type", "application/json")], Array(#"{"x":"anyM3mber"}"#.utf8)),
        operation: "map"),
      Self(title: "a request in gzip", secrets: ["gz1pped-pw"], exchange: sent),
      Self(title: "a response in gzip", secrets: ["gz1p-answer"], exchange: got),
    ]
  }()
}
