/// The address of a schema: a file, or a place in a file, such as `spec.yaml#/components/schemas/User`.
package struct SchemaAddress: Sendable {
  package let path: String
  /// A JSON pointer or the name of an anchor; empty for the whole file.
  package let fragment: String

  package init(_ text: String) {
    let mark = text.utf8.firstIndex(of: UInt8(ascii: "#"))
    path = mark.map { String(text[..<$0]) } ?? text
    fragment = mark.map { String(text[text.utf8.index(after: $0)...]) } ?? ""
  }

  /// The schema, with a warning if it is probably not a schema, or else the reason.
  package func find(in store: DocumentStore) -> (schema: JSON?, problem: Diagnostic?) {
    switch store.document(named: path) {
    case .failure(let failure): (nil, failure.diagnostic(of: "schema", at: path))
    case .success(let document): fragment.isEmpty ? whole(document.root) : part(of: document, store)
    }
  }

  private func whole(_ root: JSON) -> (JSON?, Diagnostic?) {
    // As a schema a description accepts nearly every value, which is never meant.
    guard let version = Self.version(of: root) else { return checked(root) }
    return (
      nil,
      Diagnostic(
        .specUnparsable, "this is a description of an API, not a schema", at: version,
        help: Self.examples(in: self, root)
      )
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
          at: Self.location(parent),
          help: namesake(in: document.root) ?? Suggestion.phrase(for: token, among: names)
            ?? namesake(in: document.root, isExact: false))
      )
    case .failure(let failure):
      var problem = failure.diagnostic(at: reference)
      problem.help = problem.help ?? namesake(in: document.root) ?? namesake(in: document.root, isExact: false)
      return (nil, problem)
    }
  }

  /// The location, without an excerpt of a file that may be confidential.
  private static func location(_ value: JSON) -> Location {
    value.isObject || value.isArray ? Location(start: value) : Location(path: value.path)
  }

  // MARK: - Checks

  private func checked(_ schema: JSON) -> (JSON?, Diagnostic?) {
    guard schema.isObject || schema.bool != nil else {
      let message = "expected a schema, which is an object or a boolean; found \(schema.kindWithArticle)"
      return (nil, Diagnostic(.wrongKeywordValue, message, at: Self.location(schema), severity: .error))
    }
    guard schema.isObject, schema.count > 0 else { return (schema, nil) }
    let root = schema.document.root
    let role = Self.version(of: root) == nil ? .outermostSchema : Self.role(of: schema, in: root)
    let hasKeyword = schema.members.contains { Self.isKeyword($0.key) }
    if role?.isSchema == true {
      let warning = Diagnostic(
        .wrongKeywordValue, "no member of this schema is a keyword, so every value fits",
        at: Location(start: schema), help: "check that this is the schema, and not a value")
      return (schema, hasKeyword ? nil : warning)
    }
    // A header or parameter of Swagger 2.0 has the keywords of a schema, and an extension may hold a schema.
    let holdsOne = schema["schema"]?.isObject == true
    let holdsMany = role != nil && role != .structure
    if !holdsOne, !holdsMany, schema.members.contains(where: { Keyword.named($0.key) != nil }) { return (schema, nil) }
    let reason =
      holdsMany ? "it holds schemas" : holdsOne ? "its `schema` is one" : "none of its members is a keyword"
    return (
      nil,
      Diagnostic(
        .wrongKeywordValue, "`#\(fragment)` is not a schema: \(reason)", at: Location(start: schema), severity: .error,
        help: below(schema, role) ?? Self.examples(in: self, root))
    )
  }

  /// The role of a value by its place in the description; `nil` where no schema is expected.
  private static func role(of value: JSON, in root: JSON) -> DocumentRole? {
    var (node, role) = (root, DocumentRole.structure)
    for token in value.pointer.tokens {
      guard let next = role.child(token, of: node, in: .openAPI31) else { return nil }
      (node, role) = next
    }
    return role
  }

  private static func isKeyword(_ key: JSON) -> Bool {
    Keyword.named(key) != nil || key.isExtensionKey || annotations.contains { key.isString($0) }
  }

  /// Keywords that do not validate values, but that may be all of a schema.
  private static let annotations = [
    "title", "description", "default", "example", "examples", "deprecated", "externalDocs", "xml", "$comment",
    "$vocabulary",
  ]

  // MARK: - Suggestions

  private static func version(of root: JSON) -> JSON? { root.key("openapi") ?? root.key("swagger") }

  /// A schema below a place that is not a schema.
  private func below(_ value: JSON, _ role: DocumentRole?) -> String? {
    if value["schema"]?.isObject == true { return "did you mean `\(path)#\(fragment)/schema`?" }
    guard role == .schemas || role == .subschemas else { return nil }
    return value.members.first { _ in true }.map {
      "name one of them: `\(path)#\(fragment)/\(JSONPointer.escape($0.name))`"
    }
  }

  private static let sections = [["components", "schemas"], ["definitions"], ["$defs"]]

  /// The address of a schema of the description, as an example.
  private static func examples(in address: SchemaAddress, _ root: JSON) -> String {
    for section in sections {
      guard let name = root[JSONPointer(section)]?.members.first(where: { _ in true })?.name else { continue }
      let place = section.joined(separator: "/")
      return "name one of its schemas: `\(address.path)#/\(place)/\(JSONPointer.escape(name))`"
    }
    return "name a schema in it after `#`"
  }

  /// A schema with the same or a similar name in a section of schemas.
  private func namesake(in root: JSON, isExact: Bool = true) -> String? {
    let token = fragment.split(separator: "/").last.map(String.init) ?? fragment
    guard let name = PercentEncoding.decode(token).flatMap({ JSONPointer("/" + $0)?.tokens.last }) else {
      return nil
    }
    for section in Self.sections {
      guard let schemas = root[JSONPointer(section)] else { continue }
      let known = isExact ? [] : schemas.members.prefix(1_000).map(\.name)
      guard let near = isExact ? schemas.key(name)?.text : Suggestion.nearest(to: name, among: known) else { continue }
      return "did you mean `\(path)#/\(section.joined(separator: "/"))/\(JSONPointer.escape(near))`?"
    }
    return nil
  }
}
