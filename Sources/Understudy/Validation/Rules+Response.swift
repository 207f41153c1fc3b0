extension Rule {
  /// What a server can get wrong in an answer; a fixture names these in `violates` when it does so on purpose.
  package static let response: [Rule] =
    [
      responseStatusUndocumented, responseContentTypeMissing, responseContentTypeMalformed,
      responseContentTypeUndocumented, responseBodyUnexpected, responseBodyMissing, responseBodyUnparsable,
      responseBodySchema, responseBodyWriteOnly, responseBodyUndeclared, responseDiscriminator, responseEncoding,
      responseHeaderMissing, responseHeaderSchema, responseHeaderUndeclared,
    ] + responseHTTP

  private static func answer(_ body: String, to request: String = "GET /pets/7", at places: String...) -> Exchange {
    Exchange(request, "200\nContent-Type: application/json\nX-Total: 1\n\n\(body)", at: places)
  }

  package static let responseStatusUndocumented = Rule(
    "resp.status.undocumented", .error, owner: .provider,
    "The status is neither an exact code, a range nor `default` of the operation",
    help: """
      OAS 3.1, 4.8.16: the exact code counts before `NXX`, `NXX` before `default`. What gateways and frameworks send on their \
      own (401, 404, 429, 502 ...) is a warning.
      """,
    exchanges: [
      Exchange("GET /pets", "202", at: ["/status"]), Exchange("GET /pets", "503", at: ["/status"]),
      Exchange("POST /pets", "409"),
    ])

  package static let responseContentTypeMissing = Rule(
    "resp.content-type.missing", .error, owner: .provider, "A body without Content-Type",
    help: "A client must then guess (RFC 9110, 8.3). Where one media type is documented, it is validated as that.",
    exchanges: [
      Exchange("GET /pets/7", "200\n\n{\"name\": \"a\"}", at: ["/header/Content-Type"]), answer("{\"name\": \"a\"}"),
    ])

  package static let responseContentTypeMalformed = Rule(
    "resp.content-type.malformed", .error, owner: .provider, "A Content-Type that cannot be parsed",
    help: "Expected `type/subtype; parameter=value` (RFC 9110, 8.3.1).",
    exchanges: [
      Exchange("GET /pets/7", "200\nContent-Type: json\n\n{}", at: ["/header/Content-Type"]),
      answer("{\"name\": \"a\"}"),
    ])

  package static let responseContentTypeUndocumented = Rule(
    "resp.content-type.undocumented", .error, owner: .provider,
    "The answer's media type is not in the response's `content`",
    help:
      "The most specific documented range that matches counts; parameters matter only where the contract writes them.",
    exchanges: [
      Exchange("GET /pets/7", "200\nContent-Type: application/problem+json\n\n{}", at: ["/header/Content-Type"]),
      answer("{\"name\": \"a\"}"),
    ])

  package static let responseBodyUnexpected = Rule(
    "resp.body.unexpected", .warning, owner: .provider, "A body where none is documented or HTTP allows none",
    help: "1xx, 204, 205, 304 and answers to HEAD have no body (RFC 9110, 6.4.1).",
    exchanges: [
      Exchange("POST /pets", "201\nContent-Type: text/plain\n\nhello", at: ["/body"]),
      Exchange("DELETE /pets/7", "204\n\nhello", at: ["/body"]),
      Exchange("HEAD /pets", "200\nX-Total: 1\n\n[]", at: ["/body"]),
      Exchange("DELETE /pets/7", "204"),
    ])

  package static let responseBodyMissing = Rule(
    "resp.body.missing", .error, owner: .provider, "No body although the response documents content",
    help: "An empty body is no JSON; a client that decodes it fails.",
    exchanges: [
      Exchange("GET /pets/7", "200\nContent-Type: application/json", at: ["/body"]),
      Exchange("HEAD /pets", "200\nX-Total: 1"),
    ])

  package static let responseBodyUnparsable = Rule(
    "resp.body.unparsable", .error, owner: .provider, "The body does not parse as its media type",
    help: "For example text or HTML under `application/json`, or a body that is not coded as Content-Encoding says.",
    exchanges: [answer("<html>", at: "/body"), answer("{\"name\": \"a\"}")])

  package static let responseBodySchema = Rule(
    "resp.body.schema", .error, owner: .provider, "The body breaks its schema",
    help: "Every failure is told with the pointer of the value and the line of the contract.",
    exchanges: [
      answer("[{\"name\": 1}]", to: "GET /pets", at: "/body/0/name"),
      answer("{\"id\": \"7\"}", at: "/body/id", "/body"),
      answer("{\"name\": \"a\"}"),
    ])

  package static let responseBodyWriteOnly = Rule(
    "resp.body.write-only", .warning, owner: .provider, "A writeOnly property was sent",
    help: "OAS 3.0, 4.7.24.2: it should not be sent in a response.",
    exchanges: [
      answer("{\"name\": \"a\", \"secret\": \"b\"}", at: "/body/secret"), answer("{\"name\": \"a\", \"id\": 1}"),
    ])

  package static let responseBodyUndeclared = Rule(
    "resp.body.undeclared", .warning, owner: .provider, "A property that the schema does not name, though it is open",
    help: "Off unless it is asked for. It shows where the contract lags behind the server.",
    exchanges: [answer("{\"name\": \"a\", \"age\": 1}", at: "/body/age"), answer("{\"name\": \"a\"}")])

  package static let responseDiscriminator = Rule(
    "resp.discriminator.unmatched", .warning, owner: .provider, "A discriminator's value names no schema",
    help: "It cannot make a value invalid (OAS 3.1, 4.8.25), but a client that picks its type by it finds none.",
    exchanges: [
      answer("{\"name\": \"a\", \"owner\": {\"kind\": \"Cat\"}}", at: "/body/owner/kind"),
      answer("{\"name\": \"a\", \"owner\": {\"kind\": \"Person\"}}"),
    ])

  package static let responseEncoding = Rule(
    "resp.encoding", .warning, owner: .provider, "JSON with a byte order mark, a repeated key or another Content-Type",
    help: "None of it is forbidden to every reader, and readers differ in what they make of it (RFC 8259, 4 and 8.1).",
    exchanges: [answer("{\"name\": \"a\", \"name\": \"b\"}", at: "/body"), answer("{\"name\": \"a\"}")])

  package static let responseHeaderMissing = Rule(
    "resp.header.missing", .error, owner: .provider, "A required response header is absent",
    help: "Header names compare without case; a header is required only with `required: true` (OAS 3.1, 4.8.21).",
    exchanges: [
      Exchange("GET /pets", "200\nContent-Type: application/json\n\n[]", at: ["/header/X-Total"]),
      Exchange("GET /pets", "200\nContent-Type: application/json\nx-total: 0\n\n[]"),
    ])

  package static let responseHeaderSchema = Rule(
    "resp.header.schema", .error, owner: .provider, "A response header's value breaks its schema",
    help: "The value is decoded with style `simple` first.",
    exchanges: [
      Exchange("GET /pets", "200\nContent-Type: application/json\nX-Total: all\n\n[]", at: ["/header/X-Total"]),
      answer("[]", to: "GET /pets"),
    ])

  package static let responseHeaderUndeclared = Rule(
    "resp.header.undeclared", .info, owner: .provider, "A header that the response does not document",
    help: "Off unless it is asked for; headers of HTTP itself are never told.",
    exchanges: [
      Exchange("POST /pets", "201\nX-Mood: good", at: ["/header/X-Mood"]), Exchange("POST /pets", "201\nServer: x"),
    ])
}
