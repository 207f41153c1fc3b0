import UnderstudySystem
import UnderstudyVerification

/// The documents that references may name: files, and those of `--resolve`.
final class SchemaFiles: Sendable {
  let store = DocumentStore()
  private let named = Lock<[String: JSONDocument]>([:])

  /// Adds a file by its `$id`. Throws if it has none or cannot be read.
  func add(_ path: String, _ common: TerminalOptions) throws {
    switch store.document(named: path) {
    case .failure(let failure):
      common.report([failure.diagnostic(of: "schema", at: path)])
      throw CommandFailure(.notLoadable)
    case .success(let document):
      guard let name = document.root["$id"]?.string ?? document.root["id"]?.string else {
        throw CommandFailure(
          .usage, "`--resolve \(path)` names a schema without `$id`, so no reference can name it",
          help: "a reference by a relative path needs no --resolve")
      }
      named.withLock { $0[URIReference(name).withoutFragment.description] = document }
    }
  }

  /// Loads documents for references. Nothing is fetched from other machines.
  var loader: SchemaLoader {
    SchemaLoader {
      self.document(of: $0)
    } failure: {
      self.failure(of: $0)
    }
  }

  private func document(of uri: String) -> JSONDocument? {
    if let known = named.withLock({ $0[uri] }) { return known }
    return try? store.document(ofURI: uri).get()
  }

  /// The failure with advice for the command line.
  private func failure(of uri: String) -> SchemaLoader.Failure? {
    guard case .failure(let failure) = store.document(ofURI: uri) else { return nil }
    let help =
      switch failure {
      case .refused: "nothing is fetched from other machines; name a copy of the schema with --resolve"
      case .outside(let help): help
      case .unparsable: "`understudy schema check \(uri) VALUE` shows its errors"
      case .unreadable, .limit:
        "relative references are relative to their file, or its `$id`; --resolve FILE adds a schema by its `$id`"
      }
    return SchemaLoader.Failure(failure.reason, help: help)
  }
}
