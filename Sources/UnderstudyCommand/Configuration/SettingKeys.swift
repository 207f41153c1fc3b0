import UnderstudyVerification

/// The settings that have more than a flag, each declared once.
struct SettingKeys: Sendable {
  static let all = SettingKeys()
  static let list = Mirror(reflecting: all).children.compactMap { $0.value as? any AnySettingKey }

  /// The keys at the root of `understudy.yaml`, or below `verify: live:`.
  static func keys(isLive: Bool) -> [String] { list.filter { $0.names.isLive == isLive }.compactMap(\.names.key) }

  let config = SettingKey<Setting.Written>("config", variable: "UNDERSTUDY_CONFIG")
  let cacert = SettingKey<Setting.Written>("cacert", variable: "SSL_CERT_FILE")
  let allowFiles = SettingKey("allow-files", variable: "UNDERSTUDY_ALLOW_FILES") { AllowedFiles.access($0, $1) }

  let fixtures = SettingKey("fixtures", variable: "UNDERSTUDY_FIXTURES") { $1.pathSetting($0) }
  let host = SettingKey("host", variable: "UNDERSTUDY_HOST") { $1.setting($0) }
  let port = SettingKey("port", variable: "UNDERSTUDY_PORT") { $1.port($0) }
  let store = SettingKey("store", variable: "UNDERSTUDY_STORE") { StoreOptions.setting($0, $1) }
  let onInvalid = SettingKey("on-invalid", variable: "UNDERSTUDY_ON_INVALID") { $1.setting($0) }
  let seed = SettingKey("seed", variable: "UNDERSTUDY_SEED") { $1.numberOrText($0) }
  let dynamic = SettingKey("dynamic") { $1.flag($0) }
  let stateful = SettingKey("stateful") { $1.flag($0) }
  let callbacks = SettingKey("callbacks") { $1.flag($0) }
  let allowCallbacks = SettingKey("allow-callbacks") { $1.texts($0) }
  let cors = SettingKey("cors") { $1.flag($0) }
  let basePath = SettingKey("base-path") { $1.flag($0) }
  let watch = SettingKey("watch") { $1.flag($0) }
  let force = SettingKey("force") { AnswerOptions.forced($0, $1) }
  let delay = SettingKey("delay") { FaultOptions.delays($0, $1) }
  let fault = SettingKey("fault") { FaultOptions.faults("fault", $0, $1) }
  let faults = SettingKey("faults", hasFlag: false) { FaultOptions.faults("faults", $0, $1) }
  let network = SettingKey("network", variable: "UNDERSTUDY_NETWORK") { $1.setting($0) }
  let redact = SettingKey("redact") { RedactionSettings($0, $1) }

  let upstream = SettingKey("upstream", variable: "UNDERSTUDY_UPSTREAM") { $1.setting($0) }
  let upstreamTimeout = SettingKey("upstream-timeout") { $1.setting($0) }
  let upstreamHTTP = SettingKey("upstream-http") { $1.numberOrText($0) }
  let upstreamConnections = SettingKey("upstream-connections") { $1.numberOrText($0) }
  let fallback = SettingKey("fallback", variable: "UNDERSTUDY_FALLBACK") { $1.setting($0) }

  let liveURL = SettingKey("url", flag: "live", isLive: true) { $1.setting($0) }
  let headers = SettingKey("headers", flag: "header", isLive: true) { $1.settings($0) }
  /// The credentials by security scheme.
  let auth = SettingKey("auth", hasFlag: false, isLive: true) { $1.settings($0) }
  let before = SettingKey("before", isLive: true) { $1.text($0) }
  let after = SettingKey("after", isLive: true) { $1.text($0) }
  let tags = SettingKey("tags", flag: "tag", isLive: true) { $1.texts($0) }
  let paths = SettingKey("paths", flag: "path", isLive: true) { $1.texts($0) }
  let excludedOperations = SettingKey("exclude-operations", flag: "exclude-operation", isLive: true) { $1.texts($0) }
  /// The values by parameter, operation and parameter, or schema.
  let parameterValues = SettingKey("values", hasFlag: false, isLive: true) { LiveOptions.values($0, $1) }
}
