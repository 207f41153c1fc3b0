extension Fixture {
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
  /// same, as it does without a fixture.
  func headers(under response: Response?, samples: SampleHeaders) -> [(name: String, value: String)] {
    let headers = headers + samples.missing(from: self, under: response)
    guard let contentType = contentType(under: response),
      !headers.contains(where: { $0.name.lowercased() == "content-type" })
    else { return headers }
    return [("Content-Type", contentType)] + headers
  }
}
