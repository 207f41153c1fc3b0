/// Why a reference has no target.
package enum ReferenceFailure: Error, Sendable {
  /// It is not a valid URI reference or JSON pointer, with the reason.
  case malformed(String)
  /// Its document, by path, cannot be loaded.
  case document(String, DocumentFailure)
  /// The document has no such place: the first missing token of the pointer, and its parent.
  case missing(token: String, parent: JSON)
  /// A chain of references leads back to itself.
  case cycle

  /// The finding, at the string below `$ref`.
  package func diagnostic(at reference: JSON) -> Diagnostic {
    let text = reference.text
    switch self {
    case .malformed(let reason):
      return Diagnostic(.specRefUnresolved, "the reference `\(text)` cannot be read: \(reason)", at: reference)
    case .cycle:
      return Diagnostic(.specRefUnresolved, "the reference `\(text)` leads back to itself", at: reference)
    case .document(_, .refused):
      return Diagnostic(
        .specRefExternal, "the reference `\(text)` is on another machine, and fetching is off", at: reference,
        help: "name a copy of it under `references` in understudy.yaml, or allow fetching it with `--allow-remote-refs`"
      )
    case .document(_, .outside(let help)):
      return Diagnostic(
        .specRefOutside, "the reference `\(text)` leads to a file outside the project folders",
        at: reference, help: help)
    case .document(let path, .unreadable(let reason, _)):
      return Diagnostic(.specRefUnresolved, "the reference `\(text)` needs `\(path)`: \(reason)", at: reference)
    case .document(let path, .limit(let limit)):
      return Diagnostic(
        .specRefUnresolved, "the reference `\(text)` needs `\(path)`, but the limit of \(limit) is reached",
        at: reference)
    case .document(_, .unparsable(let problem, let source)):
      var diagnostic = Diagnostic(.specUnparsable, problem, in: source)
      diagnostic.notes = [Diagnostic.Note("needed by this reference", at: Location(reference))]
      return diagnostic
    case .missing(let token, let parent):
      let place = parent.pointer.tokens.isEmpty ? "the document" : "`\(parent.pointer)`"
      let file = parent.document === reference.document ? "" : " of `\(parent.path)`"
      // Enough for any hand-written section, and a bound for hostile ones.
      let candidates = parent.members.prefix(1_000).map(\.name)
      return Diagnostic(
        .specRefUnresolved, "the reference `\(text)` leads nowhere: \(place)\(file) has no `\(token)`", at: reference,
        help: Suggestion.phrase(for: token, among: candidates))
    }
  }
}
