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
  /// Includes the path item's; the operation's own replace those with the same name and location.
  package var parameters: [Parameter] = []
  package var requestBody: RequestBody?
  package var responses: [Response] = []
  /// Alternatives; empty means none is required. Defaults to the root's.
  package var security: [SecurityRequirement]
  /// The servers of the operation, else of the path item, else of the root.
  package var servers: [Server] = []
  package var callbacks: [Callback] = []
  package var node: JSON
  package var pathNode: JSON
  /// The status without a preference, of an operation that a routes file declares; `nil` for any other.
  package var defaultStatus: Response.Status?

  /// Whether a routes file declares the operation: it documents no parameters, headers and bodies, and allows all.
  package var isRoute: Bool { defaultStatus != nil }
  package var template: PathTemplate { PathTemplate(path, isRoute: isRoute) }

  /// The response that validates a status: exact code, then `NXX`, then `default` (OAS 3.1, 4.8.16).
  package func response(for status: Int) -> Response? {
    responses.first { $0.status == .code(status) } ?? responses.first { $0.status == .range(status / 100) }
      ?? responses.first { $0.status == .default }
  }
}

extension Operation {
  /// Creates the subject of findings about a channel of an AsyncAPI document.
  package init(channel name: String, address: String, node: JSON) {
    self.init(
      id: name, operationId: nil, method: "CHANNEL", path: address, summary: nil, tags: [], isDeprecated: false,
      security: [], node: node, pathNode: node)
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
  package var examples: [Example] = []
  package var encodings: [Encoding] = []
  /// OAS 3.2 `prefixEncoding`: of the first parts, by position.
  package var prefixEncodings: [Encoding] = []
  /// OAS 3.2 `itemEncoding`: of all other parts.
  package var itemEncoding: Encoding?
  package var node: JSON
}

extension MediaTypeObject {
  package init(_ range: String, schema: JSON? = nil, encodings: [Encoding] = []) {
    self.init(range: range, schema: schema, encodings: encodings, node: schema ?? .object([]))
  }
}

/// How one property of a form or multipart body is written.
package struct Encoding: Sendable {
  /// Empty for an encoding by position.
  package var property: String
  package var contentType: String?
  package var style: Parameter.Style
  package var explode: Bool
  package var allowReserved = false
  package var headers: [Header] = []
  /// OAS 3.2: the encodings of a multipart inside this part; one or none.
  package var nested: [MediaTypeObject] = []
  package var node: JSON?
}

extension Encoding {
  package init(
    _ property: String, contentType: String? = nil, style: Parameter.Style = .form, explode: Bool? = nil,
    node: JSON? = nil
  ) {
    self.init(
      property: property, contentType: contentType, style: style, explode: explode ?? style.defaultExplode, node: node)
  }
}

package struct Header: Sendable {
  package var name: String
  package var isRequired = false
  package var explode = false
  package var schema: JSON?
  package var content: MediaTypeObject?
  package var examples: [Example] = []
  package var node: JSON
}

extension Header {
  package init(_ name: String, isRequired: Bool = false, schema: JSON? = nil) {
    self.init(name: name, isRequired: isRequired, schema: schema, node: schema ?? .object([]))
  }
}

package struct Callback: Sendable {
  package var name: String
  /// The runtime expression that gives the URL.
  package var expression: String
  package var operations: [Operation]
}
