/// The answer that a fixture stands for.
extension Fixture {
  /// The status that is sent: of a range or of `default`, one that no narrower response has.
  package func code(in operation: Operation) -> Int {
    let codes: any Sequence<Int>
    switch status {
    case .code(let code): return code
    case .range(let hundreds): codes = hundreds * 100...hundreds * 100 + 99
    case .default: codes = [500, 400, 300, 200] + Array(100...599)
    }
    for code in codes where operation.response(for: code)?.status == status { return code }
    return status.code
  }

  /// The documented response that holds for it: a fixture of 404 may fall under `4XX` or `default`.
  package func response(in operation: Operation) -> Response? { operation.response(for: code(in: operation)) }

  /// The media type to send: as written, else what the contract documents and the extension agrees with; `nil` without a body.
  package func contentType(under response: Response?) -> String? {
    if let contentType { return contentType }
    switch body {
    case .bytes(let bytes, _) where bytes.isEmpty: return nil
    case .bytes(_, let fileExtension):
      return FileExtension.mediaType(fileExtension, documented: response?.content ?? [])
    case .template(let template):
      return FileExtension.mediaType(template.fileExtension, documented: response?.content ?? [])
    }
  }

  /// The headers to send: Content-Type, those of the fixture, and what else the contract requires.
  ///
  /// A plain file says nothing of headers, and a description need not say all: a client gets the required ones all the
  /// same, as it does without a fixture. One that is left out on purpose stays out.
  package func headers(in operation: CompiledOperation) -> [(name: String, value: String)] {
    let response = response(in: operation.operation)
    var headers = headers
    if !violates.contains(Rule.responseHeaderMissing.id) {
      headers += SampleHeaders(schemas: operation.schemas).missing(from: headers, of: response)
    }
    guard let contentType = contentType(under: response),
      !headers.contains(where: { $0.name.lowercased() == "content-type" })
    else { return headers }
    return [("Content-Type", contentType)] + headers
  }

  /// The answer as it is validated, with its rendered body; a fault on the way is no part of what the file says.
  package func answer(_ body: [UInt8], in operation: CompiledOperation) -> ResponseView {
    ResponseView(
      status: code(in: operation.operation), fields: HTTPFields(headers(in: operation)), body: body,
      method: operation.operation.method, hadBody: true, askedForPart: true)
  }
}
