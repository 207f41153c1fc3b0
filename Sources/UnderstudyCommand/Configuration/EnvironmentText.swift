import UnderstudyExchange

/// A text whose `${NAME}` are replaced by environment variables.
struct EnvironmentText {
  let value: String
  let secrets: [Secret]

  /// - Parameter phrase: The setting, for messages.
  init(_ text: String, in phrase: String) throws {
    var value = ""
    var secrets: [Secret] = []
    var rest = text.drop { $0 == " " }
    while let start = rest.firstRange(of: "${") {
      value += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        throw CommandFailure(.usage, "\(phrase) has `${` without `}`")
      }
      let name = String(rest[start.upperBound..<end])
      guard let found = Environment[name], !found.isEmpty else {
        throw CommandFailure(
          .usage, "\(phrase) needs the environment variable `\(name)`, which is not set",
          help: "export it before the run"
        )
      }
      value += found
      secrets.append(Secret(found, variable: name))
      rest = rest[rest.index(after: end)...]
    }
    self.value = value + rest
    self.secrets = secrets
  }
}
