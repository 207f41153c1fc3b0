import UnderstudyVerification

/// The settings of `understudy.yaml`. A flag takes precedence over `UNDERSTUDY_*`, and that over the file.
@dynamicMemberLookup
struct Configuration {
  /// `nil` if there is no file.
  var path: String?
  var contracts: [ContractSource] = []
  var reading = ContractReading()
  var rules = RuleSettings()
  var tokens: TokenSettings?
  /// The values by keys, which differ between the sections of the file.
  private var settings: [String: any Sendable] = [:]

  /// The value of a setting in the file.
  subscript<Value>(dynamicMember setting: KeyPath<SettingKeys, SettingKey<Value>>) -> Value? {
    SettingKeys.all[keyPath: setting].names.key.flatMap { settings[$0] as? Value }
  }

  /// The base paths of operations, by the flag or the file.
  func basePaths(flag: Bool? = nil) -> BasePathPolicy { flag ?? self.basePath ?? true ? .servers : .fixed("") }

  static let fileName = "understudy.yaml"
  private static let keys = [
    "contracts", "rules", "operations", "references", "overlays", "formats", "tokens", "verify",
  ]

  /// Reads the named file, or the nearest `understudy.yaml` from the working folder upward.
  static func find(named name: String?) -> (Configuration, [Diagnostic]) {
    guard let path = Setting(\.config, flag: name)?.text ?? nearest() else { return (Configuration(), []) }
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
    let root = reader.root(of: document)
    let (live, general) = (SettingKeys.keys(isLive: true), SettingKeys.keys(isLive: false))
    guard !root.isNull,
      let root = reader.mapping(root, "a mapping, as in `contracts: [api.yaml]`", keys: Self.keys + general)
    else { return }
    let verify = reader.mapping(root["verify"], "a mapping, as in `verify: {live: {url: ...}}`", keys: ["live"])
    let liveNode = reader.mapping(verify?["live"], "a mapping, as in `live: {url: http://localhost:8080}`", keys: live)
    for setting in SettingKeys.list {
      guard let key = setting.names.key else { continue }
      settings[key] = setting.value(in: setting.names.isLive ? liveNode : root, reader)
    }
    reading = ContractReading(root, reader)
    if let allowed = self.allowFiles { reading.access.formUnion(allowed) }
    reading.access.allowProject(of: path)
    contracts = Self.contracts(root["contracts"], reading, reader)
    rules = RuleSettingsReader(reader: reader).read(root)
    tokens = TokenSettingsReader(reader: reader).read(root["tokens"])
  }

  /// `contracts: api.yaml`, or a list of files, URLs and mappings: `{name: billing, file: billing/openapi.yaml}`.
  private static func contracts(
    _ node: JSON?, _ reading: ContractReading, _ reader: SettingsReader
  ) -> [ContractSource] {
    guard let node else { return [] }
    return (node.isArray ? Array(node.elements) : [node]).compactMap { contract($0, reading, reader) }
  }

  private static func contract(
    _ node: JSON, _ reading: ContractReading, _ reader: SettingsReader
  ) -> ContractSource? {
    var own = reading
    own.listing = Location(node["file"] ?? node)
    guard node.isObject else { return reader.text(node).map { ContractSource(reader.place($0), reading: own) } }
    _ = reader.mapping(node, "a contract", keys: ["name", "file", "overlays"])
    guard let file = node["file"] else {
      reader.reject("expected `file`, as in `{name: billing, file: billing/openapi.yaml}`", node)
      return nil
    }
    let name = reader.text(node["name"])
    if let name, let value = node["name"], !ContractSource.canName(name) {
      reader.reject(
        "`\(name)` cannot name a folder of fixtures: expected a name without `/` that starts with a letter", value)
    }
    own.overlays.files += reader.texts(node["overlays"]).map(reader.place)
    return reader.text(file).map { ContractSource(reader.place($0), name: name, reading: own) }
  }
}
