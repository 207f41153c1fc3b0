import UnderstudySystem

/// The secrets of a contract, collected at first use: security schemes, `format: password`, `writeOnly`, `x-secret`.
package final class ContractSecrets: Sendable {
  private let api: API
  private let schemas: SchemaLibrary
  private let lazyParameters = Lazy<Parameters>()
  private let lazyMembers = Lazy<Members>()

  package init(_ api: API, _ schemas: SchemaLibrary) { (self.api, self.schemas) = (api, schemas) }

  func contains(_ operation: Operation) -> Bool { operation.node.document === api.root.document || isKnown(operation) }

  private func isKnown(_ operation: Operation) -> Bool { api.operations.contains { $0.node.id == operation.node.id } }

  // MARK: - Parameters

  private final class Parameters: Sendable {
    /// The names in lower case.
    let schemeHeaders: Set<String>
    let schemeQueries: Set<String>
    let schemeCookies: Set<String>
    /// The marked schemas by parameter, as `query token`, with the names of headers in lower case.
    let secret: [String: [ResolvedSchema]]
    let documentedQueries: Set<String>

    /// - Parameter marked: The marked schema of a parameter, or the marked schemas of its members by name. Its arguments
    ///   are the parameter and its schema.
    init(_ api: API, _ marked: (JSON, JSON) -> [(member: String?, schema: ResolvedSchema)]) {
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
      var secret: [String: [ResolvedSchema]] = [:]
      var documented: Set<String> = []
      for operation in api.operations {
        for parameter in operation.parameters {
          if parameter.location == .query { documented.insert(parameter.name) }
          guard let schema = parameter.schema ?? parameter.content?.schema else { continue }
          for (member, schema) in marked(parameter.node, schema) {
            // A member may have a parameter of its own: `pin=7` or `user[pin]=7`.
            let names = [parameter.name] + (member.map { [$0, "\(parameter.name)[\($0)]"] } ?? [])
            for name in names { secret[ContractSecrets.key(parameter.location, name), default: []].append(schema) }
          }
        }
        for header in operation.responses.flatMap(\.headers) {
          guard let schema = header.schema ?? header.content?.schema else { continue }
          for (_, schema) in marked(header.node, schema) {
            secret[ContractSecrets.key(.header, header.name), default: []].append(schema)
          }
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
      Parameters(api) { node, schema in
        let isMarked = Self.marks.contains { node[$0]?.bool == true }
        // Most schemas are plain and need no view.
        guard isMarked || Self.mayHaveMark(schema) else { return [] }
        let schema = schemas.resolved(schema)
        if isMarked { return [(nil, schema)] }
        if let whole = [schema, schema.element].first(where: Self.isSecret) { return [(nil, whole)] }
        let members = schema.properties.map { ($0.name, schema.schema(of: $0)) }.filter { Self.isSecret($0.1) }
        return members.isEmpty && Self.hasMarks(below: schema) ? [(nil, schema)] : members
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

  /// Whether the schema of a parameter or header describes a secret; no listed value is one, `nil` asks for any.
  func isSecret(_ name: String, _ location: Parameter.Location, _ value: ArraySlice<UInt8>? = nil) -> Bool {
    guard !parameters.secret.isEmpty else { return false }
    guard let schemas = parameters.secret[Self.key(location, name)] else {
      // The member of an object: `user[pin]`.
      let base = String(name.prefix { $0 != "[" })
      guard base != name, let schemas = parameters.secret[Self.key(location, base)] else { return false }
      return schemas.contains { Self.isSecret(Self.tokens(of: name).dropFirst(), in: $0, value) }
    }
    return !schemas.contains { schema in value.map { Self.lists(schema, $0) } ?? false }
  }

  func documentsQuery(_ name: String) -> Bool { parameters.documentedQueries.contains(name) }

  // MARK: - Schemas

  /// Whether a schema, or one that may apply to the same value, marks its values, and everything in them, as secret.
  static func isSecret(_ schema: ResolvedSchema) -> Bool { isAny(of: schema, isMarked) }

  private static func isMarked(_ schema: ResolvedSchema) -> Bool {
    schema.hasFormat("password")
      || schema.parts.contains { part in marks.contains { part.schema[$0]?.bool == true } }
  }

  /// The number of alternatives and conditional schemas from which on no more are searched for marks and listed values.
  private static let alternativeLimit = 1_000

  /// Whether a condition holds for a schema, or for an alternative or conditional schema of the same value.
  private static func isAny(of schema: ResolvedSchema, _ holds: (ResolvedSchema) -> Bool) -> Bool {
    var open = [schema]
    var seen: Set<NodeID> = []
    var position = 0
    // The nearest first: an alternative may lead back to the schema.
    while position < open.count {
      let next = open[position]
      if holds(next) { return true }
      if open.count < alternativeLimit {
        open += (next.branches + next.conditionalSchemas).filter { seen.insert($0.node.id).inserted }
      }
      position += 1
    }
    return false
  }

  /// Whether the contract itself publishes a value in the `enum` or `const` of a schema, so that it is no secret.
  static func lists(_ schema: ResolvedSchema, _ value: ArraySlice<UInt8>) -> Bool {
    func isValue(_ node: JSON) -> Bool {
      (node.isString || node.kind == .number) && node.text.utf8.elementsEqual(value)
    }
    return isAny(of: schema) { schema in
      schema.parts.contains { $0.elements(of: .enum).contains(where: isValue) || $0[.const].map(isValue) ?? false }
    }
  }

  static func marksNames(_ object: ResolvedSchema) -> Bool {
    isAny(of: object) { $0.nameSchemas.contains(where: isSecret) }
  }

  /// Whether the name of an undeclared member is a secret that the contract does not list.
  static func isSecret(name: String, in object: ResolvedSchema?) -> Bool {
    guard let object, object.property(name) == nil else { return false }
    if isSecret(object) { return true }
    return marksNames(object)
      && !isAny(of: object) { $0.nameSchemas.contains { lists($0, Array(name.utf8)[...]) } }
  }

  /// The schema of the JSON text in a string, unless the string is marked as a whole.
  static func content(of text: ResolvedSchema) -> ResolvedSchema { isSecret(text) ? text : text.content ?? text }

  /// Whether values of every member of this name are secret: free text that a schema marks.
  private static func isSecretText(_ schema: ResolvedSchema) -> Bool {
    isAny(of: schema) { isMarked($0) && !$0.has(.enum, .const) && $0.types.contains(.string) }
  }

  /// The maximum number of schemas below a body schema that are searched for marks.
  private static let memberLimit = 1_000

  /// The marked schemas below a schema, by the names of their members.
  static func members(below schema: ResolvedSchema) -> [String: ResolvedSchema] {
    var members: [String: ResolvedSchema] = [:]
    var seen: Set<NodeID> = []
    var open = [schema]
    while let next = open.popLast(), seen.count < memberLimit {
      guard seen.insert(next.node.id).inserted else { continue }
      open += inner(of: next)
      for property in next.properties {
        let value = next.schema(of: property)
        if let marked = [value, value.element].first(where: isSecret) {
          members[property.name] = marked
          if let name = XMLForm(value).name ?? XMLForm(marked).name { members[name] = marked }
        }
        open.append(value)
      }
    }
    return members
  }

  private static func inner(of schema: ResolvedSchema) -> [ResolvedSchema] {
    var inner = schema.branches + schema.conditionalSchemas + schema.possibleElements + schema.patternSchemas
    if schema.describesArray { inner.append(schema.element) }
    inner += (0..<(schema.parts.map { $0.elements(of: .prefixItems).count }.max() ?? 0)).map { schema.element(at: $0) }
    if schema.describesOthers { inner.append(schema.other) }
    if let content = schema.content { inner.append(content) }
    return inner
  }

  static func hasMarks(below schema: ResolvedSchema) -> Bool {
    var seen: Set<NodeID> = []
    var open = [schema]
    while let next = open.popLast(), seen.count < memberLimit {
      guard seen.insert(next.node.id).inserted else { continue }
      if isMarked(next) || next.nameSchemas.contains(where: isSecret) { return true }
      open += inner(of: next) + next.properties.map(next.schema)
    }
    return false
  }

  /// The schema of an element, or a marked schema that may apply to it.
  static func element(_ position: Int, of array: ResolvedSchema) -> ResolvedSchema {
    let known = array.element(at: position)
    if isSecret(known) { return known }
    let others = (array.branches + array.conditionalSchemas).flatMap {
      [$0.element(at: position)] + $0.possibleElements
    }
    return (array.possibleElements + others).first(where: isSecret) ?? known
  }

  /// The schema of a member, or a marked schema that may apply to it.
  static func member(_ name: String, of object: ResolvedSchema) -> ResolvedSchema {
    let known = object.property(name)
    var possible = object.conditionalSchemas.compactMap { $0.property(name) }
    if known == nil {
      possible += object.patternSchemas
      for part in object.branches + object.conditionalSchemas {
        possible += part.patternSchemas + (part.describesOthers ? [part.other] : [])
      }
    }
    if let marked = possible.first(where: isSecret) { return marked }
    return known ?? object.other
  }

  /// Whether the schema of an object marks the value of a member as a secret that it does not list.
  static func isSecret(_ name: String, in object: ResolvedSchema?, _ value: ArraySlice<UInt8>) -> Bool {
    guard let object else { return false }
    let tokens = object.property(name) == nil ? tokens(of: name) : [name]
    if isSecret(tokens[...], in: object, value) { return true }
    guard tokens.count == 1, object.property(name) == nil else { return false }
    // The members of an object may have pairs of their own.
    return object.properties.contains { property in
      object.schema(of: property).property(name).map { isSecret($0) && !lists($0, value) } ?? false
    }
  }

  /// The positions of the secret names among the name of a parameter and the names below it.
  func secretNames(in tokens: [String], _ location: Parameter.Location) -> [Int] {
    guard tokens.count > 1, let schemas = parameters.secret[Self.key(location, tokens[0])] else { return [] }
    return schemas.flatMap { Self.secretNames(in: Array(tokens.dropFirst()), of: $0) }.map { $0 + 1 }
  }

  /// Annotations, which count in every dialect: an author who writes `writeOnly` in Swagger 2.0 means it as well.
  private static let marks = ["writeOnly", "x-secret", "x-sensitive"]

  /// The schemas of a body, whole and as an array of its items; empty without schemas that are marked as secret.
  func schemas(of operation: Operation, status: Int?, _ type: MediaRange?) -> [ResolvedSchema] {
    guard members.hasMarks, contains(operation) else { return [] }
    let content = status.map { operation.response(for: $0)?.content } ?? operation.requestBody?.content
    guard let content else { return [] }
    let ranges = content.compactMap { media in MediaRange(media.range).map { ($0, media) } }
    let best = type.flatMap { MediaRange.mostSpecific(of: ranges.map(\.0), for: $0) } ?? (ranges.isEmpty ? nil : 0)
    guard let best else { return [] }
    let described = ContentSchemas(ranges[best].1, schemas)
    let items = described.item.map { ResolvedSchema.array(of: schemas.resolved($0)) }
    return [described.whole.map(schemas.resolved), items].compactMap(\.self)
  }

  func schema(ofArgument node: JSON) -> ResolvedSchema { schemas.resolved(node) }

  /// The number of tokens from a body to the outermost secret at or around a location; `nil` if its schema marks none.
  func depthOfSecret(
    at place: some Sequence<String>, of operation: Operation, status: Int?, _ type: MediaRange?
  ) -> Int? {
    schemas(of: operation, status: status, type).compactMap { Self.depthOfSecret(at: place, from: $0) }.min()
  }

  static func depthOfSecret(at place: some Sequence<String>, from schema: ResolvedSchema) -> Int? {
    var (schema, depth) = (schema, 0)
    for token in place {
      if Self.isSecret(schema) { return depth }
      let position = schema.property(token) == nil && schema.describesArray ? Int(token) : nil
      // The pointer itself has the name.
      if position == nil, Self.isSecret(name: token, in: schema) { return depth }
      schema = position.map { element($0, of: schema) } ?? member(token, of: schema)
      depth += 1
    }
    return Self.isSecret(schema) || Self.marksNames(schema) ? depth : nil
  }

  // MARK: - Members

  private final class Members: Sendable {
    let hasMarks: Bool
    let names: Set<String>

    init(hasMarks: Bool, names: Set<String>) { (self.hasMarks, self.names) = (hasMarks, names) }
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

  /// Whether a schema has such a word or a reference.
  private static func mayHaveMark(_ schema: JSON) -> Bool {
    let document = schema.document
    return hasMark(schema)
      || (schema.index..<document.end(of: schema.index)).contains { index in
        let text = JSON(document: document, index: index)
        return ["$ref", "$dynamicRef", "$recursiveRef"].contains { text.isString($0) }
      }
  }

  private static let schemaLimit = 100_000

  private func secretNames() -> Set<String> {
    var names: Set<String> = []
    var seen: Set<NodeID> = []
    var open: [JSON] = []
    for operation in api.operations {
      let bodies = (operation.requestBody?.content ?? []) + operation.responses.flatMap(\.content)
      open += bodies.flatMap { [$0.schema, $0.itemSchema].compactMap(\.self) }
    }
    while let node = open.popLast(), seen.count < Self.schemaLimit {
      guard seen.insert(node.id).inserted else { continue }
      let schema = schemas.resolved(node)
      if schema.describesElements { open.append(schema.element.node) }
      if schema.describesOthers { open.append(schema.other.node) }
      for property in schema.properties {
        let value = schema.schema(of: property)
        if [value, value.element, value.other].contains(where: Self.isSecretText) { names.insert(property.name) }
        open.append(property.schema)
      }
    }
    return names
  }
}
