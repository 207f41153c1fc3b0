import UnderstudySystem

/// The places of secrets that a contract names: security schemes, and schemas with `format: password`, `writeOnly` or
/// `x-secret`. They are collected at first use.
package final class ContractSecrets: Sendable {
  private let api: API
  private let schemas: SchemaLibrary
  private let lazyParameters = Lazy<Parameters>()
  private let lazyMembers = Lazy<Members>()

  package init(_ api: API, _ schemas: SchemaLibrary) {
    self.api = api
    self.schemas = schemas
  }

  /// Whether the operation belongs to this contract.
  func contains(_ operation: Operation) -> Bool { operation.node.document === api.root.document || isKnown(operation) }

  private func isKnown(_ operation: Operation) -> Bool { api.operations.contains { $0.node.id == operation.node.id } }

  // MARK: - Parameters

  private final class Parameters: Sendable {
    /// In lower case.
    let schemeHeaders: Set<String>
    let schemeQueries: Set<String>
    let schemeCookies: Set<String>
    /// `query token`, with the names of headers in lower case.
    let secret: Set<String>
    let documentedQueries: Set<String>

    init(_ api: API, _ isSecret: (JSON) -> Bool) {
      var (headers, queries, cookies) = (Set<String>(), Set<String>(), Set<String>())
      for scheme in api.securitySchemes {
        switch scheme.kind {
        case .apiKey(let name, .header): headers.insert(FieldSyntax.lowercased(name.utf8))
        case .apiKey(let name, .query): queries.insert(name)
        case .apiKey(let name, .cookie): cookies.insert(name)
        default: break
        }
      }
      (schemeHeaders, schemeQueries, schemeCookies) = (headers, queries, cookies)
      var secret: Set<String> = []
      var documented: Set<String> = []
      for operation in api.operations {
        for parameter in operation.parameters {
          if parameter.location == .query { documented.insert(parameter.name) }
          guard let schema = parameter.schema ?? parameter.content?.schema, isSecret(schema) else { continue }
          secret.insert(ContractSecrets.key(parameter.location, parameter.name))
        }
        for header in operation.responses.flatMap(\.headers) {
          if let schema = header.schema, isSecret(schema) { secret.insert(ContractSecrets.key(.header, header.name)) }
        }
      }
      self.secret = secret
      documentedQueries = documented
    }
  }

  private static func key(_ location: Parameter.Location, _ name: String) -> String {
    "\(location.rawValue) \(location == .header ? FieldSyntax.lowercased(name.utf8) : name)"
  }

  private var parameters: Parameters {
    lazyParameters.value {
      Parameters(api) { schema in
        // Most schemas are plain and need no view.
        schema["$ref"] != nil || schema["allOf"] != nil || Self.hasMark(schema)
          ? isSecret(schemas.resolved(schema)) : false
      }
    }
  }

  /// Whether a security scheme names this header, query parameter or cookie.
  func isScheme(_ name: String, _ location: Parameter.Location) -> Bool {
    switch location {
    case .header: parameters.schemeHeaders.contains(FieldSyntax.lowercased(name.utf8))
    case .query: parameters.schemeQueries.contains(name)
    case .cookie: parameters.schemeCookies.contains(name)
    case .path, .querystring: false
    }
  }

  /// Whether the schema of a parameter or a header of this name describes a secret.
  func isSecret(_ name: String, _ location: Parameter.Location) -> Bool {
    !parameters.secret.isEmpty && parameters.secret.contains(Self.key(location, name))
  }

  /// Whether the contract documents a query parameter of this name.
  func documentsQuery(_ name: String) -> Bool { parameters.documentedQueries.contains(name) }

  // MARK: - Schemas

  /// Whether values of a schema are secret. A value of a known list is none.
  func isSecret(_ schema: ResolvedSchema) -> Bool {
    !schema.has(.enum, .const) && schema.types.contains(.string)
      && (schema.hasFormat("password")
        || schema.parts.contains { part in Self.marks.contains { part.schema[$0]?.bool == true } })
  }

  /// Annotations, which count in every dialect: an author who writes `writeOnly` in Swagger 2.0 means it as well.
  private static let marks = ["writeOnly", "x-secret", "x-sensitive"]

  /// The schema of a body; `nil` if the contract has none for it, or marks no schema as a secret.
  func schema(of operation: Operation, status: Int?, _ type: MediaRange?) -> ResolvedSchema? {
    guard members.hasMarks, contains(operation) else { return nil }
    let content = status.map { operation.response(for: $0)?.content } ?? operation.requestBody?.content
    guard let content else { return nil }
    let ranges = content.compactMap { media in MediaRange(media.range).map { ($0, media) } }
    let best = type.flatMap { MediaRange.mostSpecific(of: ranges.map(\.0), for: $0) } ?? (ranges.isEmpty ? nil : 0)
    return best.flatMap { ranges[$0].1.schema }.map(schemas.resolved)
  }

  /// Whether the schema of a body marks the value at a place, or one around it, as a secret.
  func isSecret(
    _ place: some Sequence<String>, of operation: Operation, status: Int?, _ type: MediaRange?
  ) -> Bool {
    guard var schema = schema(of: operation, status: status, type) else { return false }
    for token in place {
      let isPosition = schema.describesElements && token.utf8.allSatisfy { 48...57 ~= $0 }
      schema = isPosition ? schema.element : schema.property(token) ?? schema.other
      if isSecret(schema) { return true }
    }
    return isSecret(schema)
  }

  // MARK: - Members

  private final class Members: Sendable {
    let hasMarks: Bool
    /// The names of properties whose values are secret.
    let names: Set<String>

    init(hasMarks: Bool, names: Set<String>) {
      self.hasMarks = hasMarks
      self.names = names
    }
  }

  private var members: Members {
    lazyMembers.value {
      let hasMarks = api.resolver.store.documents.contains { Self.hasMark($0.root) }
      return Members(hasMarks: hasMarks, names: hasMarks ? secretNames() : [])
    }
  }

  /// Whether some operation has a member of this name with a secret value: for bodies whose schema is unknown.
  func isSecret(member name: String) -> Bool { members.names.contains(name) }

  /// Whether a document or a schema has a word that marks schemas; most have none.
  private static func hasMark(_ value: JSON) -> Bool {
    let document = value.document
    return (value.index..<document.end(of: value.index)).contains { index in
      let node = document.nodes[index]
      guard node.kind == .string, 8...11 ~= node.count else { return false }
      let text = JSON(document: document, index: index)
      return text.isString("password") || marks.contains { text.isString($0) }
    }
  }

  /// The most schemas to look into.
  private static let schemaLimit = 100_000

  private func secretNames() -> Set<String> {
    var names: Set<String> = []
    var seen: Set<NodeID> = []
    var open: [JSON] = []
    for operation in api.operations {
      let bodies = (operation.requestBody?.content ?? []) + operation.responses.flatMap(\.content)
      open += bodies.compactMap(\.schema)
    }
    while let node = open.popLast(), seen.count < Self.schemaLimit {
      guard seen.insert(node.id).inserted else { continue }
      let schema = schemas.resolved(node)
      if schema.describesElements { open.append(schema.element.node) }
      if schema.describesOthers { open.append(schema.other.node) }
      for property in schema.properties {
        let value = schema.schema(of: property)
        if isSecret(value) || isSecret(value.element) || isSecret(value.other) { names.insert(property.name) }
        open.append(property.schema)
      }
    }
    return names
  }
}
