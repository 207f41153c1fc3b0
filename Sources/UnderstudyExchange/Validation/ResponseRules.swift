extension Rule {
  /// The rules about answers; a fixture lists those that it breaks on purpose in `violates`.
  package static let response: [Rule] =
    [
      responseStatusUndocumented, responseContentTypeMissing, responseContentTypeMalformed,
      responseContentTypeUndocumented, responseBodyUnexpected, responseBodyMissing, responseBodyUnparsable,
      responseBodySchema, responseBodyWriteOnly, responseBodyUndeclared, responseDiscriminator, responseFormat,
      responseEncoding,
      responseHeaderMissing, responseHeaderSchema, responseHeaderUndeclared,
    ] + responseHTTP

  package static let responseStatusUndocumented = ofResponse(
    "resp.status.undocumented", .error, "The status is neither an exact code, a range nor `default` of the operation",
    help: """
      The exact code takes precedence over `NXX`, `NXX` over `default` (OAS 3.1, 4.8.16). Statuses that gateways and \
      frameworks send on their own (401, 404, 429, 502 ...) are a warning.
      """,
    breaking: ["GET /pets -> 202": "/status", "GET /pets -> 403": "/status"], keeping: ["POST /pets -> 409"])

  package static let responseContentTypeMissing = ofResponse(
    "resp.content-type.missing", .error, "A body without Content-Type",
    help: "A client must guess (RFC 9110, 8.3). Where one media type is documented, the body is validated as that.",
    breaking: ["GET /pets/7 -> 200\n\n{\"name\": \"a\"}": "/header/Content-Type"], keeping: [pet(#"{"name": "a"}"#)])

  package static let responseContentTypeMalformed = ofResponse(
    "resp.content-type.malformed", .error, "A Content-Type that cannot be parsed",
    help: "Expected `type/subtype; parameter=value` (RFC 9110, 8.3.1).",
    breaking: ["GET /pets/7 -> 200\nContent-Type: json\n\n{}": "/header/Content-Type"],
    keeping: [pet(#"{"name": "a"}"#)])

  package static let responseContentTypeUndocumented = ofResponse(
    "resp.content-type.undocumented", .error, "The answer's media type is not in the response's `content`",
    help: """
      The most specific documented range that matches counts; parameters matter only where the contract states them.
      """,
    breaking: ["GET /pets/7 -> 200\nContent-Type: application/problem+json\n\n{}": "/header/Content-Type"],
    keeping: [pet(#"{"name": "a"}"#)])

  package static let responseBodyUnexpected = ofResponse(
    "resp.body.unexpected", .warning, "A body where none is documented or HTTP allows none",
    help: "1xx, 204, 205, 304 and answers to HEAD have no body (RFC 9110, 6.4.1).",
    breaking: [
      "POST /pets -> 201\nContent-Type: text/plain\n\nhello": "/body", "DELETE /pets/7 -> 204\n\nhello": "/body",
      "HEAD /pets -> 200\nX-Total: 1\n\n[]": "/body",
    ], keeping: ["DELETE /pets/7 -> 204"])

  package static let responseBodyMissing = ofResponse(
    "resp.body.missing", .error, "No body although the response documents content",
    help: "An empty body is not valid JSON; a client that decodes it fails.",
    breaking: ["GET /pets/7 -> 200\nContent-Type: application/json": "/body"],
    keeping: ["HEAD /pets -> 200\nX-Total: 1"])

  package static let responseBodyUnparsable = ofResponse(
    "resp.body.unparsable", .error, "The body does not parse as its media type",
    help: "For example text or HTML under `application/json`, or a body that is not coded as Content-Encoding states.",
    breaking: [pet("<html>"): "/body"], keeping: [pet(#"{"name": "a"}"#)])

  package static let responseBodySchema = ofResponse(
    "resp.body.schema", .error, "The body breaks its schema",
    help: "Every failure is reported with the pointer of the value and the line of the contract.",
    breaking: [pets(#"[{"name": 1}]"#): "/body/0/name", pet(#"{"id": "7"}"#): "/body/id /body"],
    keeping: [pet(#"{"name": "a"}"#)])

  package static let responseBodyWriteOnly = ofResponse(
    "resp.body.write-only", .warning, "A writeOnly property was sent",
    help: "A response should not contain it (OAS 3.0, 4.7.24.2).",
    breaking: [pet(#"{"name": "a", "secret": "b"}"#): "/body/secret"], keeping: [pet(#"{"name": "a", "id": 1}"#)])

  package static let responseBodyUndeclared = ofResponse(
    "resp.body.undeclared", .warning, "A property that an open schema does not declare",
    help: "Off by default. It shows where the contract lags behind the server.",
    breaking: [pet(#"{"name": "a", "age": 1}"#): "/body/age"], keeping: [pet(#"{"name": "a"}"#)])

  package static let responseDiscriminator = ofResponse(
    "resp.discriminator.unmatched", .warning, "A discriminator's value names no schema",
    help: "The value stays valid (OAS 3.1, 4.8.25), but a client that picks its type by it finds none.",
    breaking: [pet(#"{"name": "a", "owner": {"kind": "Cat"}}"#): "/body/owner/kind"],
    keeping: [pet(#"{"name": "a", "owner": {"kind": "Person"}}"#)])

  package static let responseFormat = ofResponse(
    "resp.format", .warning, "A value breaks a format that only annotates",
    help: """
      From OpenAPI 3.1 on a `format` decides nothing (JSON Schema 2020-12, 7.2.1), but clients read the value by it: a time \
      without an offset is no `date-time`. `formats: assert` makes it an error of the schema.
      """,
    breaking: [pet(#"{"name": "a", "born": "2024-02-29T10:00:00"}"#): "/body/born"],
    keeping: [pet(#"{"name": "a", "born": "2024-02-29T10:00:00Z"}"#)])

  package static let responseEncoding = ofResponse(
    "resp.encoding", .warning, "JSON with a byte order mark, a repeated key or another Content-Type",
    help: "Readers differ in how they handle these (RFC 8259, 4 and 8.1).",
    breaking: [pet(#"{"name": "a", "name": "b"}"#): "/body"], keeping: [pet(#"{"name": "a"}"#)])

  package static let responseHeaderMissing = ofResponse(
    "resp.header.missing", .error, "A required response header is missing",
    help: "Header names ignore case; a header is required only with `required: true` (OAS 3.1, 4.8.21).",
    breaking: ["GET /pets -> 200\nContent-Type: application/json\n\n[]": "/header/X-Total"],
    keeping: ["GET /pets -> 200\nContent-Type: application/json\nx-total: 0\n\n[]"])

  package static let responseHeaderSchema = ofResponse(
    "resp.header.schema", .error, "A response header's value breaks its schema",
    help: "The value is first decoded with style `simple`.",
    breaking: ["GET /pets -> 200\nContent-Type: application/json\nX-Total: all\n\n[]": "/header/X-Total"],
    keeping: [pets("[]")])

  package static let responseHeaderUndeclared = ofResponse(
    "resp.header.undeclared", .info, "A header that the response does not document",
    help: "Off by default; headers of HTTP itself are never reported.",
    breaking: ["POST /pets -> 201\nX-Mood: good": "/header/X-Mood"], keeping: ["POST /pets -> 201\nServer: x"])
}
