import HTTPTypes

/// What a request of an operation consists of, with a value for every part: a form that can be sent as it is.
package struct OperationForm {
  package struct Field: Equatable {
    package let name: String
    package let place: String
    package let isRequired: Bool
    package let summary: String
    /// The written value: a path segment, a header, a cookie, or for a query the whole `ids=1&ids=2`.
    package let text: String
  }

  package let fields: [Field]
  /// The media type of the body; `nil` for an operation without one.
  package let mediaType: String?
  package let body: String
  package let isBodyRequired: Bool

  package init(_ compiled: CompiledOperation, seed: String) {
    let generator = SampleGenerator(schemas: compiled.schemas, seed: seed)
    let credentials = LiveCredentials(compiled.api.securitySchemes, given: [:], headers: [])
    let parameters = compiled.operation.parameters.filter {
      !FramingFields.contains($0) && !credentials.isPlace(of: $0, in: compiled.operation)
    }
    fields = parameters.map { Self.field($0, generator) } + Self.fields(of: credentials, compiled.operation)
    let media = compiled.operation.requestBody?.content.first
    let encoded = media.flatMap { media in
      Self.value(of: media, generator).flatMap { BodyEncoder(media, schemas: compiled.schemas).encode($0) }
    }
    mediaType = encoded?.contentType ?? media?.range
    isBodyRequired = compiled.operation.requestBody?.isRequired == true
    body = encoded.map { Self.readable($0.bytes) } ?? ""
  }

  /// The members `fields` and `body` of an object.
  package var members: [(String, JSON?)] {
    let fields = fields.map { field in
      JSON.object(
        ("name", .string(field.name)), ("in", .string(field.place)),
        ("required", JSON(booleanLiteral: field.isRequired)), ("summary", .string(field.summary)),
        ("text", .string(field.text)))
    }
    let body = mediaType.map {
      JSON.object(
        ("type", .string($0)), ("required", JSON(booleanLiteral: isBodyRequired)), ("text", .string(self.body)))
    }
    return [("fields", .array(fields)), ("body", body)]
  }

  /// JSON with a member a line; anything else as it is.
  private static func readable(_ bytes: [UInt8]) -> String {
    (try? JSONParser.parse(bytes).root).map { JSONWriter.text($0, .pretty) } ?? String(decoding: bytes, as: UTF8.self)
  }

  private static func value(of media: MediaTypeObject, _ generator: SampleGenerator) -> JSON? {
    media.examples.lazy.compactMap(\.data).first
      ?? media.schema.flatMap { generator.sample(of: $0, direction: .request) }
  }

  private static func field(_ parameter: Parameter, _ generator: SampleGenerator) -> Field {
    let text =
      switch ParameterEncoder(parameter).encode(generator.value(of: parameter) ?? "text") {
      case .path(let text)?, .header(let text)?: text
      case .query(let pieces)?: pieces.joined(separator: "&")
      case .cookies(let pairs)?: pairs.joined(separator: "; ")
      case nil: ""
      }
    return Field(
      name: parameter.name, place: parameter.location == .querystring ? "query" : parameter.location.rawValue,
      isRequired: parameter.isRequired || parameter.location == .path,
      summary: parameter.node["description"]?.string ?? "", text: text)
  }

  /// The places of credentials, with well-formed ones that no server has given.
  private static func fields(of credentials: LiveCredentials, _ operation: Operation) -> [Field] {
    var (headers, query, cookies) = (HTTPFields(), [String](), [String]())
    credentials.write(.good, for: operation, &headers, &query, &cookies)
    func field(_ name: String, _ place: String, _ text: String) -> Field {
      Field(name: name, place: place, isRequired: true, summary: "a credential", text: text)
    }
    return headers.map { field($0.name.rawName, "header", $0.value) }
      + query.map { field(String($0.prefix { $0 != "=" }), "query", $0) }
      + cookies.map { field(String($0.prefix { $0 != "=" }), "cookie", $0) }
  }
}
