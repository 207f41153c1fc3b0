/// What a contract lacks, as an OpenAPI Overlay 1.0 that a person reviews: paths, statuses, fields and enum values.
struct ContractOverlay: Sendable {
  private struct Target: Hashable, Sendable {
    /// A JSONPath (RFC 9535).
    var path: String
    var name: String
  }

  private var paths: ContractDraft
  private var statuses: [String: [Int: ResponseDraft]] = [:]
  private var members: [Target: SchemaDraft] = [:]
  private var values: [Target: JSON] = [:]
  private let api: API

  init(of api: API) {
    self.api = api
    paths = ContractDraft(beside: api)
  }

  /// An exchange that reaches no operation.
  mutating func add(missed entry: Exchange, basePaths: [String]) {
    var entry = entry
    var reference = URIReference(entry.url)
    if let base = basePaths.first(where: { !$0.isEmpty && reference.path.utf8.starts(with: $0.utf8) }) {
      reference.path = String(reference.path.dropFirst(base.count))
    }
    entry.url = reference.description
    paths.add(entry)
  }

  /// An answer of an operation, without its secrets.
  mutating func add(_ answer: Exchange.Response, of operation: CompiledOperation) {
    let type = answer.fields.contentType.flatMap { MediaRange($0) }
    guard let response = operation.operation.response(for: answer.status), response.status != .default else {
      if let target = path(of: operation.operation.node) {
        statuses["\(target).responses", default: [:]][answer.status, default: ResponseDraft()].add(
          answer, method: operation.operation.method)
      }
      return
    }
    guard type?.syntax == .json, let root = try? JSONParser.parse(answer.body.bytes).root else { return }
    walk(root, operation.schema(ofAnswer: answer.status, type: type))
  }

  /// Recursive, since the parser limits the depth.
  private mutating func walk(_ value: JSON, _ schema: ResolvedSchema) {
    if let listed = schema.enumeration, !listed.contains(value), value.isString || value.kind == .number,
      let part = schema.parts.first(where: { $0[.enum] != nil }), let node = part[.enum], let target = path(of: node)
    {
      values[Target(path: target, name: value.text)] = value
    }
    switch value.kind {
    case .array: for element in value.elements { walk(element, schema.element) }
    case .object:
      let owner = schema.parts.first { $0[.properties] != nil }?.schema
      for member in value.members {
        if let property = schema.property(member.name) {
          walk(member.value, property)
        } else if schema.describesOthers {
          walk(member.value, schema.other)
        } else if let owner, !VolatileText.isKey(member.name), let target = path(of: owner) {
          members[Target(path: target, name: member.name), default: SchemaDraft()].add(member.value)
        }
      }
    default: break
    }
  }

  /// The JSONPath of a node of the contract's first file; `nil` for a node of another.
  private func path(of node: JSON) -> String? {
    guard node.document === api.root.document else { return nil }
    return node.pointer.tokens.reduce("$") { path, token in
      let isPlain =
        !token.isEmpty
        && token.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
            || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        }
      return path + (isPlain ? ".\(token)" : "['\(token.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']")
    }
  }

  /// `nil` if the contract lacks nothing.
  var yaml: String? {
    let isSwagger = api.root["swagger"] != nil
    var actions: [JSON] = []
    if paths.exchanges > 0, !isSwagger {
      actions.append(Self.action("$.paths", "operations that the contract lacks", paths.pathItems()))
    }
    for (target, responses) in statuses.sorted(by: { $0.key < $1.key }) {
      let update = responses.sorted { $0.key < $1.key }.map {
        (String($0.key), $0.value.json($0.key, isSwagger: isSwagger))
      }
      actions.append(Self.action(target, "undocumented statuses", .object(update)))
    }
    for (path, found) in Dictionary(grouping: members, by: \.key.path).sorted(by: { $0.key < $1.key }) {
      let properties = found.sorted { $0.key.name < $1.key.name }.map {
        ($0.key.name, $0.value.json(named: $0.key.name))
      }
      actions.append(Self.action(path, "undocumented fields", ["properties": .object(properties)]))
    }
    for (target, value) in values.sorted(by: { ($0.key.path, $0.key.name) < ($1.key.path, $1.key.name) }) {
      actions.append(Self.action(target.path, "an undocumented value", value))
    }
    guard !actions.isEmpty else { return nil }
    return YAMLText.of([
      "overlay": "1.0.0", "info": ["title": .string("What \(api.name) lacks"), "version": "0.1.0"],
      "actions": .array(actions),
    ])
  }

  private static func action(_ target: String, _ description: String, _ update: JSON) -> JSON {
    ["target": .string(target), "description": .string(description), "update": update]
  }
}
