/// A schema as a user names it: a file, or a place in one, as in `spec.yaml#/components/schemas/User`.
package struct SchemaAddress: Sendable {
  package let path: String
  /// A JSON pointer or the name of an anchor; empty for the whole file.
  package let fragment: String

  package init(_ text: String) {
    let mark = text.utf8.firstIndex(of: UInt8(ascii: "#"))
    path = mark.map { String(text[..<$0]) } ?? text
    fragment = mark.map { String(text[text.utf8.index(after: $0)...]) } ?? ""
  }

  /// The schema, or the finding that says why there is none.
  package func find(in store: DocumentStore) -> (schema: JSON?, problem: Diagnostic?) {
    switch store.document(at: path) {
    case .failure(let failure): (nil, failure.diagnostic(of: "schema", at: path))
    case .success(let document): fragment.isEmpty ? whole(document.root) : part(of: document, store)
    }
  }

  private func whole(_ root: JSON) -> (JSON?, Diagnostic?) {
    // As a schema a description would accept nearly everything, which is never what was meant.
    guard let version = root.key("openapi") ?? root.key("swagger") else { return checked(root) }
    let section = version.isString("swagger") ? "definitions" : "components/schemas"
    let names = root[section == "definitions" ? JSONPointer(["definitions"]) : JSONPointer(["components", "schemas"])]
    let example = names?.members.first { _ in true }?.name ?? "User"
    return (
      nil,
      Diagnostic(
        .specUnparsable, "this is a description of an API, not a schema", at: version,
        help: "name one of its schemas: `\(path)#/\(section)/\(JSONPointer.escape(example))`")
    )
  }

  private func part(of document: JSONDocument, _ store: DocumentStore) -> (JSON?, Diagnostic?) {
    let text = path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25") + "#" + fragment
    let reference = JSON.string(text)
    switch ReferenceResolver(store: store).target(of: reference) {
    case .success(let schema): return checked(schema)
    case .failure(.missing(let token, let parent)):
      let place = parent.pointer.tokens.isEmpty ? "the document" : "`\(parent.pointer)`"
      let names = parent.members.prefix(1_000).map(\.name)
      return (
        nil,
        Diagnostic(
          .unresolvedSchemaReference, "`#\(fragment)` leads nowhere: \(place) has no `\(token)`",
          at: Location(start: parent), help: Suggestion.phrase(for: token, among: names))
      )
    case .failure(let failure): return (nil, failure.diagnostic(at: reference))
    }
  }

  private func checked(_ schema: JSON) -> (JSON?, Diagnostic?) {
    guard schema.isObject || schema.bool != nil else {
      let message = "expected a schema, which is an object or a boolean; found \(schema.kindWithArticle)"
      return (nil, Diagnostic(.wrongKeywordValue, message, at: Location(start: schema), severity: .error))
    }
    return (schema, nil)
  }
}
