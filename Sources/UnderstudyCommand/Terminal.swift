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

  /// Writes all of the text; a reader that went away (`| head`) is no error.
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
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
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
