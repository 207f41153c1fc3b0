package import JSONSchema

extension DocumentStore {
  /// The document of a reference, by the URI or path that it was resolved to.
  package func document(ofURI uri: String) -> Result<JSONDocument, DocumentFailure> {
    let reference = URIReference(uri)
    let path = reference.scheme == "file" ? reference.path : uri
    let found = document(at: path)
    // In a reference a blank of a file name is `%20`.
    guard case .failure(.unreadable) = found, let decoded = PercentEncoding.decode(path.utf8), decoded != path else {
      return found
    }
    return document(at: decoded)
  }

  /// Why a reference finds no document; `nil` when it does.
  package func failure(ofURI uri: String) -> SchemaLoader.Failure? {
    guard case .failure(let failure) = document(ofURI: uri) else { return nil }
    return SchemaLoader.Failure(failure.reason)
  }
}

extension DocumentFailure {
  /// The reason alone, with nothing of what the document says.
  package var reason: String {
    switch self {
    case .unreadable(let reason): return reason
    case .refused: return "it is on another machine"
    case .limit(let limit): return "the limit of \(limit) is reached"
    case .unparsable(let problem, let source):
      let position = source.position(of: problem.range.lowerBound)
      let reason = problem.kind == .limit ? problem.message : "the file is neither JSON nor YAML"
      return "\(reason) (line \(position.line), column \(position.column))"
    }
  }
}
