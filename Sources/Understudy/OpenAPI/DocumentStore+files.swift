extension DocumentStore {
  /// A store that reads JSON and YAML from the file system.
  package convenience init(limits: Limits = Limits(), fetch: Load? = nil) {
    self.init(limits: limits, fetch: fetch) { path in
      let source: SourceFile
      do throws(FileProblem) {
        source = try FileSystem.read(path)
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
}
