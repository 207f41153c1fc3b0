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
  init?(_ key: String, flag: String?, _ variable: String?, _ written: Written?) {
    if let flag {
      self.init(text: flag, phrase: "`--\(key) \(flag)`")
    } else if let variable, let value = Environment[variable] {
      self.init(text: value, phrase: "`\(variable)=\(value)`")
    } else if let written {
      self.init(text: written.text, phrase: "`\(key): \(written.text)` (\(written.location))")
    } else {
      return nil
    }
  }

  init(text: String, phrase: String) {
    self.text = text
    self.phrase = phrase
  }

  /// The text. Throws unless it is one of the known ones.
  func known(of known: [String]) throws -> String {
    guard known.contains(text) else {
      throw CommandFailure(.usage, "\(phrase) is unknown", help: Suggestion.help(for: text, among: known))
    }
    return text
  }
}
