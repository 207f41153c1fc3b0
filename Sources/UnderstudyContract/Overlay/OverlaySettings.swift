/// The overlays of a contract.
package struct OverlaySettings: Sendable, Equatable {
  /// Files or URLs, which are applied in this order.
  package var files: [String] = []
  /// The files or URLs of all contracts that share the overlays, this one included; empty if they are unknown.
  package var contracts: [String] = []
  package var limits = OverlayApplication.Limits()

  /// The overlays at URLs.
  package var remoteFiles: [String] { files.filter { URIReference($0).isRemote } }

  package init(files: [String] = []) { self.files = files }

  /// Applies the overlays to the document of a contract.
  ///
  /// - Returns: The document, `nil` after an error, and the findings.
  func apply(
    to document: JSONDocument, at path: String, from store: DocumentStore
  ) -> (document: JSONDocument?, findings: [Diagnostic]) {
    guard !files.isEmpty, var source = document.source else { return (document, []) }
    var findings: [Diagnostic] = []
    var application = OverlayApplication(document, source, limits)
    var isComplete = true
    for file in files {
      switch store.document(named: file) {
      case .failure(let failure):
        findings.append(failure.diagnostic(of: "overlay", at: file))
        isComplete = false
      case .success(let text):
        let placed = OverlayApplication.placed(text, behind: source)
        let (read, problems) = OverlayReader.read(placed.document)
        findings += problems
        isComplete = isComplete && read != nil
        guard isComplete, let overlay = read else { continue }
        switch scope(of: overlay, file, document.root, path, store) {
        case .other: continue
        case .unknown(let finding): findings.append(finding)
        case .unknownOfSeveral(let finding):
          if let finding { findings.append(finding) }
          continue
        case .this: break
        }
        source = placed.source
        let found = application.apply(overlay, of: source)
        findings += found
        isComplete = !found.contains { $0.severity == .error }
      }
    }
    return (isComplete ? application.result() : nil, findings)
  }

  /// The relation of `extends` to the contracts.
  private enum Scope {
    case this
    case other
    /// A document that is none of the contracts; the only contract is changed nevertheless.
    case unknown(Diagnostic)
    case unknownOfSeveral(Diagnostic?)
  }

  private func scope(
    of overlay: Overlay, _ file: String, _ root: JSON, _ path: String, _ store: DocumentStore
  ) -> Scope {
    guard let extends = overlay.extends else { return .this }
    let uri = URIReference(extends.text).withoutFragment
    guard let named = ReferenceResolver.location(of: uri, from: file).map(store.place) else {
      return .unknown(
        Diagnostic(.overlayExtends, "`extends` is not a URI: its path has invalid percent-encoding", at: extends))
    }
    if Self.isSame(named, path) || root["$self"]?.string?.utf8Equals(extends.text) == true { return .this }
    if contracts.contains(where: { Self.isSame(named, $0) }) { return .other }
    let name = VisibleText.shortened(extends.text, to: 80)
    guard contracts.count > 1 else {
      return .unknown(
        Diagnostic(
          .overlayExtends, "the overlay extends `\(name)`, and is applied to \(path)", at: Location(start: extends),
          help: "correct `extends`, or map its URL to the file by `references` in understudy.yaml"))
    }
    guard contracts.first.map({ Self.isSame($0, path) }) == true else { return .unknownOfSeveral(nil) }
    return .unknownOfSeveral(
      Diagnostic(
        .overlayExtends, "the overlay extends `\(name)`, which is none of the contracts, so it changes nothing",
        at: Location(start: extends), help: "the contracts are \(contracts.prefix(5).joined(separator: ", "))"))
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    if URIReference(first).isRemote || URIReference(second).isRemote { return first.utf8Equals(second) }
    return URIReference.removeDotSegments(first).utf8Equals(URIReference.removeDotSegments(second))
      || FileSystem.isSame(first, second)
  }
}
