extension Rule {
  private static func parameter(
    _ id: String, _ severity: Severity, _ summary: String, help: String = "", _ old: String, _ new: String,
    quiet: (old: String, new: String)? = nil
  ) -> Rule {
    func list(_ text: String) -> String { text.isEmpty ? "" : "parameters:\n  - {\(text)}" }
    return diff(
      id, severity, summary, help: help, old: list(old), new: list(new),
      quiet: quiet.map { (list($0.old), list($0.new)) }, text: get)
  }

  private static let limit = "name: limit, in: query, schema: {type: integer}"
  private static let tags = "name: tags, in: query, schema: {type: array, items: {type: string}}"

  package static let parameterRemoved = parameter(
    "param.removed", .warning, "A parameter was removed", help: "Its values are ignored or refused.", limit, "")
  package static let parameterRemovedBeforeSunset = parameter(
    "param.removed-before-sunset", .error, "A deprecated parameter was removed before its sunset date",
    help: "The day in `x-sunset` is in the future.", "deprecated: true, x-sunset: \"2999-01-01\", \(limit)", "")
  package static let parameterRemovedDeprecated = parameter(
    "param.removed-deprecated", .info, "A deprecated parameter was removed",
    help: "It had no sunset date, or the date has passed.", "deprecated: true, \(limit)", "")
  package static let parameterLocation = parameter(
    "param.location", .error, "A parameter moved to another location", limit,
    "name: limit, in: header, schema: {type: integer}", quiet: (limit, limit))
  package static let pathParameterRemoved = Rule(
    "diff.param.path-removed", .error, owner: .contract, "The declaration of a path parameter was removed",
    help: "A variable of the path has no parameter any more; `understudy lint` reports it as well.")
  package static let parameterAddedRequired = parameter(
    "param.added-required", .error, "A required parameter was added", "", "required: true, \(limit)",
    quiet: ("", limit))
  package static let parameterAddedDefault = parameter(
    "param.added-required-default", .error, "A required parameter with a default was added",
    help: """
      A required parameter must be sent, whatever its default. A server that uses the default anyway may lower this rule; \
      better, it makes the parameter optional.
      """, "", "required: true, name: limit, in: query, schema: {type: integer, default: 10}",
    quiet: ("", "name: limit, in: query, schema: {type: integer, default: 10}"))
  package static let parameterAdded = parameter("param.added", .info, "An optional parameter was added", "", limit)
  package static let parameterRequired = parameter(
    "param.required", .error, "A parameter became required", limit, "required: true, \(limit)")
  package static let parameterOptional = parameter(
    "param.optional", .info, "A parameter became optional", "required: true, \(limit)", limit)
  package static let parameterDeprecated = parameter(
    "param.deprecated", .info, "A parameter is now deprecated", limit, "deprecated: true, \(limit)")
  package static let parameterStyle = parameter(
    "param.style", .error, "A parameter is written in another way",
    help:
      "`style` and `explode` matter where they change the bytes: for arrays and objects, and for `matrix` and `label`.",
    tags, "explode: false, \(tags)", quiet: (limit, "explode: false, \(limit)"))
  package static let parameterContent = parameter(
    "param.content", .error, "A parameter changed between `schema` and `content`, or to another media type", limit,
    "name: limit, in: query, content: {application/json: {schema: {type: integer}}}",
    quiet: (
      "name: limit, in: query, content: {application/json: {schema: {type: integer}}}",
      "name: limit, in: query, content: {application/json: {schema: {type: number}}}"
    ))
  package static let parameterEmpty = parameter(
    "param.empty", .error, "A parameter no longer allows an empty value", "allowEmptyValue: true, \(limit)", limit)
  package static let parameterReserved = parameter(
    "param.reserved", .warning, "`allowReserved` of a parameter changed", "allowReserved: true, \(limit)", limit,
    quiet: (limit, "allowReserved: false, \(limit)"))
  package static let parameterDefault = parameter(
    "param.default", .warning, "The default of an optional parameter changed",
    help: "Requests without the parameter mean something else.",
    "name: limit, in: query, schema: {type: integer, default: 10}",
    "name: limit, in: query, schema: {type: integer, default: 20}",
    quiet: (
      "name: limit, in: query, schema: {type: integer, default: 10}",
      "name: limit, in: query, schema: {default: 10, type: integer}"
    ))
  package static let pathParameterRenamed = diff(
    "param.path-renamed", .info, "A path variable has another name",
    help: "The wire is the same; generated clients may have another argument.",
    old:
      "paths: {\"/pets/{id}\": {get: {parameters: [{name: id, in: path, required: true, schema: {}}], responses: {}}}}",
    new:
      "paths: {\"/pets/{pet}\": {get: {parameters: [{name: pet, in: path, required: true, schema: {}}], responses: {}}}}",
    quiet: (
      "paths: {\"/pets/{id}\": {get: {parameters: [{name: id, in: path, required: true, schema: {}}], responses: {}}}}",
      "paths: {\"/pets/{id}\": {parameters: [{name: id, in: path, required: true, schema: {}}], get: {responses: {}}}}"
    ), text: contract)

  static let diffParameters: [Rule] = [
    parameterRemoved, parameterRemovedBeforeSunset, parameterRemovedDeprecated, parameterLocation,
    pathParameterRemoved, parameterAddedRequired, parameterAddedDefault, parameterAdded,
    parameterRequired, parameterOptional, parameterDeprecated, parameterStyle, parameterContent, parameterEmpty,
    parameterReserved, parameterDefault, pathParameterRenamed,
  ]

  // MARK: - Bodies

  private static func body(
    _ id: String, _ severity: Severity, _ summary: String, help: String = "", _ old: String, _ new: String,
    quiet: (old: String, new: String)? = nil
  ) -> Rule {
    func member(_ text: String) -> String { text.isEmpty ? "" : "requestBody: {\(text)}" }
    return diff(
      id, severity, summary, help: help, old: member(old), new: member(new),
      quiet: quiet.map { (member($0.old), member($0.new)) }, text: get)
  }

  private static let json = "content: {application/json: {}}"

  package static let bodyAddedRequired = body(
    "request.body-added-required", .error, "A required request body was added", "", "required: true, \(json)",
    quiet: ("", json))
  package static let bodyAdded = body("request.body-added", .info, "An optional request body was added", "", json)
  package static let bodyRemoved = body("request.body-removed", .error, "The request body was removed", json, "")
  package static let bodyRequired = body(
    "request.body-required", .error, "The request body became required",
    help: "`required` of a body is `false` by default.",
    json, "required: true, \(json)")
  package static let bodyOptional = body(
    "request.body-optional", .info, "The request body became optional", "required: true, \(json)", json)
  package static let requestMediaTypeRemoved = body(
    "request.media-type-removed", .error, "A media type of the request body was removed",
    help: "Ranges count by the media types that they include.", json, "content: {application/xml: {}}",
    quiet: (json, "content: {application/*: {}}"))
  package static let requestMediaTypeAdded = body(
    "request.media-type-added", .info, "A media type of the request body was added", json,
    "content: {application/json: {}, application/xml: {}}")
  package static let requestEncoding = body(
    "request.encoding", .error, "A part of a form is encoded in another way",
    help: """
      Media types and required headers of the parts of a multipart body, and `style`, `explode` and `allowReserved` of a \
      URL-encoded form, as far as they change the bytes.
      """, "content: {multipart/form-data: {encoding: {photo: {contentType: image/png}}}}",
    "content: {multipart/form-data: {encoding: {photo: {contentType: image/jpeg}}}}",
    quiet: (
      "content: {multipart/form-data: {encoding: {photo: {contentType: image/png}}}}",
      "content: {multipart/form-data: {encoding: {photo: {contentType: \"image/png, image/jpeg\"}}}}"
    ))

  static let diffBodies: [Rule] = [
    bodyAddedRequired, bodyAdded, bodyRemoved, bodyRequired, bodyOptional, requestMediaTypeRemoved,
    requestMediaTypeAdded, requestEncoding,
  ]
}
