extension Rule {
  /// What a server can get wrong in an answer whatever its contract says.
  package static let responseHTTP: [Rule] = [
    responseServerError, responseStatusMisuse, responseAllowMissing, responseAllowMismatch, responseChallengeMissing,
    responseLocation, responseStackTrace, responseTime,
  ]

  package static let responseServerError = Rule(
    "resp.server-error", .error, owner: .provider, "The server failed: any 5xx, documented or not",
    help: "Off unless a real server is validated: a mock fails on purpose.",
    exchanges: [Exchange("GET /pets", "500", at: ["/status"]), Exchange("POST /pets", "409")])

  package static let responseStatusMisuse = Rule(
    "resp.http.status-misuse", .warning, owner: .provider, "A status that does not go with its request",
    help: """
      201 for GET or DELETE, 304 for anything but GET and HEAD, 206 without Range, 413 or 415 for a request without body, \
      401 where the contract asks for no credentials, a code outside 100 to 599 (RFC 9110, 15). Told only of a status that the \
      operation does not document by its number: else it is the contract's doing.
      """,
    exchanges: [
      Exchange("GET /pets", "201", at: ["/status"]), Exchange("POST /pets", "304", at: ["/status"]),
      Exchange("GET /pets", "206", at: ["/status"]), Exchange("GET /pets", "415", at: ["/status"]),
      Exchange("POST /pets", "401", at: ["/status"]), Exchange("GET /pets", "600", at: ["/status"]),
      Exchange("GET /pets\nRange: bytes=0-1", "206"), Exchange("GET /pets/7", "401"),
    ])

  package static let responseAllowMissing = Rule(
    "resp.http.allow-missing", .warning, owner: .provider, "A 405 without `Allow`",
    help: "It must list the methods that the resource has (RFC 9110, 15.5.6).",
    exchanges: [Exchange("GET /pets", "405", at: ["/header/Allow"]), Exchange("GET /pets", "405\nAllow: POST")])

  package static let responseAllowMismatch = Rule(
    "resp.allow.mismatch", .info, owner: .provider, "`Allow` of an answer to OPTIONS differs from the contract",
    help: "HEAD and OPTIONS do not count.",
    exchanges: [
      Exchange("OPTIONS /pets", "204\nAllow: GET, PUT", at: ["/header/Allow"]),
      Exchange("OPTIONS /pets", "204\nAllow: POST, GET, HEAD, OPTIONS"),
    ])

  package static let responseChallengeMissing = Rule(
    "resp.http.www-authenticate-missing", .info, owner: .provider, "A 401 without `WWW-Authenticate`",
    help: "It must say how to authenticate (RFC 9110, 15.5.2); few API servers do.",
    exchanges: [
      Exchange("GET /pets/7", "401", at: ["/header/WWW-Authenticate"]),
      Exchange("GET /pets/7", "401\nWWW-Authenticate: Bearer"),
    ])

  package static let responseLocation = Rule(
    "resp.http.location", .warning, owner: .provider, "`Location` is missing in a redirect, or is no URI reference",
    help: "RFC 9110, 10.2.2. Whether something is there is for the one who follows it.",
    exchanges: [
      Exchange("GET /pets", "302", at: ["/header/Location"]),
      Exchange("POST /pets", "201\nLocation: /pets/a b", at: ["/header/Location"]),
      Exchange("POST /pets", "201\nLocation: /pets/7"), Exchange("POST /pets", "201"),
    ])

  package static let responseStackTrace = Rule(
    "resp.leak.stacktrace", .warning, owner: .provider, "A stack trace, database error or framework page in the body",
    help: "It tells an attacker what to try next. Send a problem document and log the rest.",
    exchanges: [
      Exchange("GET /pets", "500\n\nTraceback (most recent call last):", at: ["/body"]),
      Exchange("GET /pets", "500\n\nsorry"),
    ])

  package static let responseTime = Rule(
    "resp.time", .warning, owner: .provider, "The answer took longer than the limit",
    help:
      "There is no limit unless one is set: below `rules` in understudy.yaml, `resp.time: 2s` in the place of a level.")
}
