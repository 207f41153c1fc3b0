/// Reads OpenAPI 3.0, 3.1 and 3.2; one extension per noun of the specification.
struct OpenAPI3Reader {
  let root: JSON
  var reading: Reading
  var names = OperationNames()
  var rootServers: [Server] = []
  var rootSecurity: [SecurityRequirement] = []
  /// Shared parts by their place: read once, and their arrays are shared by everyone who refers to them.
  var parameters: [NodeID: Parameter] = [:]
  var requestBodies: [NodeID: RequestBody] = [:]
  var responses: [NodeID: Response] = [:]
  var mediaTypes: [NodeID: MediaTypeObject] = [:]
  var headers: [NodeID: Header] = [:]
  var callbacks: [NodeID: [Callback]] = [:]
  /// How many callbacks the reader is inside of.
  var callbackDepth = 0

  static func read(_ root: JSON, name: String, _ reading: Reading) -> API {
    var reader = OpenAPI3Reader(root: root, reading: reading)
    return reader.read(name: name)
  }

  private init(root: JSON, reading: Reading) {
    self.root = root
    self.reading = reading
  }

  private mutating func read(name: String) -> API {
    let info = InfoReader.read(root, &reading)
    let declared = servers(root)
    rootServers = declared.isEmpty ? [Server(url: "/", variables: [], node: nil)] : declared
    rootSecurity = security(root) ?? []
    // From 3.1 on a document may hold components or webhooks alone.
    let others = reading.specification == .openAPI30 ? nil : root["components"] ?? root["webhooks"]
    if (root["paths"] ?? others) == nil { reading.reportMissing("paths", root, "contract") }

    var operations: [Operation] = []
    for member in reading.map(root, "paths", hasExtensions: true) {
      let path = member.name
      guard path.utf8.first == UInt8(ascii: "/") else {
        reading.report(.pathWithoutSlash(member.key))
        continue
      }
      operations += self.operations(member.value, path: path)
    }
    var webhooks: [Operation] = []
    if reading.specification >= .openAPI31 {
      for member in reading.map(root, "webhooks") { webhooks += self.operations(member.value, path: member.name) }
    }
    let schemes = securitySchemes()
    return API(
      name: name, title: info.title, version: info.version, specification: reading.specification, root: root,
      servers: rootServers, operations: operations, webhooks: webhooks, securitySchemes: schemes,
      resolver: reading.resolver, diagnostics: reading.diagnostics)
  }
}

/// The Info Object, alike in all versions.
enum InfoReader {
  static func read(_ root: JSON, _ reading: inout Reading) -> (title: String, version: String) {
    guard let value = root["info"], let info = reading.object(value, "`info`") else {
      if root["info"] == nil {
        reading.report(Diagnostic(.specInfoMissing, "the contract has no `info` with its title and version", at: root))
      }
      return ("", "")
    }
    for key in ["title", "version"] where info[key] == nil {
      reading.report(Diagnostic(.specInfoMissing, "`info` has no `\(key)`", at: info))
    }
    // `version: 1.0` without quotes is a number in YAML; nobody means one.
    func text(_ key: String) -> String { info[key].map { $0.isString || $0.kind == .number ? $0.text : "" } ?? "" }
    return (text("title"), text("version"))
  }
}
