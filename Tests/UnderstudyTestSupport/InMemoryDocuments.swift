package import UnderstudyMock

extension DocumentStore {
  /// A store of texts in memory, by path.
  package static func inMemory(
    _ files: [String: String], limits: Limits = Limits(), access: FileAccess = .unlimited, fetch: Load? = nil
  ) -> DocumentStore {
    DocumentStore(limits: limits, access: access, fetch: fetch) { path in
      guard let text = files[path] else { return .failure(.unreadable("no such file")) }
      return parse(text, path: path)
    }
  }

  /// The document of a text.
  package static func parse(_ text: String, path: String) -> Result<JSONDocument, DocumentFailure> {
    let source = SourceFile(path: path, text: text)
    do throws(TextProblem) {
      return .success(try TextDocument.read(source))
    } catch {
      return .failure(.unparsable(error, source))
    }
  }
}
