extension ContractDiff {
  /// Reads one version: a contract with the AsyncAPI document beside it, or an AsyncAPI document alone.
  ///
  /// If the API is `nil`, the first diagnostic is the reason.
  package static func read(
    _ path: String, name: String? = nil, overlays: OverlaySettings = OverlaySettings(), from store: DocumentStore
  ) -> (api: API?, diagnostics: [Diagnostic]) {
    if case .success(let document) = store.document(named: path), document.root["asyncapi"] != nil {
      return messages(document.root, path, store)
    }
    var (api, diagnostics) = OpenAPIReader.read(path, name: name, overlays: overlays, from: store)
    guard api != nil, !URIReference(path).isRemote else { return (api, diagnostics) }
    for candidate in EventDocumentName.candidates(beside: path) {
      switch store.document(at: candidate) {
      case .success(let document):
        api?.eventDocument = document.root
        let broken = brokenReferences(in: document.root, ReferenceResolver(store: store))
        if !broken.isEmpty { (api, diagnostics) = (nil, broken) }
      case .failure(.unreadable), .failure(.outside), .failure(.refused): continue
      case .failure(let failure):
        diagnostics = [failure.diagnostic(of: "AsyncAPI document", at: candidate)]
        api = nil
      }
      break
    }
    return (api, diagnostics)
  }

  private static func messages(_ root: JSON, _ path: String, _ store: DocumentStore) -> (API?, [Diagnostic]) {
    let version = root["asyncapi"]
    guard let version, ["2", "3"].contains(version.text.split(separator: ".").first) else {
      return (
        nil,
        [
          Diagnostic(
            .specUnparsable, "unknown version `\(version?.text ?? "")`: expected `asyncapi: 3.0.0`, or 2.x",
            at: Location(start: version ?? root))
        ]
      )
    }
    let resolver = ReferenceResolver(store: store)
    let broken = brokenReferences(in: root, resolver)
    guard broken.isEmpty else { return (nil, broken) }
    return (API(events: root, at: path, resolver: resolver), [])
  }

  /// The members whose values are data, which has no references.
  private static let dataKeys: Set = ["example", "examples", "default", "enum", "const"]

  /// The references of an AsyncAPI document that have no target.
  private static func brokenReferences(in root: JSON, _ resolver: ReferenceResolver) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var pending = [root]
    while let value = pending.popLast() {
      if let reference = value.reference, case .failure(let failure) = resolver.target(of: reference) {
        found.append(failure.diagnostic(at: reference))
      }
      pending += value.members.filter { !dataKeys.contains($0.name) }.map(\.value) + Array(value.elements)
    }
    return found.reversed()
  }
}
