extension Rule {
  /// What a client can get wrong in a request.
  package static let request: [Rule] =
    [
      requestPathUnknown, requestMethodUnknown, requestServerUnknown,
      requestParamMissing, requestParamSchema, requestParamEncoding, requestParamUndeclared, requestHeaderUndeclared,
      requestNotAcceptable, requestSecurityMissing, requestSecurityMalformed, requestCredentialLeak,
      requestPreference, requestDeprecated, requestExpectedInvalid,
    ] + requestBody

  package static let requestPathUnknown = Rule(
    "req.path.unknown", .error, owner: .client, "No path template of the contract matches the request",
    help: """
      The message names the nearest template and what keeps it from matching: another case, a trailing or double slash, \
      a missing base path, a `?` that was percent-encoded into the path. Paths are case-sensitive and slashes count (RFC 3986, 6.2.2).
      """,
    exchanges: [Exchange("GET /Pets", at: ["/path"]), Exchange("GET /pets/", at: ["/path"]), Exchange("GET /pets")])

  package static let requestMethodUnknown = Rule(
    "req.method.unknown", .error, owner: .client, "The path is documented, the method is not",
    help: "The answer names the documented methods in `Allow` (RFC 9110, 15.5.6).",
    exchanges: [Exchange("PUT /pets", at: ["/method"]), Exchange("HEAD /pets")])

  package static let requestServerUnknown = Rule(
    "req.server.unknown", .warning, owner: .client, "The request went to a host that no server of the contract names",
    help: "Off unless it is asked for: mocks and recordings live on localhost.",
    exchanges: [
      Exchange("GET /pets\nHost: cats.example", at: ["/header/Host"]), Exchange("GET /pets\nHost: Pets.Example"),
    ])

  package static let requestParamMissing = Rule(
    "req.param.missing", .error, owner: .client, "A required query, header, cookie or path parameter is absent",
    help: "Where the value was found in another place (the body, another spelling), the message says so.",
    exchanges: [
      Exchange("GET /pets/7\nAuthorization: Bearer t", at: ["/header/X-Trace"]),
      Exchange("GET /pets/7\nAuthorization: Bearer t\nx-trace: 1"),
    ])

  package static let requestParamSchema = Rule(
    "req.param.schema", .error, owner: .client, "A parameter's value breaks its schema",
    help: "The value is decoded by the parameter's style first (OAS 3.1, 4.8.12), then validated by its schema.",
    exchanges: [
      Exchange("GET /pets?limit=101", at: ["/query/limit"]), Exchange("GET /pets?limit=many", at: ["/query/limit"]),
      Exchange("GET /pets?limit=100"),
    ])

  package static let requestParamEncoding = Rule(
    "req.param.encoding", .error, owner: .client, "A parameter is written in another style than the contract has",
    help: """
      Array brackets (`a[]=1`) where the key repeats, commas where the key repeats, raw or double percent-encoding. \
      In OpenAPI a query or form array repeats its key without brackets unless the contract says otherwise (`style: form`, `explode: true`).
      """,
    exchanges: [
      Exchange("GET /pets?tags[]=1", at: ["/query/tags"]), Exchange("GET /pets?tags=1,2", at: ["/query/tags"]),
      Exchange("GET /pets?limit=%zz", at: ["/query/limit"]),
      Exchange("GET /pets?limit=1&limit=2", at: ["/query/limit"]),
      Exchange("GET /pets?tags=1&tags=2"),
    ])

  package static let requestParamUndeclared = Rule(
    "req.param.undeclared", .warning, owner: .client, "A query key that the operation does not know",
    help: "Nothing in the specification forbids it, and servers ignore it; most often it is a misspelt name.",
    exchanges: [Exchange("GET /pets?limt=1", at: ["/query/limt"]), Exchange("GET /pets?limit=1")])

  package static let requestHeaderUndeclared = Rule(
    "req.header.undeclared", .info, owner: .client, "A custom header that the operation does not know",
    help: "Off unless it is asked for: clients and proxies add headers freely.",
    exchanges: [
      Exchange("GET /pets\nX-Mood: good", at: ["/header/X-Mood"]), Exchange("GET /pets\nUser-Agent: curl"),
    ])

  package static let requestNotAcceptable = Rule(
    "req.accept.unmet", .error, owner: .client, "No documented media type meets the request's Accept",
    help: "Answered with 406 unless the contract maps it elsewhere (RFC 9110, 15.5.7).",
    exchanges: [
      Exchange("GET /pets\nAccept: text/html", at: ["/header/Accept"]),
      Exchange("GET /pets\nAccept: text/html, */*;q=0.1"),
    ])

  package static let requestSecurityMissing = Rule(
    "req.security.missing", .error, owner: .client, "No alternative of the operation's security is met",
    help: """
      The message lists what each alternative lacks. Presence and shape are validated; whether a token is good, only where \
      `tokens` in understudy.yaml says so.
      """,
    exchanges: [
      Exchange("GET /pets/7\nX-Trace: 1", at: ["/header"]),
      Exchange("GET /pets/7\nX-Trace: 1\nAuthorization: Bearer t"),
    ])

  package static let requestSecurityMalformed = Rule(
    "req.security.malformed", .error, owner: .client, "A credential is there but has the wrong shape",
    help: """
      An empty token, a `Bearer ` prefix in a header that takes the bare token, Basic credentials that are no base64. \
      Where `tokens` in understudy.yaml says so: a token that expired, or whose signature is wrong (RFC 7519, 4.1 and 7.2).
      """,
    exchanges: [
      Exchange("GET /pets/7\nX-Trace: 1\nAuthorization: Bearer a b", at: ["/header"]),
      Exchange("GET /pets/7\nX-Trace: 1\nAuthorization: bearer t"),
    ])

  package static let requestCredentialLeak = Rule(
    "req.credential-leak", .warning, owner: .client, "A secret in the query, or sent over http",
    help: "Off unless it is asked for. Queries end up in logs, histories and `Referer` (RFC 6750, 2.3).",
    exchanges: [
      Exchange("GET /pets?key=secret", at: ["/query/key"]),
      Exchange("GET /pets\nAuthorization: Bearer t", at: ["/header/Authorization"]), Exchange("GET /pets"),
    ])

  package static let requestPreference = Rule(
    "req.preference.unmet", .error, owner: .client,
    "A `Prefer` header, or its twin, asks for something that is not there",
    help: """
      Known: `Prefer: code=401`, `example=name`, `dynamic=true`, `seed=text`; as query `__code`, `__example`, `__dynamic`, `__seed`. \
      A code may be a status or a meaning. The answer lists what there is; nothing else is served in its place.
      """,
    exchanges: [
      Exchange("GET /pets\nPrefer: code=418", at: ["/header/Prefer"]), Exchange("GET /pets\nPrefer: code=200"),
    ])

  package static let requestDeprecated = Rule(
    "req.deprecated", .info, owner: .client, "The operation, a parameter or a property is deprecated",
    help: """
      It is answered as ever. A `Deprecation` field would hold the date (RFC 9745, 2.1), which no contract tells: a fixture \
      can set it.
      """,
    exchanges: [
      Exchange("DELETE /pets/7", at: ["/method"]), Exchange("GET /pets?page=1", at: ["/query/page"]),
      Exchange("POST /pets\nContent-Type: application/json\n\n{\"name\": \"a\", \"nick\": \"b\"}", at: ["/body/nick"]),
      Exchange("GET /pets"),
    ])

  package static let requestExpectedInvalid = Rule(
    "req.expected-invalid", .info, owner: .client, "A request breaks the contract, and the server refused it",
    help: "The client most likely tests how it is refused, so what is wrong with the request is only noted.",
    exchanges: [
      Exchange("POST /pets", "422", at: ["/body"]), Exchange("POST /pets", "201"),
    ])
}
