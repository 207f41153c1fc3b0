import Foundation
import HTTPTypes
import Testing
import UnderstudyMock

struct TokenCheckTests {
  static func token(_ claims: String, header: String = #"{"alg":"RS256"}"#) -> String {
    [header, claims, "signature"].map { part in
      Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }.joined(separator: ".")
  }

  static let noon = TokenCheck(now: { 1_000_000 }, leeway: 60)

  @Test(arguments: [
    (#"{"exp":1000001}"#, TokenCheck.Outcome.good), (#"{"exp":999940}"#, .good), (#"{}"#, .good),
    (#"{"exp":999939}"#, .bad("the token expired at 1970-01-12T13:45:39.000Z")),
    (#"{"exp":999939.5}"#, .bad("the token expired at 1970-01-12T13:45:39.000Z")),
    (#"{"exp":"tomorrow"}"#, .bad("the token's `exp` is not a number")),
    (#"{"exp":1e999}"#, .bad("the token's `exp` is not a number")),
    (#"{"exp":-9223372036854775808}"#, .bad("the token's `exp` is not a number")),
    (#"{"nbf":1000061}"#, .bad("the token is not valid before 1970-01-12T13:47:41.000Z")),
    (#"{"nbf":1000060}"#, .good),
    ("[]", .bad("the token's second part is not a JSON object in base64url")),
  ])
  func `times are held against the clock`(claims: String, outcome: TokenCheck.Outcome) {
    #expect(Self.noon.check(Self.token(claims)) == outcome)
  }

  @Test(arguments: ["abc", "a.b.c", "", "..", "a.b", "e30.e30.x", "\u{E9}.\u{E9}.\u{E9}"])
  func `opaque tokens are not checked`(token: String) {
    #expect(Self.noon.check(token) == .opaque)
  }

  @Test(arguments: [
    ("eyJ", "the token has 1 part, expected 3"), ("eyJhbGciOiJSUzI1NiJ9.e30", "the token has 2 parts, expected 3"),
    ("eyJhbGciOiJSUzI1NiJ9.e30.c2ln.", "the token has 4 parts, expected 3"),
    ("eyJhbGciOiJSUzI1NiJ.e30.c2ln", "the token's first part is not a JSON object in base64url"),
    ("eyJ0eXAiOiJKV1QifQ.e30.c2ln", "the token's first part has no `alg`"),
    ("eyJ" + String(repeating: "A", count: TokenCheck.sizeLimit), "the token is longer than 65536 bytes"),
  ])
  func `a damaged JSON Web Token is not read as an opaque token`(token: String, reason: String) {
    #expect(Self.noon.check(token) == .bad(reason))
  }

  @Test func `an encrypted token is opaque`() {
    #expect(Self.noon.check("eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn") == .opaque)
  }

  @Test func `the signature is checked by the caller`() {
    var check = Self.noon
    check.verify = { $0.hasSuffix("c2lnbmF0dXJl") ? nil : "the signature is not by the configured key" }
    #expect(check.check(Self.token("{}")) == .good)
    #expect(check.check(Self.token("{}") + "x") == .bad("the signature is not by the configured key"))
  }

  @Test func `a check of credentials reads tokens only with a token check`() throws {
    var jwt = SecurityScheme("jwt", .http(scheme: "bearer"))
    jwt.node = ["bearerFormat": "JWT"]
    let schemes = [
      SecurityScheme("firebase", .apiKey(name: "idtoken", in: .header)),
      SecurityScheme("bearer", .http(scheme: "bearer")),
      SecurityScheme("basic", .http(scheme: "basic")),
      jwt,
    ]
    func text(_ scheme: String, _ header: String, _ value: String) throws -> String {
      var fields = HTTPFields()
      fields.append(HTTPField(name: try #require(HTTPField.Name(header)), value: value))
      let check = SecurityCheck([SecurityRequirement([scheme])], schemes: schemes)
      return check.check(fields, ParameterInput(target: "/", fields: fields), tokens: Self.noon).sentence ?? "ok"
    }
    let old = Self.token(#"{"exp":1}"#)
    let expired = "the token expired at 1970-01-01T00:00:01.000Z"
    #expect(try text("firebase", "idtoken", old) == "`firebase`: \(expired)")
    #expect(try text("bearer", "Authorization", "Bearer \(old)") == "`bearer`: \(expired)")
    #expect(try text("firebase", "idtoken", "opaque") == "ok")
    #expect(try text("basic", "Authorization", "Basic dTpw") == "ok")
    #expect(
      try text("jwt", "Authorization", "Bearer opaque")
        == "`jwt`: the token is not a JSON Web Token, which `bearerFormat` requires")
  }
}
