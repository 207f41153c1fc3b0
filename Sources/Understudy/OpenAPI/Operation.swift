/// One method on one path.
package struct Operation: Sendable {
  /// Unique within the API: the `operationId`, else `<METHOD>_<path with / as _>`; also the fixture folder.
  package var id: String
  package var operationId: String?
  /// As sent: `GET`. Other spellings only through 3.2 `additionalOperations`.
  package var method: String
  /// The path template as written: `/chat/{to}`.
  package var path: String
  package var summary: String?
  package var tags: [String]
  package var isDeprecated: Bool
  /// Path-item parameters merged in; operation level wins by name and location.
  package var parameters: [Parameter]
  package var requestBody: RequestBody?
  package var responses: [Response]
  /// Alternatives; empty means none is needed. Root security inherited.
  package var security: [SecurityRequirement]
  /// Its own, the path item's or the root's servers, the nearest level that has any.
  package var servers: [Server]
  package var callbacks: [Callback]
  package var node: JSON
  /// The path item it stands in.
  package var pathNode: JSON

  /// The response that validates a status: exact code, then `NXX`, then `default` (OAS 3.1, 4.8.16).
  package func response(for status: Int) -> Response? {
    responses.first { $0.status == .code(status) } ?? responses.first { $0.status == .range(status / 100) }
      ?? responses.first { $0.status == .default }
  }
}

/// A parameter of any location; body and formData parameters of Swagger 2.0 are a `RequestBody` here.
package struct Parameter: Sendable {
  package var name: String
  package var location: Location
  package var isRequired: Bool
  package var isDeprecated: Bool
  package var style: Style
  package var explode: Bool
  package var allowReserved: Bool
  package var allowEmptyValue: Bool
  /// A schema, or (Swagger 2.0) the parameter object itself, which is one in all but name.
  package var schema: JSON?
  /// The one entry of `content`, where that is used instead of `schema`.
  package var content: MediaTypeObject?
  package var examples: [Example]
  package var node: JSON

  package enum Location: String, Sendable { case path, query, header, cookie, querystring }

  /// OAS 3.x "Style Values"; the last two are Swagger 2.0's ssv and tsv.
  package enum Style: String, Sendable {
    case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
    case tabDelimited
  }
}

package struct RequestBody: Sendable {
  package var isRequired: Bool
  package var content: [MediaTypeObject]
  package var node: JSON
}

/// One entry of `content`: a media type or range with its schema.
package struct MediaTypeObject: Sendable {
  /// The key as written: `application/json; charset=utf-8`, `image/*`.
  package var range: String
  package var schema: JSON?
  /// OAS 3.2: the schema of each item of a sequential media type.
  package var itemSchema: JSON?
  package var examples: [Example]
  package var encodings: [Encoding]
  /// OAS 3.2 `prefixEncoding`: of the first parts, by their position.
  package var prefixEncodings: [Encoding] = []
  /// OAS 3.2 `itemEncoding`: of the parts behind those, or of all.
  package var itemEncoding: Encoding?
  package var node: JSON
}

/// How one property of a form or multipart body is written.
package struct Encoding: Sendable {
  /// Empty for an encoding by position.
  package var property: String
  package var contentType: String?
  package var style: Parameter.Style
  package var explode: Bool
  package var allowReserved: Bool
  package var headers: [Header]
  /// OAS 3.2: how the parts of a multipart inside this part are written; one or none.
  package var nested: [MediaTypeObject] = []
  package var node: JSON?
}

package struct Header: Sendable {
  package var name: String
  package var isRequired: Bool
  package var explode: Bool
  package var schema: JSON?
  package var content: MediaTypeObject?
  package var examples: [Example]
  package var node: JSON
}
