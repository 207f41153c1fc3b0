import Understudy

/// `verify: live:` of `understudy.yaml`.
struct LiveConfiguration {
  var url: Setting.Written?
  var headers: [(name: String, text: Setting.Written)] = []
  /// By security scheme.
  var auth: [(name: String, text: Setting.Written)] = []
  var before: String?
  var after: String?
}

extension LiveConfiguration {
  /// - Parameter node: The value of `verify`.
  init(_ node: JSON?, _ reader: SettingsReader) {
    let verify = reader.mapping(node, "a mapping, as in `verify: {live: {url: ...}}`", keys: ["live"])
    let live = reader.mapping(
      verify?["live"], "a mapping, as in `live: {url: http://localhost:8080}`",
      keys: ["url", "headers", "auth", "before", "after"])
    url = reader.setting(live?["url"])
    headers = reader.settings(live?["headers"])
    auth = reader.settings(live?["auth"])
    before = reader.text(live?["before"])
    after = reader.text(live?["after"])
  }
}
