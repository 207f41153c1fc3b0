import UnderstudyMock
import UnderstudySockets
import UnderstudyVerification

/// The settings of `understudy.yaml`. A flag takes precedence over `UNDERSTUDY_*`, and that over the file.
struct Configuration {
  /// `nil` if there is no file.
  var path: String?
  var contracts: [ContractSource] = []
  var reading = ContractReading()
  /// The path, relative to the working folder.
  var fixtures: Setting.Written?
  var port: Int?
  var host: String?
  var onInvalid: Setting.Written?
  var seed: String?
  var isDynamic: Bool?
  var isStateful: Bool?
  var allowsCrossOrigin: Bool?
  var usesBasePaths: Bool?
  var watches: Bool?
  /// `<operation>=<cell>`
  var force: [Setting.Written] = []
  /// The keys `delay`, `fault` and `faults`.
  var faults: [FaultRule] = []
  var socketFaults: [SocketFault] = []
  var network: Setting.Written?
  var upstream: Setting.Written?
  var upstreamTimeout: Setting.Written?
  var upstreamHTTP: Setting.Written?
  var upstreamConnections: Setting.Written?
  var fallback: Setting.Written?
  var rules = RuleSettings()
  var redaction = RedactionSettings()
  var tokens: TokenSettings?
  var live = LiveConfiguration()

  /// The base paths of operations, by the flag or the file.
  func basePaths(flag: Bool? = nil) -> BasePathPolicy { flag ?? usesBasePaths ?? true ? .servers : .fixed("") }

  static let fileName = "understudy.yaml"
  private static let keys = [
    "contracts", "fixtures", "port", "host", "on-invalid", "seed", "dynamic", "cors", "base-path", "watch", "force",
    "delay", "fault", "faults", "network", "stateful", "upstream", "upstream-timeout", "upstream-http",
    "upstream-connections", "fallback", "rules", "operations",
    "redact", "references", AllowedFiles.key, "formats", "tokens", "verify",
  ]

  /// Reads the named file, or the nearest `understudy.yaml` from the working folder upward.
  static func find(named name: String?) -> (Configuration, [Diagnostic]) {
    guard let path = name ?? Environment["UNDERSTUDY_CONFIG"] ?? nearest() else { return (Configuration(), []) }
    let source: SourceFile
    do {
      source = try FileSystem.read(path)
    } catch {
      let problem = Diagnostic(.configUnreadable, error.message, at: Location(path: path), help: error.help)
      return (Configuration(), [problem])
    }
    do {
      let reader = SettingsReader(folder: Path.folder(of: path))
      let configuration = Configuration(try TextDocument.read(source), path: path, reader)
      return (configuration, reader.diagnostics)
    } catch {
      return (Configuration(), [Diagnostic(.configInvalid, error, in: source)])
    }
  }

  private static func nearest() -> String? {
    var folder = ""
    // Relative paths keep messages short. The search ends at the root.
    for _ in 0..<64 {
      let path = folder + fileName
      // A link that leads nowhere is an error, not a missing file.
      if FileSystem.isTaken(path) { return path }
      guard FileSystem.exists(folder + ".."), FileSystem.isSame(folder + "..", folder + "../..") == false else {
        return nil
      }
      folder += "../"
    }
    return nil
  }
}

extension Configuration {
  private init(_ document: JSONDocument, path: String, _ reader: SettingsReader) {
    self.path = path
    guard !document.root.isNull, let root = reader.mapping(reader.root(of: document), "a mapping", keys: Self.keys)
    else { return }
    reading = ContractReading(root, reader)
    reading.access.allowProject(of: path)
    contracts = Self.contracts(root["contracts"], reading, reader)
    fixtures = reader.setting(root["fixtures"]).map {
      Setting.Written(text: reader.path($0.text), location: $0.location)
    }
    host = reader.text(root["host"])
    onInvalid = reader.setting(root["on-invalid"])
    seed = root["seed"].flatMap { $0.kind == .number ? $0.text : reader.text($0) }
    isDynamic = reader.flag(root["dynamic"])
    isStateful = reader.flag(root["stateful"])
    allowsCrossOrigin = reader.flag(root["cors"])
    usesBasePaths = reader.flag(root["base-path"])
    watches = reader.flag(root["watch"])
    upstream = reader.setting(root["upstream"])
    upstreamTimeout = reader.setting(root["upstream-timeout"])
    func number(_ key: String) -> Setting.Written? {
      root[key].flatMap { node in
        (node.kind == .number ? node.text : reader.text(node)).map {
          Setting.Written(text: $0, location: Location(node))
        }
      }
    }
    upstreamHTTP = number("upstream-http")
    upstreamConnections = number("upstream-connections")
    fallback = reader.setting(root["fallback"])
    rules = RuleSettingsReader(reader: reader).read(root)
    redaction = RedactionSettings(root["redact"], reader)
    tokens = TokenSettingsReader(reader: reader).read(root["tokens"])
    live = LiveConfiguration(root["verify"], reader)
    faults = FaultOptions.rules(root, reader)
    socketFaults = FaultOptions.socketFaults(root, reader)
    network = reader.setting(root["network"])
    if let node = root["port"] {
      port = node.int
      if node.int.map({ 0...65_535 ~= $0 }) != true { reader.reject("expected a port from 0 to 65535", node) }
    }
    let force = reader.mapping(
      root["force"], "a mapping of operations to cells, as in `joinQueue: penaltyFirst`")
    self.force =
      force?.members.map { member in
        let cell = member.value.isString || member.value.kind == .number ? member.value.text : ""
        return Setting.Written(text: "\(member.name)=\(cell)", location: Location(member.key))
      } ?? []
  }

  /// `contracts: api.yaml`, or a list of files, URLs and `{name: billing, file: billing/openapi.yaml}`.
  private static func contracts(
    _ node: JSON?, _ reading: ContractReading, _ reader: SettingsReader
  ) -> [ContractSource] {
    guard let node else { return [] }
    return (node.isArray ? Array(node.elements) : [node]).compactMap { contract($0, reading, reader) }
  }

  private static func contract(
    _ node: JSON, _ reading: ContractReading, _ reader: SettingsReader
  ) -> ContractSource? {
    guard node.isObject else { return reader.text(node).map { ContractSource(path($0, reader), reading: reading) } }
    _ = reader.mapping(node, "a contract", keys: ["name", "file"])
    guard let file = node["file"] else {
      reader.reject("expected `file`, as in `{name: billing, file: billing/openapi.yaml}`", node)
      return nil
    }
    let name = reader.text(node["name"])
    if let name, let value = node["name"], !ContractSource.canName(name) {
      reader.reject(
        "`\(name)` cannot name a folder of fixtures: expected a name without `/` that starts with a letter", value)
    }
    return reader.text(file).map { ContractSource(path($0, reader), name: name, reading: reading) }
  }

  /// Files are relative to the folder of the config file, URLs are not.
  private static func path(_ text: String, _ reader: SettingsReader) -> String {
    URIReference(text).isRemote ? text : reader.path(text)
  }
}
