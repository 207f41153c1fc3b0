extension CompiledOperation {
  /// The value of a declared parameter, split by its style and typed by its schema; `nil` where the request has none, or
  /// one that cannot be read. Of one name the path comes first, then the query.
  package func value(of name: String, in request: RequestView) -> JSON? {
    let parameters = requestValidator.parameters
    let all = Array(zip(parameters.decoders.map(\.parameter), parameters.decode(request.input)))
    for location in [Parameter.Location.path, .query, .querystring, .header, .cookie] {
      for (parameter, decoded) in all where parameter.location == location && parameter.isNamed(name) {
        if let value = value(of: decoded, by: parameter.schema ?? parameter.content?.schema) { return value }
      }
    }
    return nil
  }

  /// The body of a request by its media type and schema; `nil` where there is none, or one that cannot be read.
  package func body(of request: RequestView) -> JSON? {
    guard let body = operation.requestBody, !request.body.isEmpty else { return nil }
    let result = BodyDecoder(body.content, specification: api.specification, schemas: schemas).decode(request.content)
    return value(of: result.decoded, by: result.content.flatMap { body.content[$0].schema })
  }

  /// Of several readings the first that the schema accepts, else the likeliest.
  private func value(of decoded: Decoded, by node: JSON?) -> JSON? {
    let readings = decoded.readings
    guard readings.count > 1, let node else { return readings.first }
    let schema = schemas.schema(at: node, direction: .request)
    return readings.first { schema.accepts($0) } ?? readings.first
  }
}

extension Parameter {
  /// Whether it has a name; those of header fields have no case.
  fileprivate func isNamed(_ text: String) -> Bool {
    location == .header ? FieldSyntax.equalIgnoringCase(name.utf8, text.utf8) : name.utf8Equals(text)
  }
}
