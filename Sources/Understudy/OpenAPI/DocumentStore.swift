import Synchronization

/// Every document that a contract reaches, loaded once and kept.
///
/// It knows nothing of files or networks: `load` brings a document by its path, `fetch` by its URL. Without `fetch`,
/// which is the default, a contract cannot make this program speak to other machines.
package final class DocumentStore: Sendable {
  package typealias Load = @Sendable (_ path: String) -> Result<JSONDocument, DocumentFailure>

  /// How much one contract may load.
  package struct Limits: Sendable {
    /// Documents in all; the largest split description known has about 2,900.
    package var documents = 10_000
    /// Bytes of all documents together.
    package var bytes = 512 << 20

    package init() {}
  }

  private struct State {
    var documents: [String: Result<JSONDocument, DocumentFailure>] = [:]
    var files: [SourceFile] = []
    var missing: [String] = []
    var bytes = 0
  }

  private let load: Load
  private let loadNamed: Load?
  private let fetch: Load?
  private let limits: Limits
  private let state = Mutex(State())

  /// - Parameter named: Loads what a person has named, where that differs.
  package init(limits: Limits = Limits(), fetch: Load? = nil, named: Load? = nil, load: @escaping Load) {
    self.load = load
    loadNamed = named
    self.fetch = fetch
    self.limits = limits
  }

  /// The document at a path, relative to the working directory, or at an http(s) URL.
  package func document(at path: String) -> Result<JSONDocument, DocumentFailure> { document(at: path, by: load) }

  /// The document that a person has named, not another document; it may be a pipe.
  package func document(named path: String) -> Result<JSONDocument, DocumentFailure> {
    document(at: path, by: loadNamed ?? load)
  }

  private func document(at path: String, by load: @escaping Load) -> Result<JSONDocument, DocumentFailure> {
    let isRemote = URIReference(path).isRemote
    guard let load = isRemote ? fetch : load else { return .failure(.refused) }
    let (known, count, bytes) = state.withLock { ($0.documents[path], $0.documents.count, $0.bytes) }
    if let known { return known }
    guard count < limits.documents else { return .failure(.limit("\(limits.documents) documents")) }
    guard bytes < limits.bytes else { return .failure(.limit("\(limits.bytes.asBytes) in all documents")) }
    let loaded = load(path)
    return state.withLock { state in
      // Another thread may have been first: everybody must see one and the same document.
      if let known = state.documents[path] { return known }
      state.documents[path] = loaded
      switch loaded {
      case .success(let document):
        state.bytes += document.source?.bytes.count ?? document.bytes.count
        if let source = document.source { state.files.append(source) }
      case .failure(.unparsable(_, let source)): state.files.append(source)
      case .failure: state.missing.append(path)
      }
      return loaded
    }
  }

  /// The files read so far, the contract first.
  package var files: [SourceFile] { state.withLock { $0.files } }

  /// Paths that were asked for and could not be read; a watcher should wait for them to appear.
  package var missing: [String] { state.withLock { $0.missing } }

  /// The documents read so far, in the order of `files`.
  package var documents: [JSONDocument] {
    state.withLock { state in
      state.files.compactMap { file in
        if case .success(let document) = state.documents[file.path] { document } else { nil }
      }
    }
  }
}

/// Why a document cannot be had.
package enum DocumentFailure: Error, Sendable {
  /// The file is not there or may not be read; says which.
  case unreadable(String)
  /// It was read, and is neither JSON nor YAML.
  case unparsable(TextProblem, SourceFile)
  /// It is on another machine, and fetching is off.
  case refused
  /// A named limit was reached.
  case limit(String)
}
