extension Rule {
  /// What a running server can get wrong beyond its answers: whom and what it lets in.
  package static let provider: [Rule] = [
    providerValidRejected, providerInvalidAccepted, providerHeaderIgnored, providerMethodUnsupported,
    providerMediaUnsupported, providerAuthIgnored, providerAuthOpen, providerExample, providerDuplicateParam,
    providerCredentials, coverageStatusUnimplemented,
  ]

  package static let providerValidRejected = Rule(
    "prov.valid-rejected", .warning, owner: .provider, "A valid request was refused as if it were none",
    help: """
      Everything in the request is as the contract wants it, and the answer blames its form: 400, 405, 406, 415, 422 or the \
      status that `x-understudy` names for it. What depends on the server's data or on who is calling (401, 403, 404, 409, \
      410, 412, 429 and the like) does not count. Say in the contract what else the server asks for.
      """)

  package static let providerInvalidAccepted = Rule(
    "prov.invalid-accepted", .error, owner: .provider, "A request that breaks the contract was accepted",
    help: """
      The request breaks the contract in one place and got a 2xx. It was validated as it went over the wire: a value that turns \
      valid on the way is never sent. Check the input, or loosen the contract.
      """)

  package static let providerHeaderIgnored = Rule(
    "prov.header.required-ignored", .error, owner: .provider, "A required header was left out, and nobody minded",
    help: "Refuse the request with 400 or 422, or let the contract say that the header is optional.")

  package static let providerMethodUnsupported = Rule(
    "prov.method.unsupported", .warning, owner: .provider,
    "A method that the contract does not have was answered with 2xx",
    help: """
      A path knows the methods that its contract names; others get 405 with `Allow` (RFC 9110, 15.5.6). Document the method \
      or take it away. HEAD and OPTIONS are not asked for.
      """)

  package static let providerMediaUnsupported = Rule(
    "prov.media.unsupported", .warning, owner: .provider, "A body of an undocumented media type was accepted",
    help:
      "A server that does not look at Content-Type reads bodies it was never meant to get; 415 says no (RFC 9110, 15.5.16)."
  )

  package static let providerAuthIgnored = Rule(
    "prov.auth.ignored", .error, owner: .provider, "A protected operation let somebody in without valid credentials",
    help: """
      The contract asks for credentials, and the request had none, or had ones that were made up while good ones work as well. \
      Wrong credentials are only tried when good ones were given.
      """)

  package static let providerAuthOpen = Rule(
    "prov.auth.open", .warning, owner: .provider,
    "An operation asks for credentials that the contract does not mention",
    help: "A generated client will not send any. Add `security` to the operation, or open it.")

  package static let providerExample = Rule(
    "prov.example", .error, owner: .provider, "The contract's own example of a request was refused",
    help:
      "Readers copy examples. Mend the server, or write an example that works; one that breaks its schema is not sent.")

  package static let providerDuplicateParam = Rule(
    "prov.duplicate-param", .info, owner: .provider,
    "A query parameter was sent twice with different values, and accepted",
    help: """
      Two readers may take different ones of them. Told only when `rules` asks for it; a failure (5xx) is always told, as \
      `resp.server-error`.
      """)

  package static let providerCredentials = Rule(
    "prov.credentials.missing", .error, owner: .provider, "Nearly every request was refused for its credentials",
    help: """
      401 or 403 answered at least nine of ten valid requests, so hardly anything was validated. Give credentials: \
      `--header 'Authorization: Bearer ...'`, the environment variable `UNDERSTUDY_AUTH_<SCHEME>`, or `verify: live: auth:` in \
      understudy.yaml.
      """)

  package static let coverageStatusUnimplemented = Rule(
    "cov.status.unimplemented", .error, owner: .provider, "A documented success was tried for and never came",
    help: """
      Every valid request got 405 or 501, or 404 on a path without parameters: the server does not have the operation. \
      Where data may be missing (404 on `/pets/{id}`) nothing is said.
      """)
}
