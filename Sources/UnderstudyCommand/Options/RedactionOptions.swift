import ArgumentParser
import UnderstudyVerification

/// Options that add to the secrets of what is written, or keep some of it.
struct RedactionOptions: ParsableArguments {
  @Option(
    \.redact, value: "place",
    help:
      "Also replace the value of this place in everything written: /body/customer/email, /header/X-Tenant, /query/q. Repeatable."
  )
  var redact: [String] = []

  @Option(
    help: ArgumentHelp(
      "Switch off a rule of redaction, such as redact.entropy, or keep the value of a place. Repeatable.",
      valueName: "rule|place"))
  var noRedact: [String] = []

  /// The settings of the config file with those of the command line, which count more.
  func settings(_ configuration: Configuration) throws -> RedactionSettings {
    var settings = configuration.redact ?? RedactionSettings()
    for (option, texts, isSecret) in [("--redact", redact, true), ("--no-redact", noRedact, false)] {
      for text in texts {
        if let problem = settings.set(text, isSecret: isSecret) {
          throw CommandFailure(.usage, "\(option) \(problem.message)", help: problem.help)
        }
      }
    }
    return settings
  }
}

extension RedactionSettings {
  /// Switches a rule, or the value of a place, on or off; returns the problem of an invalid name.
  mutating func set(_ text: String, isSecret: Bool) -> (message: String, help: String)? {
    if text.utf8.first == UInt8(ascii: "/") {
      guard let pattern = PlacePattern(text) else {
        return ("`\(text)` is not a place of a message", "a place starts with /header/, /query/, /cookie/ or /body")
      }
      places.append((pattern, isSecret))
      return nil
    }
    let known = Rule.redaction.map(\.id)
    guard known.contains(where: { $0.utf8Equals(text) }) else {
      return (
        "`\(text)` is neither a place of a message nor a rule of redaction",
        Suggestion.phrase(for: text, among: known)
          ?? "a place starts with /header/, /query/, /cookie/ or /body; `understudy explain 'redact.*'` lists the rules"
      )
    }
    if isSecret { off.remove(text) } else { off.insert(text) }
    return nil
  }

  /// Reads `redact` of `understudy.yaml`: rules and places, each `on` or `off`.
  init(_ node: JSON, _ reader: SettingsReader) {
    self.init()
    let mapping = reader.mapping(node, "a mapping of rules and places to `on` or `off`, as in `redact.entropy: off`")
    for member in mapping?.members.map({ $0 }) ?? [] {
      guard let isOn = Self.isOn(member.value) else {
        reader.reject("expected `on` or `off`", member.value)
        continue
      }
      if let problem = set(member.name, isSecret: isOn) {
        reader.reject(problem.message, member.key, help: problem.help)
      }
    }
  }

  private static func isOn(_ value: JSON) -> Bool? {
    if let flag = value.bool { return flag }
    return value.isString("on") ? true : value.isString("off") ? false : nil
  }
}
