/// The metaschemas of the JSON Schema drafts, so that schemas can refer to them without a network.
enum Metaschemas {
  private static let texts: [[String: String]] = [draft4, draft6, draft7, draft2019, draft2020]

  /// The metaschema of a URI without a fragment.
  static func document(of uri: String) -> JSONDocument? {
    for drafts in texts {
      guard let text = drafts[uri] else { continue }
      return try? JSONParser.parse(SourceFile(path: uri, text: text))
    }
    return nil
  }
}
