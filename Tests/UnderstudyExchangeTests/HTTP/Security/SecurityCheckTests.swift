import HTTPTypes
import Testing
import UnderstudyMock

struct SecurityCheckTests {
  static let schemes = [
    SecurityScheme("firebase", .apiKey(name: "idtoken", in: .header)),
    SecurityScheme("swagger", .apiKey(name: "Authorization", in: .header)),
    SecurityScheme("key", .apiKey(name: "key", in: .query)),
    SecurityScheme("session", .apiKey(name: "sid", in: .cookie)),
    SecurityScheme("bearer", .http(scheme: "bearer")), SecurityScheme("basic", .http(scheme: "Basic")),
    SecurityScheme("digest", .http(scheme: "digest")), SecurityScheme("oauth", .oauth2),
    SecurityScheme("oidc", .openIdConnect), SecurityScheme("tls", .mutualTLS),
  ]

  static func check(
    _ requirements: [[String]], _ headers: [(String, String)] = [], target: String = "/"
  ) throws -> SecurityCheck.Outcome {
    var fields = HTTPFields()
    for (name, value) in headers { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
    let check = SecurityCheck(requirements.map { SecurityRequirement($0) }, schemes: schemes)
    return check.check(fields, ParameterInput(target: target, fields: fields))
  }

  /// An outcome as one line.
  static func text(_ outcome: SecurityCheck.Outcome) -> String {
    switch outcome {
    case .satisfied(let credentials): "ok " + credentials.map { "\($0.scheme)=\($0.value)" }.joined(separator: " ")
    case .unvalidated(let reason): "unvalidated: \(reason)"
    case .missing: "missing " + (outcome.sentence ?? "")
    case .malformed: "malformed " + (outcome.sentence ?? "")
    }
  }

  @Test(arguments: [
    ("firebase", "IDToken", "abc", "ok firebase=abc"),
    ("firebase", "other", "abc", "missing `firebase`: header `idtoken` is missing"),
    ("firebase", "idtoken", "", "malformed `firebase`: header `idtoken` is empty"),
    (
      "firebase", "idtoken", "Bearer abc",
      "malformed `firebase`: header `idtoken` starts with `bearer`; expected the bare key, without a scheme"
    ),
    ("firebase", "idtoken", "a b", "malformed `firebase`: header `idtoken` contains white space"),
    ("swagger", "authorization", "abc", "ok swagger=abc"),
    ("swagger", "Authorization", "Bearer abc", "ok swagger=abc"),
    ("swagger", "Authorization", "token  abc", "ok swagger=abc"),
    ("swagger", "Authorization", "Bot a b", "ok swagger=a b"),
    (
      "swagger", "Authorization", "bearer",
      "malformed `swagger`: header `Authorization` has no credential after `bearer`"
    ),
    ("swagger", "Authorization", "", "malformed `swagger`: header `Authorization` is empty"),
    ("swagger", "other", "abc", "missing `swagger`: header `Authorization` is missing"),
    ("session", "Cookie", "a=1; sid=xyz", "ok session=xyz"),
    ("session", "Cookie", "sid=", "malformed `session`: cookie `sid` is empty"),
    ("bearer", "Authorization", "Bearer a.b-c_d~e+f/g==", "ok bearer=a.b-c_d~e+f/g=="),
    ("bearer", "Authorization", "bEARER abc", "ok bearer=abc"),
    (
      "bearer", "Authorization", "Bearer", "malformed `bearer`: header `Authorization` has no credential after `Bearer`"
    ),
    (
      "bearer", "Authorization", "Bearer  ",
      "malformed `bearer`: header `Authorization` has no credential after `Bearer`"
    ),
    (
      "bearer", "Authorization", "eyJhbGciOi.x.y",
      "malformed `bearer`: header `Authorization` has no scheme; expected `Bearer` and a space before the credential"
    ),
    (
      "bearer", "Authorization", "Bearer a b",
      "malformed `bearer`: the bearer token contains invalid characters (RFC 6750, section 2.1)"
    ),
    (
      "bearer", "Authorization", "Basic dTpw",
      "missing `bearer`: header `Authorization` has another scheme, `Basic`; expected `Bearer`"
    ),
    ("bearer", "x", "y", "missing `bearer`: header `Authorization: Bearer ...` is missing"),
    ("basic", "Authorization", "basic dTpw", "ok basic=dTpw"),
    ("basic", "Authorization", "Basic dTo=", "ok basic=dTo="),
    (
      "basic", "Authorization", "Basic u:p",
      "malformed `basic`: the basic credential is not `user:password` in base64 (RFC 7617)"
    ),
    (
      "basic", "Authorization", "Basic YWJj",
      "malformed `basic`: the basic credential is not `user:password` in base64 (RFC 7617)"
    ),
    ("digest", "Authorization", "Digest username=\"x\"", "ok digest=username=\"x\""),
    ("oauth", "Authorization", "Bearer t", "ok oauth=t"), ("oidc", "Authorization", "Bearer t", "ok oidc=t"),
    ("tls", "x", "y", "unvalidated: `tls` is a client certificate, which a request does not show"),
    ("nobody", "x", "y", "unvalidated: `nobody` is of an unknown type: undefined scheme"),
  ])
  func `a credential is looked for in its place`(scheme: String, header: String, value: String, text: String) throws {
    #expect(Self.text(try Self.check([[scheme]], [(header, value)])) == text)
  }

  @Test(arguments: [
    ("/?key=a%2Bb", "ok key=a+b"), ("/?key=", "malformed `key`: query parameter `key` is empty"),
    ("/?Key=a", "missing `key`: query parameter `key` is missing"),
    ("/?key=%zz", "malformed `key`: `%zz` in `key` is not percent-encoded UTF-8: a literal % is written %25"),
  ])
  func `a key may stand in the query`(target: String, text: String) throws {
    #expect(Self.text(try Self.check([["key"]], target: target)) == text)
  }

  @Test func `no requirement and an empty one allow anyone`() throws {
    #expect(Self.text(try Self.check([])) == "ok ")
    #expect(Self.text(try Self.check([["bearer"], []])) == "ok ")
    #expect(Self.text(try Self.check([["bearer"], []], [("Authorization", "Bearer t")])) == "ok bearer=t")
  }

  @Test func `one alternative is enough, but all of it is needed`() throws {
    let alternatives = [["firebase", "key"], ["basic"]]
    #expect(Self.text(try Self.check(alternatives, [("idtoken", "a")], target: "/?key=b")) == "ok firebase=a key=b")
    #expect(Self.text(try Self.check(alternatives, [("Authorization", "Basic dTpw")])) == "ok basic=dTpw")
    #expect(
      Self.text(try Self.check(alternatives, [("idtoken", "a")]))
        == "missing no alternative is met; `firebase` and `key`: query parameter `key` is missing; "
        + "or `basic`: header `Authorization: Basic ...` is missing")
    #expect(Self.text(try Self.check([["tls", "key"]])) == "missing `tls` and `key`: query parameter `key` is missing")
    #expect(Self.text(try Self.check([["tls", "key"]], target: "/?key=b")).hasPrefix("unvalidated"))
  }
}
