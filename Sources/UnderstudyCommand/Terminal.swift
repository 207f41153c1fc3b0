import ArgumentParser
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One of the two standard streams: data goes to the first, everything about it to the second.
struct Terminal: Sendable {
  let descriptor: Int32

  static let standardOutput = Terminal(descriptor: 1)
  static let standardError = Terminal(descriptor: 2)

  /// Writes all of the text; a reader that went away (`| head`) is no error. Data that nobody can have ends the command:
  /// half a report is worse than none.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        #if canImport(Darwin)
        let count = Darwin.write(descriptor, start, rest.count)
        #elseif canImport(Musl)
        let count = Musl.write(descriptor, start, rest.count)
        #else
        let count = Glibc.write(descriptor, start, rest.count)
        #endif
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
          // Whoever shares the terminal may have made it non-blocking.
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
          continue
        }
        guard count > 0 else {
          if descriptor == 1, count < 0, errno != EPIPE { Self.end(writing: String(cString: strerror(errno))) }
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  private static func end(writing problem: String) -> Never {
    standardError.write("error: standard output cannot be written: \(problem.lowercased())\n")
    ExitCode.exit(.usage)
  }

  var isInteractive: Bool { isatty(descriptor) == 1 }

  /// The colours that the user wants on this stream (https://no-color.org).
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

/// `--color auto|always|never`
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The process's environment.
enum Environment {
  static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
