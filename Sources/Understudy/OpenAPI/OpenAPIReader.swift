/// Reads a contract of any version from a file.
package enum OpenAPIReader {
  /// Reads the contract at `path` and every file it needs for its operations.
  ///
  /// Without an API the first diagnostic is the reason; the diagnostics of an API are its own. References inside schemas are
  /// left to the schema compiler and to `Linter`.
  package static func read(_ path: String, from store: DocumentStore) -> (api: API?, diagnostics: [Diagnostic]) {
    switch store.document(named: path) {
    case .success(let document): return read(document.root, path: path, from: store)
    case .failure(let failure): return (nil, [failure.diagnostic(of: "contract", at: path)])
    }
  }

  private static func read(_ root: JSON, path: String, from store: DocumentStore) -> (API?, [Diagnostic]) {
    let specification: Specification
    switch SpecificationVersion.detect(in: root) {
    case .success(let version): specification = version
    case .failure(let refusal): return (nil, [refusal.diagnostic])
    }
    let reading = Reading(root, specification, resolver: ReferenceResolver(store: store))
    let name = contractName(of: path)
    let api =
      specification == .swagger2
      ? Swagger2Reader.read(reading, name: name) : OpenAPI3Reader.read(reading, name: name)
    return (api, api.diagnostics)
  }

  /// The file name without its extension.
  private static func contractName(of path: String) -> String {
    let file = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    guard let dot = file.utf8.lastIndex(of: UInt8(ascii: ".")), dot != file.startIndex else { return String(file) }
    return String(file[..<dot])
  }
}

extension DocumentFailure {
  /// The finding about a document that the user named: a `contract` or a `schema`.
  package func diagnostic(of noun: String, at path: String) -> Diagnostic {
    let location = Location(path: path)
    switch self {
    case .unparsable(let problem, let source):
      var diagnostic = Diagnostic(.specUnparsable, problem, in: source)
      if problem.kind == .limit {
        diagnostic.help = problem.help ?? "this is a limit of understudy, not of JSON or YAML"
      }
      return diagnostic
    case .unreadable(let reason):
      return Diagnostic(
        .configUnreadable, "cannot read the \(noun): \(reason)", at: location,
        help: path == "-"
          ? "standard input is not read here; name a file, or let the shell make one: <(curl -s URL)" : nil)
    case .limit(let limit): return Diagnostic(.specUnparsable, "the limit of \(limit) is reached", at: location)
    case .refused:
      return Diagnostic(
        .specRefExternal, "the \(noun) is on another machine, and fetching is off", at: location,
        help: "download it, and name the file")
    }
  }
}
