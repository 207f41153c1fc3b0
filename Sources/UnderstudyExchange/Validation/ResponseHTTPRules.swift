extension Rule {
  /// The rules about answers that follow from HTTP, not from the contract.
  package static let responseHTTP: [Rule] = [
    responseServerError, responseStatusMisuse, responseAllowMissing, responseAllowMismatch, responseChallengeMissing,
    responseLocation, responseStackTrace, responseTime,
  ]

  package static let responseServerError = ofResponse(
    "resp.server-error", .error, "The server failed with a 5xx that the contract does not document",
    help: """
      An undocumented 5xx of a real server is reported here and not as `resp.status.undocumented`, in a live run, a proxy \
      and a recording alike; `default` does not document it. A mock fails on purpose, so its own answers are exempt. So \
      are the 5xx that `x-understudy` names for the request, the 5xx of a fixture whose `when` matches it, and 501 for a \
      method that the path does not have (RFC 9110, 15.6.2).
      """,
    breaking: ["GET /pets -> 500": "/status"], keeping: ["POST /pets -> 409"])

  package static let responseStatusMisuse = ofResponse(
    "resp.http.status-misuse", .warning, "A status that does not fit its request",
    help: """
      201 for GET or DELETE, 304 for methods other than GET and HEAD, 206 without Range, 413 or 415 for a request without \
      body, 401 where the contract asks for no credentials, a code outside 100 to 599 (RFC 9110, 15). A status that the \
      operation documents by its number is never reported.
      """,
    breaking: [
      "GET /pets -> 201": "/status", "POST /pets -> 304": "/status", "GET /pets -> 206": "/status",
      "GET /pets -> 415": "/status", "POST /pets -> 401": "/status", "GET /pets -> 600": "/status",
    ], keeping: ["GET /pets\nRange: bytes=0-1 -> 206", "GET /pets/7 -> 401"])

  package static let responseAllowMissing = ofResponse(
    "resp.http.allow-missing", .warning, "A 405 without `Allow`",
    help: "It must list the methods of the resource (RFC 9110, 15.5.6).",
    breaking: ["GET /pets -> 405": "/header/Allow"], keeping: ["GET /pets -> 405\nAllow: POST"])

  package static let responseAllowMismatch = ofResponse(
    "resp.allow.mismatch", .info, "`Allow` of an answer to OPTIONS differs from the contract",
    help: "HEAD and OPTIONS do not count.",
    breaking: ["OPTIONS /pets -> 204\nAllow: GET, PUT": "/header/Allow"],
    keeping: ["OPTIONS /pets -> 204\nAllow: POST, GET, HEAD, OPTIONS"])

  package static let responseChallengeMissing = ofResponse(
    "resp.http.www-authenticate-missing", .info, "A 401 without `WWW-Authenticate`",
    help:
      "It must state how to authenticate (RFC 9110, 15.5.2). API keys have no challenge, so that operations with nothing else may omit it.",
    breaking: ["GET /pets/7 -> 401": "/header/WWW-Authenticate"],
    keeping: ["GET /pets/7 -> 401\nWWW-Authenticate: Bearer"])

  package static let responseLocation = ofResponse(
    "resp.http.location", .warning, "`Location` is missing in a redirect, or is not a valid URI reference",
    help: "RFC 9110, 10.2.2. The target itself is not requested.",
    breaking: [
      "GET /pets -> 302": "/header/Location", "POST /pets -> 201\nLocation: /pets/a b": "/header/Location",
    ], keeping: ["POST /pets -> 201\nLocation: /pets/7", "POST /pets -> 201"])

  package static let responseStackTrace = ofResponse(
    "resp.leak.stacktrace", .warning, "A stack trace, database error or framework page in the body",
    help: "It helps an attacker. Send a problem document, and log the details.",
    breaking: ["GET /pets -> 500\n\nTraceback (most recent call last):": "/body"],
    keeping: ["GET /pets -> 500\n\nsorry"])

  package static let responseTime = ofResponse(
    "resp.time", .warning, "The answer took longer than the limit",
    help: "There is no limit by default. In understudy.yaml the limit replaces the severity: `resp.time: 2s`.")
}
