import UnderstudySystem

/// Every document that a contract reaches, loaded once and kept.
///
/// `load` reads a document by its path, `fetch` by its URL. Without `fetch`, the default, a contract cannot make this program
/// contact other machines.
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
  private let references: ReferenceMap
  private let limits: Limits
  /// The files that the documents may name.
  package let access: FileAccess
  private let state = Lock(State())

  /// - Parameters:
  ///   - references: Files in place of URLs.
  ///   - access: The files that the documents may name.
  ///   - named: Loads documents that the user named; by default `load`.
  package init(
    limits: Limits = Limits(), references: ReferenceMap = ReferenceMap(), access: FileAccess = .unlimited,
    fetch: Load? = nil, named: Load? = nil, load: @escaping Load
  ) {
    self.references = references
    self.access = access
    self.load = load
    loadNamed = named
    self.fetch = fetch
    self.limits = limits
  }

  /// A store that reads JSON and YAML from the file system.
  ///
  /// - Parameters:
  ///   - access: The files that references may lead to; the document that the user names is always read.
  ///   - contents: The document that the user names, in place of a file.
  package convenience init(
    limits: Limits = Limits(), references: ReferenceMap = ReferenceMap(), access: FileAccess = .unlimited,
    fetch: Load? = nil, contents: [UInt8]? = nil
  ) {
    self.init(
      limits: limits, references: references, access: access, fetch: fetch,
      named: { path in
        contents.map { Self.parse(SourceFile(path: path, bytes: $0)) } ?? Self.read(path, within: .unlimited)
      },
      load: { Self.read($0, within: access) })
  }

  private static func read(_ path: String, within access: FileAccess) -> Result<JSONDocument, DocumentFailure> {
    let source: SourceFile
    do throws(FileProblem) {
      source = try FileSystem.read(path, within: access)
    } catch {
      return .failure(
        error.kind == .outside ? .outside(help: error.help) : .unreadable(error.message, help: error.help))
    }
    return parse(source)
  }

  private static func parse(_ source: SourceFile) -> Result<JSONDocument, DocumentFailure> {
    do throws(TextProblem) {
      return .success(try TextDocument.read(source))
    } catch {
      return .failure(.unparsable(error, source))
    }
  }

  /// The document at a path, relative to the working directory, or at an http(s) URL.
  package func document(at path: String) -> Result<JSONDocument, DocumentFailure> { document(at: path, by: load) }

  /// The document of a reference.
  ///
  /// - Parameter document: The path or URL of the document with the reference.
  package func document(at path: String, namedIn document: String) -> Result<JSONDocument, DocumentFailure> {
    self.document(at: path, isForURL: URIReference(document).isRemote)
  }

  /// - Parameter isForURL: Whether the document with the reference is at a URL, and names no file of the project.
  private func document(at path: String, isForURL: Bool) -> Result<JSONDocument, DocumentFailure> {
    let place = place(of: path)
    if isForURL, !URIReference(place).isRemote, let problem = access.availableToURLs.problem(of: place) {
      return .failure(.outside(help: problem.help))
    }
    return document(at: path)
  }

  /// The document that the user named; it may be a pipe.
  package func document(named path: String) -> Result<JSONDocument, DocumentFailure> {
    document(at: path, by: loadNamed ?? load)
  }

  /// The place where a document is read: its file in place of a URL, else its own.
  package func place(of path: String) -> String { references.place(of: path) }

  private func document(at name: String, by load: @escaping Load) -> Result<JSONDocument, DocumentFailure> {
    let path = place(of: name)
    let isRemote = URIReference(path).isRemote
    guard let load = isRemote ? fetch : load else { return .failure(.refused) }
    let (known, count, bytes) = state.withLock { ($0.documents[path], $0.documents.count, $0.bytes) }
    if let known { return known }
    guard count < limits.documents else { return .failure(.limit("\(limits.documents) documents")) }
    guard bytes < limits.bytes else { return .failure(.limit("\(limits.bytes.asBytes) in all documents")) }
    let loaded = load(path)
    return state.withLock { state in
      // Another thread may have been first: all readers must share one document.
      if let known = state.documents[path] { return known }
      state.documents[path] = loaded
      switch loaded {
      case .success(let document):
        state.bytes += document.source?.bytes.count ?? document.bytes.count
        if let source = document.source { state.files.append(source) }
      case .failure(.unparsable(_, let source)): state.files.append(source)
      case .failure(.outside): break
      case .failure: state.missing.append(path)
      }
      return loaded
    }
  }

  /// Replaces the document at a path by the contract that it was lowered into.
  package func replace(_ document: JSONDocument, at path: String) {
    state.withLock { $0.documents[place(of: path)] = .success(document) }
  }

  /// The files read so far, the contract first.
  package var files: [SourceFile] { state.withLock { $0.files } }

  /// Paths that could not be read; a watcher waits for them to appear.
  package var missing: [String] { state.withLock { $0.missing } }

  /// The documents read so far, in the order of `files`.
  package var documents: [JSONDocument] {
    state.withLock { state in
      state.files.compactMap { file in
        if case .success(let document) = state.documents[file.path] { document } else { nil }
      }
    }
  }

  /// The document of a reference, by the URI or path that it was resolved to.
  package func document(ofURI uri: String) -> Result<JSONDocument, DocumentFailure> {
    let reference = URIReference(uri)
    let isFile = reference.scheme == "file"
    let path = isFile ? reference.path : uri
    // The URI does not tell where it was written; with `fetch` that may be at a URL.
    let isForURL = isFile && fetch != nil
    let found = document(at: path, isForURL: isForURL)
    switch found {
    case .failure(.unreadable), .failure(.outside):
      // In a reference a space of a file name is `%20`.
      guard let decoded = PercentEncoding.decode(path), decoded != path else { return found }
      return document(at: decoded, isForURL: isForURL)
    default: return found
    }
  }

  /// Why a reference has no document; `nil` if it has one.
  package func failure(ofURI uri: String) -> SchemaLoader.Failure? {
    guard case .failure(let failure) = document(ofURI: uri) else { return nil }
    return SchemaLoader.Failure(failure.reason, help: failure.help)
  }
}

/// Why a document cannot be loaded.
package enum DocumentFailure: Error, Sendable {
  /// The file cannot be read, with the reason and advice on a file that the user named.
  case unreadable(String, help: String? = nil)
  /// It is neither JSON nor YAML.
  case unparsable(TextProblem, SourceFile)
  /// It is on another machine, and fetching is off.
  case refused
  /// It is a file that contracts may not name, with the advice that allows it.
  case outside(help: String?)
  /// A named limit was reached.
  case limit(String)

  /// Advice on a file outside the project folders.
  var help: String? { if case .outside(let help) = self { help } else { nil } }

  /// The reason, without any text of the document.
  package var reason: String {
    switch self {
    case .unreadable(let reason, _): return reason
    case .refused: return "it is on another machine"
    case .outside: return "it is outside the project folders"
    case .limit(let limit): return "the limit of \(limit) is reached"
    case .unparsable(let problem, let source):
      let position = source.position(of: problem.range.lowerBound)
      let reason = problem.kind == .limit ? problem.message : "the file is neither JSON nor YAML"
      return "\(reason) (line \(position.line), column \(position.column))"
    }
  }
}
