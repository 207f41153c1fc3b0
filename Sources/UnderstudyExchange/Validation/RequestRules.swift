extension Rule {
  package static let request: [Rule] =
    [
      requestPathUnknown, requestMethodUnknown, requestServerUnknown,
      requestParamMissing, requestParamSchema, requestParamEncoding, requestParamUndeclared, requestHeaderUndeclared,
      requestNotAcceptable, requestSecurityMissing, requestSecurityMalformed, requestCredentialLeak,
      requestPreference, requestDeprecated, requestExpectedInvalid,
    ] + requestBody

  package static let requestPathUnknown = ofRequest(
    "req.path.unknown", .error, "No path template of the contract matches the request",
    help: """
      The message names the nearest template and the difference: another case, a trailing or double slash, a missing base \
      path, a `?` that was percent-encoded into the path. Paths are case-sensitive and slashes count (RFC 3986, 6.2.2).
      """,
    breaking: ["GET /Pets": "/path", "GET /pets/": "/path"], keeping: ["GET /pets"])

  package static let requestMethodUnknown = ofRequest(
    "req.method.unknown", .error, "The path is documented, but the method is not",
    help: "The answer lists the documented methods in `Allow` (RFC 9110, 15.5.6).",
    breaking: ["PUT /pets": "/method"], keeping: ["HEAD /pets"])

  package static let requestServerUnknown = ofRequest(
    "req.server.unknown", .warning, "The request went to a host that no server of the contract names",
    help: "Off by default: mocks and recordings run on localhost.",
    breaking: ["GET /pets\nHost: cats.example": "/header/Host"], keeping: ["GET /pets\nHost: Pets.Example"])

  package static let requestParamMissing = ofRequest(
    "req.param.missing", .error, "A required query, header, cookie or path parameter is missing",
    help: "Where the value was found in another place (the body, another spelling), the message names that place.",
    breaking: ["GET /pets/7\nAuthorization: Bearer t": "/header/X-Trace"],
    keeping: ["GET /pets/7\nAuthorization: Bearer t\nx-trace: 1"])

  package static let requestParamSchema = ofRequest(
    "req.param.schema", .error, "A parameter's value breaks its schema",
    help: "The value is first decoded by the parameter's style (OAS 3.1, 4.8.12), then validated by its schema.",
    breaking: ["GET /pets?limit=101": "/query/limit", "GET /pets?limit=many": "/query/limit"],
    keeping: ["GET /pets?limit=100"])

  package static let requestParamEncoding = ofRequest(
    "req.param.encoding", .error, "A parameter is written in another style than the contract documents",
    help: """
      Array brackets (`a[]=1`), commas, or a list as a program prints it where the key repeats, raw or double \
      percent-encoding. In OpenAPI a query or form \
      array repeats its key without brackets unless the contract states otherwise (`style: form`, `explode: true`).
      """,
    breaking: [
      "GET /pets?tags[]=1": "/query/tags", "GET /pets?tags=1,2": "/query/tags", "GET /pets?tags=(1)": "/query/tags",
      "GET /pets?limit=%zz": "/query/limit",
      "GET /pets?limit=1&limit=2": "/query/limit",
    ], keeping: ["GET /pets?tags=1&tags=2"])

  package static let requestParamUndeclared = ofRequest(
    "req.param.undeclared", .warning, "A query parameter that the operation does not declare",
    help: "The specification does not forbid it, and servers ignore it; most often the name is misspelt.",
    breaking: ["GET /pets?limt=1": "/query/limt", "GET /pets?=": "/query/"], keeping: ["GET /pets?limit=1"])

  package static let requestHeaderUndeclared = ofRequest(
    "req.header.undeclared", .info, "A custom header that the operation does not declare",
    help: "Off by default: clients and proxies add headers freely.",
    breaking: ["GET /pets\nX-Mood: good": "/header/X-Mood"], keeping: ["GET /pets\nUser-Agent: curl"])

  package static let requestNotAcceptable = ofRequest(
    "req.accept.unmet", .warning, "No documented media type meets the request's Accept",
    help: """
      Answered as most servers do, as if the field was absent (RFC 9110, 12.4.1). As an error, or where the contract maps \
      `not-acceptable` to a status, the request is refused, by 406 if nothing else is said (15.5.7).
      """,
    breaking: ["GET /pets\nAccept: text/html": "/header/Accept"], keeping: ["GET /pets\nAccept: text/html, */*;q=0.1"])

  package static let requestSecurityMissing = ofRequest(
    "req.security.missing", .error, "No alternative of the operation's security is met",
    help: """
      The message lists what each alternative lacks. Presence and shape are validated; tokens themselves only where \
      `tokens` in understudy.yaml is set.
      """,
    breaking: ["GET /pets/7\nX-Trace: 1": "/header"], keeping: ["GET /pets/7\nX-Trace: 1\nAuthorization: Bearer t"])

  package static let requestSecurityMalformed = ofRequest(
    "req.security.malformed", .error, "A credential is present but malformed",
    help: """
      An empty token, a `Bearer ` prefix in a header that takes the bare token, Basic credentials that are not base64. Where \
      `tokens` in understudy.yaml is set: a token that expired, or whose signature is wrong (RFC 7519, 4.1 and 7.2).
      """,
    breaking: ["GET /pets/7\nX-Trace: 1\nAuthorization: Bearer a b": "/header"],
    keeping: ["GET /pets/7\nX-Trace: 1\nAuthorization: bearer t"])

  package static let requestCredentialLeak = ofRequest(
    "req.credential-leak", .warning, "A secret in the query, or sent over http",
    help: "Off by default. Queries end up in logs, histories and `Referer` (RFC 6750, 2.3).",
    breaking: ["GET /pets?key=secret": "/query/key", "GET /pets\nAuthorization: Bearer t": "/header/Authorization"],
    keeping: ["GET /pets"])

  package static let requestPreference = ofRequest(
    "req.preference.unmet", .error, "A `Prefer` header, or its equivalent, asks for an answer that does not exist",
    help: """
      Known: `Prefer: code=401`, `example=name`, `dynamic=true`, `seed=text`; as query `__code`, `__example`, `__dynamic`, \
      `__seed`. A code may be a status or a meaning. The answer lists the alternatives; none is served in its place.
      """,
    breaking: ["GET /pets\nPrefer: code=418": "/header/Prefer"], keeping: ["GET /pets\nPrefer: code=200"])

  package static let requestDeprecated = ofRequest(
    "req.deprecated", .info, "The operation, a parameter or a property is deprecated",
    help: """
      It is answered as usual. No `Deprecation` field is sent, because a contract has no date for it (RFC 9745, 2.1); a \
      fixture can set one.
      """,
    breaking: [
      "DELETE /pets/7": "/method", "GET /pets?page=1": "/query/page",
      post(#"{"name": "a", "nick": "b"}"#): "/body/nick",
    ], keeping: ["GET /pets"])

  package static let requestExpectedInvalid = ofRequest(
    "req.expected-invalid", .warning, "A request breaks the contract, and the server refused it",
    help: """
      The client has a mistake, or tests the refusal. A fixture marks a test if its `when` matches the request and its \
      status is that of the answer: the finding is then a note. The severity `info` in understudy.yaml does the same for \
      all operations or for one; `error` fails the run for every other refusal.
      """,
    breaking: ["POST /pets -> 422": "/body"], keeping: ["POST /pets -> 201"])
}
