/// Reads a contract of any version from a file.
package enum OpenAPIReader {
  /// Reads the contract at `path` and every file it needs for its operations.
  ///
  /// Without an API the first diagnostic is the reason; the diagnostics of an API are its own. References inside schemas are
  /// left to the schema compiler and to `Linter`.
  ///
  /// - Parameters:
  ///   - name: The file name without its extension by default.
  ///   - overlays: The changes to the document at `path`, before any reference is followed.
  package static func read(
    _ path: String, name: String? = nil, overlays: OverlaySettings = OverlaySettings(), from store: DocumentStore
  ) -> (api: API?, diagnostics: [Diagnostic]) {
    let name = name ?? Path.stem(of: path)
    if let file = overlays.files.first, FileSystem.isFolder(path) {
      return (nil, [refusal(of: file, "a folder", path)])
    }
    if FileSystem.isFolder(path), let files = DataDetection.files(in: path, store) {
      var lowered = DataContract.contract(ofFiles: files.roots, folder: path, named: name)
      lowered.findings += files.findings
      return read(lowered, at: path, name: name, from: store)
    }
    switch store.document(named: path) {
    case .success(let document):
      if !overlays.files.isEmpty { return read(document, at: path, name: name, overlays, from: store) }
      guard DataDetection.isNamed(path), SpecificationVersion.isData(document.root) else {
        return read(document.root, name: name, from: store)
      }
      return read(DataContract.contract(of: document.root, named: name), at: path, name: name, from: store)
    case .failure(let failure): return (nil, [failure.diagnostic(of: "contract", at: path)])
    }
  }

  /// Reads the contract that data was lowered into, which replaces the data at its path.
  private static func read(
    _ lowered: (document: JSONDocument?, findings: [Diagnostic]), at path: String, name: String,
    from store: DocumentStore
  ) -> (API?, [Diagnostic]) {
    guard let document = lowered.document else { return (nil, lowered.findings) }
    store.replace(document, at: path)
    var (api, diagnostics) = read(document.root, name: name, from: store)
    api?.diagnostics += lowered.findings
    api?.isData = true
    diagnostics += lowered.findings
    return (api, diagnostics)
  }

  /// Reads the contract that overlays change, which replaces the document at its path.
  private static func read(
    _ document: JSONDocument, at path: String, name: String, _ overlays: OverlaySettings, from store: DocumentStore
  ) -> (API?, [Diagnostic]) {
    if let file = overlays.files.first {
      if RoutesReader.isFor(document.root) { return (nil, [refusal(of: file, "a routes file", path)]) }
      if SpecificationVersion.isData(document.root) { return (nil, [refusal(of: file, "a file of data", path)]) }
    }
    if case .failure(let refusal) = SpecificationVersion.detect(in: document.root) {
      return (nil, [refusal.diagnostic])
    }
    let (changed, findings) = overlays.apply(to: document, at: path, from: store)
    guard let changed else { return (nil, findings) }
    store.replace(changed, at: path)
    var (api, diagnostics) = read(changed.root, name: name, from: store)
    api?.diagnostics += findings
    diagnostics += findings
    return (api, diagnostics)
  }

  private static func refusal(of overlay: String, _ kind: String, _ path: String) -> Diagnostic {
    Diagnostic(
      .overlayInvalid, "the overlay \(overlay) cannot change \(path), which is \(kind): expected an OpenAPI document",
      at: Location(path: path), help: "give the overlay to a contract alone: `overlays` of its entry in understudy.yaml"
    )
  }

  private static func read(_ root: JSON, name: String, from store: DocumentStore) -> (API?, [Diagnostic]) {
    if RoutesReader.isFor(root) {
      let api = RoutesReader.read(root, name: name, from: store)
      return (api, api.diagnostics)
    }
    let specification: Specification
    switch SpecificationVersion.detect(in: root) {
    case .success(let version): specification = version
    case .failure(let refusal): return (nil, [refusal.diagnostic])
    }
    let reading = Reading(root, specification, resolver: ReferenceResolver(store: store))
    let api =
      specification == .swagger2
      ? Swagger2Reader.read(reading, name: name) : OpenAPI3Reader.read(reading, name: name)
    return (api, api.diagnostics)
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
    case .unreadable(let reason, let help):
      return Diagnostic(
        .configUnreadable, "cannot read the \(noun): \(reason)", at: location,
        help: path == "-"
          ? "standard input is not read here; name a file or a URL" : NearbyDocument.help(for: path) ?? help)
    case .outside(let help):
      return Diagnostic(
        .specRefOutside, "the \(noun) is a file outside the project folders", at: location, help: help)
    case .limit(let limit): return Diagnostic(.specUnparsable, "the limit of \(limit) is reached", at: location)
    case .refused:
      return Diagnostic(
        .specRefExternal, "the \(noun) is on another machine, and fetching is off", at: location,
        help: "save it with `understudy fetch`, and name the file")
    }
  }
}
