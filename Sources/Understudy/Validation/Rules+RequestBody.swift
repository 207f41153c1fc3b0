extension Rule {
  /// What a client can get wrong in the body of a request.
  package static let requestBody: [Rule] = [
    requestBodyMissing, requestBodyUnexpected, requestContentType, requestBodyUnparsable, requestBodySchema,
    requestEncoding, requestReadOnly, requestBodyUndeclared, requestDiscriminator,
  ]

  private static func post(_ body: String, at places: String...) -> Exchange {
    Exchange("POST /pets\nContent-Type: application/json\n\n\(body)", at: places)
  }

  package static let requestBodyMissing = Rule(
    "req.body.missing", .error, owner: .client, "A required body, or a required field of a form, is absent",
    help: "Where the fields were sent in the query string instead, the message says so.",
    exchanges: [Exchange("POST /pets", at: ["/body"]), post("{\"name\": \"a\"}")])

  package static let requestBodyUnexpected = Rule(
    "req.body.unexpected", .warning, owner: .client, "A body where the operation documents none",
    help: "The server would ignore it. A lone `=` is what some clients send for empty parameters; it is not reported.",
    exchanges: [Exchange("DELETE /pets/7\n\n{}", at: ["/body"]), Exchange("DELETE /pets/7\n\n=")])

  package static let requestContentType = Rule(
    "req.content-type.undocumented", .error, owner: .client, "The body's media type is not documented",
    help:
      "Answered with 415 unless the contract maps it elsewhere. Parameters such as `charset` do not matter (OAS 3.1, 4.8.14).",
    exchanges: [
      Exchange("POST /pets\nContent-Type: text/plain\n\na", at: ["/header/Content-Type"]),
      Exchange("POST /pets\n\n{\"name\": \"a\"}", at: ["/header/Content-Type"]),
      Exchange("POST /pets\nContent-Type: Application/JSON; charset=utf-8\n\n{\"name\": \"a\"}"),
    ])

  package static let requestBodyUnparsable = Rule(
    "req.body.unparsable", .error, owner: .client, "The body does not parse as its media type",
    help: "JSON under a form Content-Type and the reverse are recognised and named; so is a wrong Content-Encoding.",
    exchanges: [
      post("{", at: "/body"), post("name=a", at: "/body"),
      Exchange("POST /pets\nContent-Type: application/json\nContent-Encoding: gzip\n\n{}", at: ["/body"]),
      post("{\"name\": \"a\"}"),
    ])

  package static let requestBodySchema = Rule(
    "req.body.schema", .error, owner: .client, "The body breaks its schema",
    help: "Every failure is told with the pointer of the value and the line of the contract.",
    exchanges: [post("{\"name\": 1}", at: "/body/name"), post("{}", at: "/body"), post("{\"name\": \"a\"}")])

  package static let requestEncoding = Rule(
    "req.encoding", .warning, owner: .client, "JSON with a byte order mark, a repeated key or another Content-Type",
    help: "None of it is forbidden to every reader, and readers differ in what they make of it (RFC 8259, 4 and 8.1).",
    exchanges: [
      post("{\"name\": \"a\", \"name\": \"b\"}", at: "/body"), post("\u{FEFF}{\"name\": \"a\"}", at: "/body"),
      post("{\"name\": \"a\"}"),
    ])

  package static let requestReadOnly = Rule(
    "req.body.read-only", .warning, owner: .client, "A readOnly property was sent",
    help: "The server may ignore or refuse it (OAS 3.0, 4.7.24.2; JSON Schema Validation, 9.4).",
    exchanges: [post("{\"name\": \"a\", \"id\": 1}", at: "/body/id"), post("{\"name\": \"a\", \"secret\": \"b\"}")])

  package static let requestBodyUndeclared = Rule(
    "req.body.undeclared", .warning, owner: .client, "A property that the schema does not name, though it is open",
    help: "Off unless it is asked for: an open schema allows it. Most often it is a misspelt name.",
    exchanges: [post("{\"name\": \"a\", \"nmae\": \"b\"}", at: "/body/nmae"), post("{\"name\": \"a\"}")])

  package static let requestDiscriminator = Rule(
    "req.discriminator.unmatched", .warning, owner: .client, "A discriminator's value names no schema",
    help: "It cannot make a value invalid (OAS 3.1, 4.8.25), but a server that picks its type by it finds none.",
    exchanges: [
      post("{\"name\": \"a\", \"owner\": {\"kind\": \"Cat\"}}", at: "/body/owner/kind"),
      post("{\"name\": \"a\", \"owner\": {\"kind\": \"Person\"}}"),
    ])
}
