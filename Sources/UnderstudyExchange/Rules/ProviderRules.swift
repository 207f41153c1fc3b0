extension Rule {
  /// The rules about the requests that a running server accepts and refuses.
  package static let provider: [Rule] = [
    providerValidRejected, providerInvalidAccepted, providerHeaderIgnored, providerMethodUnsupported,
    providerMethodStatus, providerMediaUnsupported, providerAuthIgnored, providerAuthOpen, providerExample,
    providerDuplicateParam, providerAuthStatus, providerCredentials, providerBasePath, providerMalformed,
    providerNoResponse, providerServerLost, coverageStatusUnimplemented,
  ]

  package static let providerValidRejected = Rule(
    "prov.valid-rejected", .warning, owner: .provider, "A valid request was refused as invalid",
    help: """
      The request keeps the contract, but the answer blames its form: 400, 405, 406, 415, 422 or the status that \
      `x-understudy` names for it. Statuses that depend on the server's data or on the caller (401, 403, 404, 409, 410, 412, \
      429 and the like) do not count, nor does a status that the contract describes as such (`400: Pet not found`). An \
      undocumented status is reported as `resp.status.undocumented` alone. Where no valid request of the operation \
      succeeded and others got 404 or 409, the data may be the reason: then a refusal counts only if the server gave all \
      that the path names. It is an info where the request has an unusual value that the contract allows: an empty text, a \
      control character or an emoji where any text is, a negative number without a minimum. Add the server's other \
      requirements to the contract.
      """)

  package static let providerInvalidAccepted = Rule(
    "prov.invalid-accepted", .error, owner: .provider, "A request that breaks the contract was accepted",
    help: """
      The request breaks the contract in one place and got a 2xx. It was validated as it went over the wire: a value that is \
      valid there is never sent. Check the input, or loosen the contract.
      """)

  package static let providerHeaderIgnored = Rule(
    "prov.header.required-ignored", .error, owner: .provider, "The server accepted a request without a required header",
    help: "Refuse the request with 400 or 422, or make the header optional in the contract.")

  package static let providerMethodUnsupported = Rule(
    "prov.method.unsupported", .warning, owner: .provider,
    "A method that the contract does not have was answered with 2xx",
    help: """
      Methods that the contract does not document should get 405 with `Allow` (RFC 9110, 15.5.6). Document the method or \
      remove it. HEAD is not tried, and OPTIONS only for `Allow`.
      """)

  package static let providerMethodStatus = Rule(
    "prov.method.status", .info, owner: .provider, "An unknown method is refused as if the request were malformed",
    help: """
      A method that a server does not know should get 501, and one that the path does not have 405 with `Allow` (RFC 9110, \
      9.1). Clients and proxies look for their own mistake at any other status that blames the request. One path is tried \
      with TRACE and with a method that no server knows.
      """)

  package static let providerMediaUnsupported = Rule(
    "prov.media.unsupported", .warning, owner: .provider, "A body of an undocumented media type was accepted",
    help: "A server that ignores Content-Type misreads bodies; 415 refuses them (RFC 9110, 15.5.16).")

  package static let providerAuthIgnored = Rule(
    "prov.auth.ignored", .error, owner: .provider, "A protected operation accepted a request without valid credentials",
    help: """
      The contract asks for credentials, but the request had none, or made-up ones. Made-up credentials are only tried when \
      good ones were given.
      """)

  package static let providerAuthOpen = Rule(
    "prov.auth.open", .warning, owner: .provider,
    "An operation asks for credentials that the contract does not mention",
    help: """
      A valid request got 401, but the operation has neither `security` nor a header parameter `Authorization`, so a \
      generated client sends no credentials. Add `security` to the operation, or open it. Where nearly every request to \
      several operations is refused, `prov.credentials.missing` is reported once instead.
      """)

  package static let providerAuthStatus = Rule(
    "prov.auth.status", .warning, owner: .provider,
    "Bad credentials are refused in another status than the documented one",
    help: """
      The operation documents 401 or 403, and the request had no credentials, or made-up ones, but the response blames its \
      form. A client that logs in again at a 401 does not. Check credentials before the rest of the request.
      """)

  package static let providerExample = Rule(
    "prov.example", .error, owner: .provider, "The contract's own example of a request was refused",
    help: "Readers copy examples. Fix the server or the example. Examples that break their schema are not sent.")

  package static let providerDuplicateParam = Rule(
    "prov.duplicate-param", .info, owner: .provider,
    "A query parameter was sent twice with different values, and accepted",
    help: """
      Readers differ in which value they take. Off by default; a failure (5xx) is always reported, as `resp.server-error`.
      """)

  package static let providerCredentials = Rule(
    "prov.credentials.missing", .error, owner: .provider, "Nearly every request was refused for its credentials",
    help: """
      At least nine of ten valid requests got 401 or 403, so hardly anything was validated. Set credentials: \
      `--header 'Authorization: Bearer ...'`, the environment variable `UNDERSTUDY_AUTH_<SCHEME>`, or `verify: live: auth:` in \
      understudy.yaml.
      """)

  package static let providerBasePath = Rule(
    "prov.base-path", .error, owner: .provider, "No path of the contract exists below the base URL",
    help: """
      Every request got 404, also where no data can be missing, or one of them another answer below another path, which the \
      finding names. Name the base URL with its path, or correct the `servers` of the contract.
      """)

  package static let providerMalformed = Rule(
    "prov.answer.malformed", .error, owner: .provider, "An answer is not a valid HTTP message",
    help: """
      It ended before its announced length, has contradictory fields or no status line (RFC 9112, 2 and 6.3). Clients and \
      proxies fail on it, or take the start of the next answer for its end.
      """)

  package static let providerNoResponse = Rule(
    "prov.no-response", .error, owner: .provider, "A request got no response",
    help: """
      The server closed the connection, or sent nothing within the time limit, and responds to other requests. A request \
      whose connection was closed is repeated once. Respond with a status; raise --timeout where the operation is slow by \
      design.
      """)

  package static let providerServerLost = Rule(
    "prov.server-lost", .error, owner: .provider, "A request after which the server responds to nothing",
    help: """
      It is the first request after which one that had succeeded before gets no response. The run ends there, as \
      incomplete. Restart the server, send the request, then the other one.
      """)

  package static let coverageStatusUnimplemented = Rule(
    "cov.status.unimplemented", .error, owner: .provider, "A documented operation is not implemented",
    help: """
      Every valid request got 405 or 501, or 404 on a path without parameters: the server does not have the operation. \
      A 404 on a path with parameters (`/pets/{id}`) does not count, since the data may be missing.
      """)
}
