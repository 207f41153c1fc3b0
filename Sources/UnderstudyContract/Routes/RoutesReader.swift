/// Reads a routes file, the simplest kind of contract: `routes: {GET /health: ok}`.
///
/// Each route becomes an operation of the model, and each of its replies a fixture.
struct RoutesReader {
  private let root: JSON
  private let resolver: ReferenceResolver
  private var findings = MappingReader(.routesInvalid)
  private var names = OperationNames()
  private var operations: [Operation] = []
  private var replies = RouteReplies()
  /// The first route of each method and shape.
  private var shapes: [Shape: JSON] = [:]

  private struct Shape: Hashable {
    var method: String
    var segments: [[PathTemplate.Part]]
  }

  private static let keys = ["routes", "title", "x-understudy"]
  private static let servers = [Server("/")]

  /// Whether a document is a routes file. A document with a version is OpenAPI, and Mockoon has a list of routes.
  static func isFor(_ root: JSON) -> Bool {
    guard let routes = root["routes"], root["openapi"] == nil, root["swagger"] == nil else { return false }
    return routes.isObject || routes.isNull
  }

  static func read(_ root: JSON, name: String, from store: DocumentStore) -> API {
    var reader = RoutesReader(root: root, resolver: ReferenceResolver(store: store))
    reader.read()
    return API(
      name: name, title: root["title"]?.string ?? "", specification: .openAPI31, root: root, servers: servers,
      operations: reader.operations, resolver: reader.resolver, diagnostics: reader.findings.all,
      routes: reader.replies)
  }

  private init(root: JSON, resolver: ReferenceResolver) { (self.root, self.resolver) = (root, resolver) }

  private mutating func read() {
    _ = findings.root(of: root.document)
    findings.checkKeys(of: root, Self.keys)
    guard let routes = root["routes"], routes.count > 0 else {
      findings.report("the file has no routes", at: root["routes"] ?? root, help: "write `routes: {GET /health: ok}`")
      return
    }
    operations.reserveCapacity(routes.count)
    for member in routes.distinctMembers { read(member) }
  }

  private mutating func read(_ member: JSON.Member) {
    let key: RouteKey
    do throws(RouteKey.Problem) {
      key = try RouteKey(member.name)
    } catch {
      return findings.report(error.message, at: member.key, help: error.help)
    }
    let template = PathTemplate(key.path, isRoute: true)
    let shape = template.shape
    let found = RouteValueReader.read(
      member.value, of: template, folder: Path.folder(of: root.path), within: resolver.store.access)
    findings.add(found.findings)
    guard let status = found.defaultStatus else { return }
    replies.folders += found.folders
    let parameters = Self.parameters(of: template, member.key)
    for method in key.methods {
      if let other = shapes.updateValue(member.key, forKey: Shape(method: method, segments: shape)) {
        shapes[Shape(method: method, segments: shape)] = other
        report(member.key, method, after: other)
        continue
      }
      let id = names.id(operationId: nil, method: method, path: key.path)
      operations.append(
        Operation(
          id: id, operationId: nil, method: method, path: key.path, summary: member.value["summary"]?.string,
          tags: [], isDeprecated: false, parameters: parameters, responses: found.responses, security: [],
          servers: Self.servers, node: member.value, pathNode: member.key, defaultStatus: status))
      replies.byOperation[id] = found.replies
    }
  }

  private mutating func report(_ key: JSON, _ method: String, after other: JSON) {
    findings.add(
      Diagnostic(
        .routesClash, "`\(key.text)` is the same route as `\(other.text)`, which responds to \(method)",
        at: Location(start: key), notes: [Diagnostic.Note("this one responds", at: Location(start: other))],
        help:
          "names of variables do not distinguish routes: remove one, or list both replies with a `when` in one route"))
  }

  private static func parameters(of template: PathTemplate, _ node: JSON) -> [Parameter] {
    template.names.map { name in
      let name = String(decoding: name, as: UTF8.self)
      let schema = template.patterns[name].map { pattern in
        JSON.object([("type", "string"), ("pattern", .string("^(?:\(pattern))$"))])
      }
      var parameter = Parameter(name, in: .path, isRequired: true, schema: schema)
      parameter.node = node
      return parameter
    }
  }
}
