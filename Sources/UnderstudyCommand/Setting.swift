import Understudy

/// The text of a setting, and who said it: messages must lead to the place that is to be mended.
struct Setting {
  var text: String
  /// How to point at it: `` `--seed 7` ``, `` `UNDERSTUDY_SEED=7` ``, `` `seed: 7` (understudy.yaml:3:7) ``.
  var phrase: String

  /// What a config file says.
  struct Written {
    var text: String
    var location: Location
  }

  /// The first that says anything: the flag, the environment variable, the config file.
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
}
