extension Rule {
  /// What a server can get wrong in an answer; a fixture names these in `violates` when it does so on purpose.
  package static let response: [Rule] = [
    responseStatusUndocumented, responseContentTypeMissing, responseContentTypeMalformed,
    responseContentTypeUndocumented,
    responseBodyUnexpected, responseBodyMissing, responseBodyUnparsable, responseBodySchema, responseBodyWriteOnly,
    responseHeaderMissing, responseHeaderSchema,
  ]

  package static let responseStatusUndocumented = Rule(
    "resp.status.undocumented", .error, owner: .provider,
    "The status is neither an exact code, a range nor `default` of the operation",
    help: "OAS 3.1, 4.8.16: the exact code counts before `NXX`, `NXX` before `default`.")

  package static let responseContentTypeMissing = Rule(
    "resp.content-type.missing", .error, owner: .provider, "A body without Content-Type",
    help: "A client must then guess (RFC 9110, 8.3).")

  package static let responseContentTypeMalformed = Rule(
    "resp.content-type.malformed", .error, owner: .provider, "A Content-Type that cannot be parsed",
    help: "Expected `type/subtype; parameter=value` (RFC 9110, 8.3.1).")

  package static let responseContentTypeUndocumented = Rule(
    "resp.content-type.undocumented", .error, owner: .provider,
    "The answer's media type is not in the response's `content`",
    help:
      "The most specific documented range that matches counts; parameters matter only where the contract writes them.")

  package static let responseBodyUnexpected = Rule(
    "resp.body.unexpected", .error, owner: .provider, "A body where none is documented or HTTP allows none",
    help: "1xx, 204, 205, 304 and answers to HEAD have no body (RFC 9110, 6.4.1).")

  package static let responseBodyMissing = Rule(
    "resp.body.missing", .error, owner: .provider, "No body although the response documents content",
    help: "An empty body is no JSON; a client that decodes it fails.")

  package static let responseBodyUnparsable = Rule(
    "resp.body.unparsable", .error, owner: .provider, "The body does not parse as its media type",
    help: "For example text or HTML under `application/json`.")

  package static let responseBodySchema = Rule(
    "resp.body.schema", .error, owner: .provider, "The body breaks its schema",
    help: "Every failure is told with the pointer of the value and the line of the contract.")

  package static let responseBodyWriteOnly = Rule(
    "resp.body.write-only", .warning, owner: .provider, "A writeOnly property was sent",
    help: "OAS 3.0, 4.7.24.2: it should not be sent in a response.")

  package static let responseHeaderMissing = Rule(
    "resp.header.missing", .error, owner: .provider, "A required response header is absent",
    help: "Header names compare without case; a header is required only with `required: true` (OAS 3.1, 4.8.21).")

  package static let responseHeaderSchema = Rule(
    "resp.header.schema", .error, owner: .provider, "A response header's value breaks its schema",
    help: "The value is decoded with style `simple` first.")
}
