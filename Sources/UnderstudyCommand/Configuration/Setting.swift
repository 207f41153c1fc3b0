import UnderstudyVerification

/// The text of a setting and its source, for messages.
struct Setting {
  var text: String
  /// The setting as it was given: `` `--seed 7` ``, `` `UNDERSTUDY_SEED=7` ``, `` `seed: 7` (understudy.yaml:3:7) ``.
  var phrase: String

  /// A setting of a config file.
  struct Written {
    var text: String
    var location: Location
  }

  /// Takes the flag, else the environment variable, else the config file.
  init?(_ setting: KeyPath<SettingKeys, SettingKey<Written>>, flag: String?, _ configuration: Configuration? = nil) {
    let declaration = SettingKeys.all[keyPath: setting]
    let names = declaration.names
    if let flag {
      (text, phrase) = (flag, "`--\(names.flag ?? "") \(flag)`")
    } else if let variable = names.variable, let value = declaration.environment {
      (text, phrase) = (value, "`\(variable)=\(value)`")
    } else if let key = names.key, let written = configuration?[dynamicMember: setting] {
      (text, phrase) = (written.text, "`\(key): \(written.text)` (\(written.location))")
    } else {
      return nil
    }
  }

  /// The value of the text. Throws if it has none.
  ///
  /// - Parameters:
  ///   - kind: The kind of value with its article, for the message.
  ///   - expected: Examples of valid texts.
  func value<Value>(_ kind: String, expected: String, _ read: (String) -> Value?) throws -> Value {
    if let value = read(text) { return value }
    throw CommandFailure(.usage, "\(phrase) is not \(kind)", help: "expected \(expected)")
  }

  /// The text. Throws unless it is one of the known ones.
  func known(of known: [String]) throws -> String {
    guard known.contains(text) else {
      throw CommandFailure(.usage, "\(phrase) is unknown", help: Suggestion.help(for: text, among: known))
    }
    return text
  }
}
