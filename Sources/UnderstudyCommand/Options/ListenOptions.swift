import ArgumentParser

/// The address of a server of this program, and the file that gets it.
struct ListenOptions: ParsableArguments {
  @Option(
    \.port, short: "p", help: "The port; 0 takes a free one and prints it. (default: 4010)",
    transform: (0...65_535).number)
  var port: Int?

  @Option(\.host, help: "The address to listen on. (default: 127.0.0.1)")
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Write the base URL to this file when the server listens; it is removed at the end.", valueName: "file"))
  var readyFile: String?

  func port(_ configuration: Configuration) throws -> Int {
    var chosen = port ?? configuration.port ?? 4010
    if port == nil, let text = SettingKeys.all.port.environment {
      guard let number = Int(text) else {
        throw CommandFailure(.usage, "UNDERSTUDY_PORT is `\(text)`, expected a port from 0 to 65535")
      }
      chosen = number
    }
    guard 0...65_535 ~= chosen else {
      throw CommandFailure(.usage, "`\(chosen)` is not a valid port: expected 0 to 65535")
    }
    return chosen
  }

  func host(_ configuration: Configuration) -> String {
    Setting(\.host, flag: host, configuration)?.text ?? "127.0.0.1"
  }
}
