import ArgumentParser
import UnderstudySystem
import UnderstudyVerification

/// The requests to an upstream.
struct UpstreamClientOptions: ParsableArguments {
  @Option(
    \.upstreamTimeout, value: "duration",
    help: "The longest silence of the upstream: 500ms, 30s, 2m. (default: 30s)")
  var upstreamTimeout: String?

  @Option(
    \.upstreamHTTP, value: "version",
    help:
      "The version of HTTP to the upstream: 1.1, or 2 (with https if the server has it, else by prior knowledge). (default: 1.1)"
  )
  var upstreamHTTP: String?

  /// Whether requests are sent by HTTP/2.
  func usesHTTP2(_ configuration: Configuration) throws -> Bool {
    let setting = Setting(\.upstreamHTTP, flag: upstreamHTTP, configuration)
    return try setting?.value("a version of HTTP to an upstream", expected: "1.1 or 2") {
      ["1.1": false, "2": true][$0]
    } ?? false
  }

  func timeout(_ configuration: Configuration) throws -> Duration {
    let setting = Setting(\.upstreamTimeout, flag: upstreamTimeout, configuration)
    return try setting?.value("a duration", expected: "500ms, 30s or 2m") { text in
      // A bare number would mean milliseconds, as in a delay, which is unlikely.
      Double(text) == nil ? Duration(text: text).flatMap { $0 > .zero ? $0 : nil } : nil
    } ?? .seconds(30)
  }
}

/// The socket of a server on this machine that has no port, such as `podman system service`.
struct UnixSocketOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Reach the server through this Unix domain socket instead of the host of its URL, as curl does.",
      valueName: "file"))
  var unixSocket: String?

  /// The most bytes of a path, which ends with a zero: 107 on Linux, 103 on macOS.
  private static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  func path() throws -> String? {
    guard let unixSocket else { return nil }
    guard !unixSocket.isEmpty else {
      throw CommandFailure(
        .usage, "`--unix-socket` is empty", help: "expected the path of a socket, as in /run/podman/podman.sock")
    }
    guard unixSocket.utf8.count <= Self.longest else {
      throw CommandFailure(
        .usage, "the path of `--unix-socket \(unixSocket)` is too long for a socket",
        help: "expected at most \(Self.longest) bytes; a shorter symbolic link will do")
    }
    return unixSocket
  }
}

extension Upstream {
  /// Throws if the text of a setting is not a base URL.
  ///
  /// - Parameter setting: The setting with its text, for the message: `` `--upstream localhost` ``.
  init(_ text: String, of setting: String) throws {
    guard let url = Upstream(text) else {
      // Others may see the terminal, or the log of a job.
      var redactor = Redactor(style: .marker)
      throw CommandFailure(
        .usage, "\(redactor.redact(text: setting.replacing(/\/\/.*@/, with: "//[redacted]@")).value) is not a base URL",
        help: Self.withScheme(text)
          ?? "expected http or https, without user, query and fragment, as in https://api.example.com/v1")
    }
    self = url
  }

  /// The suggestion for a URL that lacks its scheme; `nil` for another mistake.
  static func withScheme(_ text: String) -> String? {
    guard !text.contains("//"), !text.contains("@"), Upstream("http://\(text)") != nil else { return nil }
    return "did you mean `http://\(text)`?"
  }
}
