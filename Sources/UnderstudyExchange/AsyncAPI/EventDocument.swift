package import UnderstudySockets
import UnderstudyText

/// The AsyncAPI document beside a contract, which declares its sockets and streams.
package struct EventDocument: Sendable {
  /// Where the document may be, in the order in which they are looked at.
  package let candidates: [String]
  /// `nil` without a document, or with one that cannot be read.
  package let root: JSON?
  /// Why it cannot be read, and the other documents beside the contract that are not.
  package let diagnostics: [Diagnostic]

  /// For a contract without a file of its own.
  package static let none = EventDocument(candidates: [], root: nil, diagnostics: [])

  private init(candidates: [String], root: JSON?, diagnostics: [Diagnostic]) {
    (self.candidates, self.root, self.diagnostics) = (candidates, root, diagnostics)
  }

  init(beside contract: String, in documents: DocumentStore) {
    let candidates = EventDocumentName.candidates(beside: contract)
    let found = candidates.filter { FileSystem.exists($0) }
    guard let path = found.first else {
      self.init(candidates: candidates, root: nil, diagnostics: [])
      return
    }
    var diagnostics = found.dropFirst().map { other in
      Diagnostic(
        .asyncAPIInvalid, "`\(Path.name(of: path))` is read in its place", at: Location(path: other),
        help: "a contract has one AsyncAPI document: remove one of them")
    }
    switch documents.document(at: path) {
    case .success(let document): self.init(candidates: candidates, root: document.root, diagnostics: diagnostics)
    case .failure(let failure):
      diagnostics.insert(failure.diagnostic(of: "AsyncAPI document", at: path), at: 0)
      self.init(candidates: candidates, root: nil, diagnostics: diagnostics)
    }
  }
}

extension SocketReader {
  package init() { self.init(.fixtureInvalid) }
}
