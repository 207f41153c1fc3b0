/// Reads `x-understudy-resource` of a contract, and `_resources.yaml` beside its fixtures, which takes precedence:
///
///     messages:
///       id: _id
///       user: header.idtoken
///       create: {operation: sendChat, set: {to: path.uid, from: user, createdAt: now}}
///       list: {operation: readChat, where: [{to: path.uid, from: user}], after: {createdAt: query.since}}
package struct ResourceDescriptionReader {
  let contract: ResourceContract
  private var findings: MappingReader

  package static let extensionName = "x-understudy-resource"
  static let fileName = "_resources.yaml"
  private static let keys = ["id", "user", "references", "single"] + ResourceVerb.allCases.map(\.rawValue)
  private static let actionKeys = ["operation", "set", "where", "after", "page-size"]

  /// - Parameter rule: That of the findings.
  package init(contract: ResourceContract, rule: Rule = .configInvalid) {
    self.contract = contract
    findings = MappingReader(rule)
  }

  package var diagnostics: [Diagnostic] { findings.all }

  package mutating func actions() -> [ObjectIdentifier: ResourceAction] {
    var found: [ObjectIdentifier: ResourceAction] = [:]
    for root in [contract.compiled.api.root[Self.extensionName], file()].compactMap(\.self) {
      found.merge(actions(in: root)) { _, later in later }
    }
    return found
  }

  mutating func actions(in root: JSON) -> [ObjectIdentifier: ResourceAction] {
    guard findings.isMapping(root, "a mapping of collections") else { return [:] }
    var found: [ObjectIdentifier: ResourceAction] = [:]
    for member in root.members { found.merge(collection(member.name, member.value)) { _, later in later } }
    return found
  }

  /// The file beside the fixtures, if there is one.
  package var path: String? {
    let path = Path.join(contract.folder, Self.fileName)
    return FileSystem.exists(path) ? path : nil
  }

  private mutating func file() -> JSON? {
    guard let path else { return nil }
    do {
      let source = try FileSystem.read(path, within: contract.compiled.api.access)
      let root = findings.root(of: try TextDocument.read(source))
      return root.isNull ? nil : root
    } catch let error as FileProblem {
      findings.add(Diagnostic(unreadableFixture: error))
      return nil
    } catch {
      findings.add(Diagnostic(findings.invalid, "\(error)", at: Location(path: path)))
      return nil
    }
  }

  private mutating func collection(_ name: String, _ node: JSON) -> [ObjectIdentifier: ResourceAction] {
    guard findings.isMapping(node, "a description of `\(name)`"), findings.checkKeys(of: node, Self.keys) else {
      return [:]
    }
    let actions = ResourceVerb.allCases.flatMap { verb in
      let actions = node[verb.rawValue].map { $0.isArray ? Array($0.elements) : [$0] } ?? []
      return actions.compactMap { action in operation(of: action).map { (verb, $0, action) } }
    }
    let user = node["user"].flatMap { source($0) }
    let operations = Dictionary(actions.map { ($0.0, $0.1) }) { first, _ in first }
    let schemas = contract.compiled.schemas
    let idMember = node["id"]?.string
    let list = operations[.list]
    let read = operations[.read]
    let shown = list?.resourceResponse.flatMap { ResourceShape.many($0.schema, schemas) }?.item
    let single = [read, operations[.create]].compactMap { $0?.resourceResponse?.schema }.first
    guard let item = shown ?? single else {
      if !actions.isEmpty { findings.report("no operation of `\(name)` answers with its items as JSON", at: node) }
      return [:]
    }
    let isSingle = flag(node["single"])
    let references = references(node["references"])
    let seeding = ResourceSeeds(contract: contract, idMember: idMember)
    let seeds = isSingle ? seeding.single(of: read) : seeding.values(list: list, read: read)
    let collection = ResourceCollection(
      name: name, segments: [name], item: item, idMember: idMember,
      idSchema: idMember.flatMap { schemas.resolved(item).property($0)?.node }, user: user, schemas: schemas,
      seeds: seeds, reader: read, references: references, isSingle: isSingle)
    var found: [ObjectIdentifier: ResourceAction] = [:]
    for (verb, operation, node) in actions {
      found[ObjectIdentifier(operation)] = action(verb, collection, operation, node)
    }
    return found
  }

  private mutating func flag(_ node: JSON?) -> Bool {
    node.flatMap { $0.bool ?? findings.reject(expected: "`true` or `false`", $0) } ?? false
  }

  private mutating func references(_ node: JSON?) -> [ResourceReference] {
    guard let node, findings.isMapping(node, "a mapping of members to collections") else { return [] }
    return node.members.compactMap { member in
      guard let name = member.value.string else {
        return findings.reject(expected: "the name of a collection", member.value)
      }
      return ResourceReference(member: member.name, collection: name)
    }
  }

  private mutating func operation(of node: JSON) -> CompiledOperation? {
    if node.isObject, !findings.checkKeys(of: node, Self.actionKeys) { return nil }
    let name = node.string ?? node["operation"]?.string
    guard let name, let found = contract.operations.first(where: { $0.isNamed(name) && name != "*" }) else {
      return findings.reject(
        name.map { "unknown operation `\($0)`" } ?? "expected the id of an operation, or a mapping with `operation`",
        at: node["operation"] ?? node,
        help: name.flatMap { Suggestion.phrase(for: $0, among: contract.operations.map(\.id)) })
    }
    return found
  }

  private mutating func action(
    _ verb: ResourceVerb, _ collection: ResourceCollection, _ operation: CompiledOperation, _ node: JSON
  ) -> ResourceAction {
    var action = ResourceAction(verb: verb, collection: collection)
    let path = operation.operation.path.split(separator: "/").last.map(String.init)
    if verb != .create, verb != .list { action.idParameter = path.flatMap(ResourceCollection.parameter) }
    action.sets = sources(node["set"])
    action.cursors = sources(node["after"])
    if let size = node["page-size"] {
      action.pageSize = size.int.flatMap { $0 > 0 ? $0 : nil } ?? findings.reject(expected: "a number from 1", size)
    }
    if let alternatives = node["where"] {
      action.alternatives = (alternatives.isArray ? Array(alternatives.elements) : [alternatives]).map { sources($0) }
    }
    return action
  }

  private mutating func sources(_ node: JSON?) -> [(member: String, source: ResourceSource)] {
    guard let node, findings.isMapping(node, "a mapping of members to values of the request") else { return [] }
    return node.members.compactMap { member in source(member.value).map { (member.name, $0) } }
  }

  private mutating func source(_ node: JSON) -> ResourceSource? {
    if let source = node.string.flatMap({ ResourceSource($0) }) { return source }
    return findings.reject(
      "`\(node.plainText)` is not a value of a request", at: node,
      help: "expected path.NAME, query.NAME, header.NAME, body.NAME, user or now")
  }
}
