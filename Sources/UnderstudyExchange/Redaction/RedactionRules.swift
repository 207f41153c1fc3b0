extension Rule {
  package static let redaction: [Rule] = [
    redactSecurity, redactSchema, redactHeader, redactCookie, redactQuery, redactMember, redactUserInfo,
    redactAuthorization, redactJWT, redactPrivateKey, redactPrefix, redactAssignment, redactEntropy, redactEcho,
    redactPlace,
  ]

  /// - Parameter finds: What the rule finds, as a noun with its article.
  private static func redact(_ id: String, _ finds: String, _ help: String) -> Rule {
    Rule("redact.\(id)", .error, owner: .fixture, "A recording holds \(finds)", help: help)
  }

  package static let redactSecurity = redact(
    "security", "the value of a security scheme",
    """
    The values of headers, query parameters and cookies that the contract's `securitySchemes` name, and the credentials \
    in `Authorization` and `Proxy-Authorization`; the name of the scheme stays.
    """)

  package static let redactSchema = redact(
    "schema", "a value that its schema marks as a secret",
    """
    Values whose schema has `format: password`, `writeOnly: true` or `x-secret: true`, also behind `$ref`, `allOf`, \
    `anyOf`, `oneOf`, `items` and `additionalProperties`, and everything in such an object or list. A value that the schema \
    itself lists, in an `enum` or a `const`, is kept; another value at the same place is a secret.
    """)

  package static let redactHeader = redact(
    "header", "a header with the name of a credential",
    """
    Headers such as `X-Api-Key`, `X-Auth-Token`, `X-Registry-Auth`, `X-Plex-Token`, `Private-Token`, `DPoP` and \
    `X-Hub-Signature`, and tokens in `Sec-WebSocket-Protocol`. `Idempotency-Key` and `X-Request-Id` are kept.
    """)

  package static let redactCookie = redact(
    "cookie", "the value of a cookie",
    "The values of all cookies in `Cookie` and `Set-Cookie`, also of one without a name; names and attributes stay.")

  package static let redactQuery = redact(
    "query", "a credential in a URL",
    """
    Parameters of a query or a fragment, and matrix parameters of a path, that are named as a credential: `token`, \
    `access_token`, `api_key`, `sig`, `sessionid`, `token[]`. `code`, `key` and similar ambiguous names count only if \
    the value looks generated. In paths also the tokens of Telegram (`/bot110201543:AAHd.../getMe`), of Slack \
    (`/services/T.../B.../...`) and of links that reset a password (`/reset-password/c6h3kz-0a1b`).
    """)

  package static let redactMember = redact(
    "member", "a field with the name of a credential",
    """
    Members of JSON, fields of forms and multipart bodies, and elements of XML that are named as a credential: \
    `password`, `password_confirmation`, `clientSecret`, `refresh_token`, `connectionString`, `sas`, `hmac`, `ssn`. \
    Ambiguous names such as `key` count only if the value looks generated, and `pin` if it has 4 to 12 digits. `id`, \
    `name`, `to` and `from` are never such names.
    """)

  package static let redactUserInfo = redact(
    "user-info", "a password in a URL",
    "The password in `https://user:password@host`, or the user if there is no password, in every text.")

  package static let redactAuthorization = redact(
    "authorization", "the credentials of a `Bearer` or `Basic` scheme in a text",
    "`Bearer ...` and `Basic ...` in bodies and in any header, such as the echo of an `Authorization` in an error page."
  )

  package static let redactJWT = redact(
    "jwt", "a JSON Web Token",
    """
    A JSON Web Token (RFC 7519) in any place, paths included. It is replaced by a token that can be decoded: the same \
    algorithm, the claims `iss`, `sub`, `aud`, `azp`, `client_id`, `scope`, `scp`, `roles` and `groups`, and an `exp` in \
    the year 2100.
    """)

  package static let redactPrivateKey = redact(
    "private-key", "a private key in PEM", "`-----BEGIN ... PRIVATE KEY-----`, up to its end. Certificates are kept.")

  package static let redactPrefix = redact(
    "prefix", "a key with a known prefix",
    """
    Keys by their issuers' prefixes: `AKIA`, `ghp_`, `glpat-`, `sk_live_`, `xoxb-`, `AIza`, `SG.`, `npm_`, `hvs.` and \
    others, and hashes of passwords (`$2b$`, `$argon2`). The prefix and the length stay.
    """)

  package static let redactAssignment = redact(
    "assignment", "a credential as `NAME=value`",
    """
    `PASSWORD=...` in lists of environment variables, `AccountKey=...;` in connection strings, and `"password": "..."` \
    in a body that is not valid JSON.
    """)

  package static let redactEntropy = redact(
    "entropy", "a text that looks generated",
    """
    A run of 30 to 512 letters, digits, `+`, `/`, `-` and `_` with upper case, lower case and at least two digits, with \
    a Shannon entropy of at least 3.7 bits a character, and in which two of five neighbours are of different kinds. \
    UUIDs, hexadecimal digests, dates, paths, base64 of files and texts, and the values of fields named as an id, a \
    digest, an ETag or a cursor are kept.
    """)

  package static let redactEcho = redact(
    "echo", "a secret of another place",
    """
    Every secret that was found is searched for in the rest of its exchange and in later ones, plain, percent-encoded, \
    with the entities of HTML, in base64 and in nested JSON. Short and common words are not searched for.
    """)

  package static let redactPlace = redact(
    "place", "a value at a place that the configuration names",
    "A place under `redact:` in `understudy.yaml` or of `--redact`: `/body/customer/email`, `/header/X-Tenant`.")
}
