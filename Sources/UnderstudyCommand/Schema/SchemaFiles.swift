import Synchronization
import Understudy

/// The documents that the references of a schema may lead to: files, and those named by `--resolve`.
final class SchemaFiles: Sendable {
  let store = DocumentStore()
  private let state = Mutex(State())

  private struct State {
    var named: [String: JSONDocument] = [:]
    var problems: [Diagnostic] = []
  }

  /// Takes in a file under its `$id`; ends the command when it has none or cannot be read.
  func add(_ path: String, _ common: CommonOptions) throws {
    switch store.document(at: path) {
    case .failure(let failure):
      common.report([failure.diagnostic(of: "schema", at: path)])
      throw CommandFailure(.notLoadable)
    case .success(let document):
      guard let name = document.root["$id"]?.string ?? document.root["id"]?.string else {
        throw CommandFailure(
          .usage, "`--resolve \(path)` names a schema without `$id`, so no reference can mean it",
          help: "a reference by a relative path finds its file without --resolve")
      }
      state.withLock { $0.named[URIReference(name).withoutFragment.description] = document }
    }
  }

  /// The document of a reference, without its fragment; nothing is fetched from other machines.
  func document(of uri: String) -> JSONDocument? {
    if let known = state.withLock({ $0.named[uri] }) { return known }
    let found = store.document(at: uri)
    // In a reference a blank of a file name is `%20`.
    let decoded = PercentEncoding.decode(uri.utf8) ?? uri
    switch (try? found.get()) == nil && decoded != uri ? store.document(at: decoded) : found {
    case .success(let document): return document
    case .failure(.unparsable(let problem, let source)):
      state.withLock { $0.problems.append(Diagnostic(.specUnparsable, problem, in: source)) }
      return nil
    case .failure: return nil
    }
  }

  /// What was wrong with files that references needed.
  var problems: [Diagnostic] { state.withLock { $0.problems } }

  /// A finding with advice that only a command line can give.
  func explain(_ problem: Diagnostic) -> Diagnostic {
    guard problem.rule == .unresolvedSchemaReference, problem.help == nil,
      let reference = problem.message.split(separator: "`").dropFirst().first, reference.first != "#"
    else { return problem }
    var problem = problem
    problem.help =
      URIReference(reference).isRemote
      ? "nothing is fetched from other machines; name a copy of the schema with --resolve"
      : "relative references count from the file, or the `$id`, that they stand in"
    return problem
  }
}
