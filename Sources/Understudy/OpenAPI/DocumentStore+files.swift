extension DocumentStore {
  /// A store that reads JSON and YAML from the file system.
  ///
  /// References lead to regular files only: a pipe or a device would be waited for, as long as it says nothing.
  package convenience init(limits: Limits = Limits(), fetch: Load? = nil) {
    self.init(limits: limits, fetch: fetch, named: { Self.read($0) }, load: { Self.read($0, onlyRegular: true) })
  }

  private static func read(_ path: String, onlyRegular: Bool = false) -> Result<JSONDocument, DocumentFailure> {
    let source: SourceFile
    do throws(FileProblem) {
      source = try FileSystem.read(path, onlyRegular: onlyRegular)
    } catch {
      return .failure(.unreadable(error.message))
    }
    do throws(TextProblem) {
      return .success(try TextDocument.read(source))
    } catch {
      return .failure(.unparsable(error, source))
    }
  }
}
