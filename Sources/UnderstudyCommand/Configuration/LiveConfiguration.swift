import UnderstudyVerification

/// `verify: live:` of `understudy.yaml`.
struct LiveConfiguration {
  var url: Setting.Written?
  var headers: [(name: String, text: Setting.Written)] = []
  /// By security scheme.
  var auth: [(name: String, text: Setting.Written)] = []
  var before: String?
  var after: String?
  var tags: [String] = []
  var paths: [String] = []
  var excludedOperations: [String] = []
  /// By parameter, operation and parameter, or schema.
  var values: [(name: String, values: [JSON], location: Location)] = []
}

extension LiveConfiguration {
  /// - Parameter node: The value of `verify`.
  init(_ node: JSON?, _ reader: SettingsReader) {
    let verify = reader.mapping(node, "a mapping, as in `verify: {live: {url: ...}}`", keys: ["live"])
    let live = reader.mapping(
      verify?["live"], "a mapping, as in `live: {url: http://localhost:8080}`",
      keys: ["url", "headers", "auth", "before", "after", "tags", "paths", "exclude-operations", "values"])
    url = reader.setting(live?["url"])
    headers = reader.settings(live?["headers"])
    auth = reader.settings(live?["auth"])
    before = reader.text(live?["before"])
    after = reader.text(live?["after"])
    tags = reader.texts(live?["tags"])
    paths = reader.texts(live?["paths"])
    excludedOperations = reader.texts(live?["exclude-operations"])
    let values = reader.mapping(
      live?["values"], "a mapping of parameters to values, as in `values: {petId: [1, 2]}`")
    self.values =
      values?.members.map { ($0.name, $0.value.isArray ? Array($0.value.elements) : [$0.value], Location($0.key)) }
      ?? []
  }
}
