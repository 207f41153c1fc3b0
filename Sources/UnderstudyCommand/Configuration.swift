import Understudy

/// `understudy.yaml`: what the flags would say, written down once. A flag wins over `UNDERSTUDY_*`, that over the file.
struct Configuration {
  /// Where it was found; `nil` when there is none.
  var path: String?
  var contracts: [String] = []
  /// The path, as it counts from here.
  var fixtures: Setting.Written?
  var port: Int?
  var host: String?
  var onInvalid: Setting.Written?
  var seed: String?
  var isDynamic: Bool?
  var allowsCrossOrigin: Bool?
  var usesBasePaths: Bool?
  var watches: Bool?
  /// `<operation>=<cell>`
  var force: [Setting.Written] = []
  var upstream: Setting.Written?
  var upstreamTimeout: Setting.Written?
  var fallback: Setting.Written?
  var rules = RuleSettings()
  var tokens: TokenSettings?
  var live = LiveConfiguration()

  /// Below which paths operations live: as a flag says, else as the file does.
  func basePaths(flag: Bool? = nil) -> BasePathPolicy { flag ?? usesBasePaths ?? true ? .servers : .fixed("") }

  private static let fileName = "understudy.yaml"
  private static let keys = [
    "contracts", "fixtures", "port", "host", "on-invalid", "seed", "dynamic", "cors", "base-path", "watch", "force",
    "upstream", "upstream-timeout", "fallback", "rules", "operations", "tokens", "verify",
  ]

  /// Reads the named file, or the nearest `understudy.yaml` from the working directory upward.
  static func find(named name: String?) -> (Configuration, [Diagnostic]) {
    guard let path = name ?? Environment["UNDERSTUDY_CONFIG"] ?? nearest() else { return (Configuration(), []) }
    let source: SourceFile
    do {
      source = try FileSystem.read(path)
    } catch {
      return (Configuration(), [Diagnostic(.configUnreadable, error.message, at: Location(path: path))])
    }
    do {
      let document = try TextDocument.read(source)
      var reader = ConfigurationReader(document: document, folder: Path.folder(of: path))
      return reader.read(path: path, known: keys)
    } catch {
      return (Configuration(), [Diagnostic(.configInvalid, error, in: source)])
    }
  }

  private static func nearest() -> String? {
    var folder = ""
    // Relative paths keep messages short; the root ends the climb.
    for _ in 0..<64 {
      let path = folder + fileName
      if FileSystem.exists(path) { return path }
      guard FileSystem.exists(folder + ".."), FileSystem.isSame(folder + "..", folder + "../..") == false else {
        return nil
      }
      folder += "../"
    }
    return nil
  }
}

/// Reads the keys of a config file; paths count from its folder.
private struct ConfigurationReader {
  let document: JSONDocument
  let folder: String
  var diagnostics: [Diagnostic] = []

  init(document: JSONDocument, folder: String) {
    self.document = document
    self.folder = folder
  }

  mutating func read(path: String, known: [String]) -> (Configuration, [Diagnostic]) {
    var configuration = Configuration(path: path)
    let root = document.root
    if root.isNull { return (configuration, []) }
    guard root.isObject else {
      reject("expected a mapping, found \(root.kindName)", root)
      return (configuration, diagnostics)
    }
    if let source = document.source {
      diagnostics += document.duplicates.map { Diagnostic(.configInvalid, $0, in: source) }
    }
    for member in root.members where !known.contains(member.name) {
      diagnostics.append(
        Diagnostic(
          .configUnknownKey, "unknown key `\(member.name)`", at: member.key,
          help: Suggestion.phrase(for: member.name, among: known) ?? "known: \(known.joined(separator: ", "))"))
    }
    configuration.contracts = texts(root["contracts"]).map { Path.join(folder, $0) }
    configuration.fixtures = written(root["fixtures"]).map {
      Setting.Written(text: Path.join(folder, $0.text), location: $0.location)
    }
    configuration.host = text(root["host"])
    configuration.onInvalid = written(root["on-invalid"])
    configuration.seed = root["seed"].flatMap { $0.kind == .number ? $0.text : text($0) }
    configuration.isDynamic = flag(root["dynamic"])
    configuration.allowsCrossOrigin = flag(root["cors"])
    configuration.usesBasePaths = flag(root["base-path"])
    configuration.watches = flag(root["watch"])
    configuration.upstream = written(root["upstream"])
    configuration.upstreamTimeout = written(root["upstream-timeout"])
    configuration.fallback = written(root["fallback"])
    var rules = RuleSettingsReader()
    configuration.rules = rules.read(root)
    diagnostics += rules.diagnostics
    var tokens = TokenSettingsReader(folder: folder)
    configuration.tokens = tokens.read(root["tokens"])
    diagnostics += tokens.diagnostics
    var live = LiveSettingsReader()
    configuration.live = live.read(root["verify"])
    diagnostics += live.diagnostics
    if let node = root["port"] {
      configuration.port = node.int
      if node.int.map({ 0...65_535 ~= $0 }) != true { reject("expected a port from 0 to 65535", node) }
    }
    if let node = root["force"] {
      if node.isObject {
        configuration.force = node.members.map { member in
          let cell = member.value.isString || member.value.kind == .number ? member.value.text : ""
          return Setting.Written(text: "\(member.name)=\(cell)", location: Location(member.key))
        }
      } else {
        reject("expected a mapping of operations to cells, as in `joinQueue: penaltyFirst`", node)
      }
    }
    return (configuration, diagnostics)
  }

  private mutating func texts(_ node: JSON?) -> [String] {
    guard let node else { return [] }
    return node.isArray ? node.elements.compactMap { text($0) } : text(node).map { [$0] } ?? []
  }

  private mutating func text(_ node: JSON?) -> String? {
    guard let node else { return nil }
    if node.string == nil { reject("expected text, found \(node.kindName)", node) }
    return node.string
  }

  private mutating func written(_ node: JSON?) -> Setting.Written? {
    guard let node, let text = text(node) else { return nil }
    return Setting.Written(text: text, location: Location(node))
  }

  private mutating func flag(_ node: JSON?) -> Bool? {
    guard let node else { return nil }
    if node.bool == nil { reject("expected `true` or `false`, found \(node.kindName)", node) }
    return node.bool
  }

  private mutating func reject(_ message: String, _ node: JSON) {
    diagnostics.append(Diagnostic(.configInvalid, message, at: node))
  }
}
