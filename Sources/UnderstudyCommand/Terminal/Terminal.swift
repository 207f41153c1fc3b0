import ArgumentParser
import UnderstudySystem
import UnderstudyVerification

/// A standard stream: output for data, error for messages.
struct Terminal: Sendable {
  let descriptor: Int32

  static let standardOutput = Terminal(descriptor: 1)
  static let standardError = Terminal(descriptor: 2)

  /// Writes the whole text. A closed pipe (`| head`) is not an error. If standard output cannot be written, the command
  /// ends, so that no report is incomplete.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = systemWrite(descriptor, start, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
          // Another process may have made the terminal non-blocking.
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
          continue
        }
        guard count > 0 else {
          guard descriptor == 1, count < 0, errno != EPIPE else { return }
          let problem = String(cString: strerror(errno)).lowercased()
          Self.standardError.write("error: standard output cannot be written: \(problem)\n")
          ExitCode.usage.endProcess()
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  var isInteractive: Bool { isatty(descriptor) == 1 }

  /// The style of this stream (https://no-color.org).
  func style(_ when: ColorChoice) -> TerminalStyle {
    switch when {
    case .always: TerminalStyle(isColored: true)
    case .never: .plain
    case .auto:
      TerminalStyle(
        isColored: isInteractive && Environment["NO_COLOR"]?.isEmpty != false && Environment["TERM"] != "dumb")
    }
  }
}

/// The function behind `Terminal.write`, whose name hides it.
private let systemWrite: @Sendable (CInt, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }

/// `--color auto|always|never`
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The process's environment.
enum Environment {
  static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
