extension Rule {
  package static let requestBody: [Rule] = [
    requestBodyMissing, requestBodyUnexpected, requestContentType, requestBodyUnparsable, requestBodySchema,
    requestEncoding, requestReadOnly, requestBodyUndeclared, requestDiscriminator,
  ]

  package static let requestBodyMissing = ofRequest(
    "req.body.missing", .error, "A required body, or a required field of a form, is missing",
    help: "Where the fields were sent in the query string instead, the message states it.",
    breaking: ["POST /pets": "/body"], keeping: [post(#"{"name": "a"}"#)])

  package static let requestBodyUnexpected = ofRequest(
    "req.body.unexpected", .warning, "A body where the operation documents none",
    help: "The server would ignore it. A lone `=`, which some clients send for empty parameters, is not reported.",
    breaking: ["DELETE /pets/7\n\n{}": "/body"], keeping: ["DELETE /pets/7\n\n="])

  package static let requestContentType = ofRequest(
    "req.content-type.undocumented", .error, "The body's media type is not documented",
    help: """
      Answered with 415 unless the contract maps it elsewhere. Parameters such as `charset` do not matter (OAS 3.1, 4.8.14).
      """,
    breaking: [
      "POST /pets\nContent-Type: text/plain\n\na": "/header/Content-Type",
      "POST /pets\n\n{\"name\": \"a\"}": "/header/Content-Type",
    ], keeping: ["POST /pets\nContent-Type: Application/JSON; charset=utf-8\n\n{\"name\": \"a\"}"])

  package static let requestBodyUnparsable = ofRequest(
    "req.body.unparsable", .error, "The body does not parse as its media type",
    help: "The message names JSON under a form Content-Type and the reverse, and a wrong Content-Encoding.",
    breaking: [
      post("{"): "/body", post("name=a"): "/body",
      "POST /pets\nContent-Type: application/json\nContent-Encoding: gzip\n\n{}": "/body",
    ], keeping: [post(#"{"name": "a"}"#)])

  package static let requestBodySchema = ofRequest(
    "req.body.schema", .error, "The body breaks its schema",
    help: "Every failure is reported with the pointer of the value and the line of the contract.",
    breaking: [post(#"{"name": 1}"#): "/body/name", post("{}"): "/body"], keeping: [post(#"{"name": "a"}"#)])

  package static let requestEncoding = ofRequest(
    "req.encoding", .warning, "JSON with a byte order mark, a repeated key or another Content-Type",
    help: "Readers differ in how they handle these (RFC 8259, 4 and 8.1).",
    breaking: [post(#"{"name": "a", "name": "b"}"#): "/body", post("\u{FEFF}{\"name\": \"a\"}"): "/body"],
    keeping: [post(#"{"name": "a"}"#)])

  package static let requestReadOnly = ofRequest(
    "req.body.read-only", .warning, "A readOnly property was sent",
    help: "The server may ignore or refuse it (OAS 3.0, 4.7.24.2; JSON Schema Validation, 9.4).",
    breaking: [post(#"{"name": "a", "id": 1}"#): "/body/id"], keeping: [post(#"{"name": "a", "secret": "b"}"#)])

  package static let requestBodyUndeclared = ofRequest(
    "req.body.undeclared", .warning, "A property that an open schema does not declare",
    help: "Off by default: an open schema allows it. Most often the name is misspelt.",
    breaking: [post(#"{"name": "a", "nmae": "b"}"#): "/body/nmae"], keeping: [post(#"{"name": "a"}"#)])

  package static let requestDiscriminator = ofRequest(
    "req.discriminator.unmatched", .warning, "A discriminator's value names no schema",
    help: "The value stays valid (OAS 3.1, 4.8.25), but a server that picks its type by it finds none.",
    breaking: [post(#"{"name": "a", "owner": {"kind": "Cat"}}"#): "/body/owner/kind"],
    keeping: [post(#"{"name": "a", "owner": {"kind": "Person"}}"#)])
}
