extension Rule {
  /// What a client can get wrong in a request.
  package static let request: [Rule] = [
    requestPathUnknown, requestMethodUnknown, requestParamMissing, requestParamSchema, requestParamEncoding,
    requestParamUndeclared, requestHeaderUndeclared, requestBodyMissing, requestBodyUnexpected, requestContentType,
    requestBodyUnparsable, requestBodySchema, requestNotAcceptable, requestSecurityMissing, requestSecurityMalformed,
    requestPreference, requestDeprecated, requestReadOnly,
  ]

  package static let requestPathUnknown = Rule(
    "req.path.unknown", .error, owner: .client, "No path template of the contract matches the request",
    help: """
      The message names the nearest template and what keeps it from matching: another case, a trailing or double slash, \
      a missing base path, a `?` that was percent-encoded into the path. Paths are case-sensitive and slashes count (RFC 3986, 6.2.2).
      """)

  package static let requestMethodUnknown = Rule(
    "req.method.unknown", .error, owner: .client, "The path is documented, the method is not",
    help: "The answer names the documented methods in `Allow` (RFC 9110, 15.5.6).")

  package static let requestParamMissing = Rule(
    "req.param.missing", .error, owner: .client, "A required query, header, cookie or path parameter is absent",
    help: "Where the value was found in another place (the body, another spelling), the message says so.")

  package static let requestParamSchema = Rule(
    "req.param.schema", .error, owner: .client, "A parameter's value breaks its schema",
    help: "The value is decoded by the parameter's style first (OAS 3.1, 4.8.12), then judged by its schema.")

  package static let requestParamEncoding = Rule(
    "req.param.encoding", .error, owner: .client, "A parameter is written in another style than the contract has",
    help: """
      Array brackets (`a[]=1`) where the key repeats, commas where the key repeats, raw or double percent-encoding. \
      In OpenAPI a query or form array repeats its key without brackets unless the contract says otherwise (`style: form`, `explode: true`).
      """)

  package static let requestParamUndeclared = Rule(
    "req.param.undeclared", .warning, owner: .client, "A query key that the operation does not know",
    help: "Nothing in the specification forbids it, and servers ignore it; most often it is a misspelt name.")

  package static let requestHeaderUndeclared = Rule(
    "req.header.undeclared", .info, owner: .client, "A custom header that the operation does not know",
    help: "Off unless it is asked for: clients and proxies add headers freely.")

  package static let requestBodyMissing = Rule(
    "req.body.missing", .error, owner: .client, "A required body, or a required field of a form, is absent",
    help: "Where the fields were sent in the query string instead, the message says so.")

  package static let requestBodyUnexpected = Rule(
    "req.body.unexpected", .warning, owner: .client, "A body where the operation documents none",
    help: "The server would ignore it. A lone `=` is what some clients send for empty parameters; it is not reported.")

  package static let requestContentType = Rule(
    "req.content-type.undocumented", .error, owner: .client, "The body's media type is not documented",
    help:
      "Answered with 415 unless the contract maps it elsewhere. Parameters such as `charset` do not matter (OAS 3.1, 4.8.14)."
  )

  package static let requestBodyUnparsable = Rule(
    "req.body.unparsable", .error, owner: .client, "The body does not parse as its media type",
    help: "JSON under a form Content-Type and the reverse are recognised and named.")

  package static let requestBodySchema = Rule(
    "req.body.schema", .error, owner: .client, "The body breaks its schema",
    help: "Every failure is told with the pointer of the value and the line of the contract.")

  package static let requestReadOnly = Rule(
    "req.body.read-only", .warning, owner: .client, "A readOnly property was sent",
    help: "The server may ignore or refuse it (OAS 3.0, 4.7.24.2; JSON Schema Validation, 9.4).")

  package static let requestNotAcceptable = Rule(
    "req.accept.unmet", .error, owner: .client, "No documented media type meets the request's Accept",
    help: "Answered with 406 unless the contract maps it elsewhere (RFC 9110, 15.5.7).")

  package static let requestSecurityMissing = Rule(
    "req.security.missing", .error, owner: .client, "No alternative of the operation's security is met",
    help:
      "The message lists what each alternative lacks. Presence and shape are judged; whether a token is good is not.")

  package static let requestSecurityMalformed = Rule(
    "req.security.malformed", .error, owner: .client, "A credential is there but has the wrong shape",
    help:
      "An empty token, a `Bearer ` prefix in a header that takes the bare token, Basic credentials that are no base64.")

  package static let requestPreference = Rule(
    "req.preference.unmet", .error, owner: .client,
    "A `Prefer` header, or its twin, asks for something that is not there",
    help: """
      Known: `Prefer: code=401`, `example=name`, `dynamic=true`, `seed=text`; as query `__code`, `__example`, `__dynamic`, `__seed`. \
      A code may be a status or a meaning. The answer lists what there is; nothing else is served in its place.
      """)

  package static let requestDeprecated = Rule(
    "req.deprecated", .info, owner: .client, "The operation is deprecated",
    help: "It is answered as ever; the answer carries `Deprecation: true`.")
}
