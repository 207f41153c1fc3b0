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

  /// The headers to send, Content-Type included.
  package func headers(under response: Response?) -> [(name: String, value: String)] {
    guard let contentType = contentType(under: response),
      !headers.contains(where: { $0.name.lowercased() == "content-type" })
    else { return headers }
    return [("Content-Type", contentType)] + headers
  }
}
