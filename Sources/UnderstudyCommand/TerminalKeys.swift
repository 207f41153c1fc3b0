import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads single keys of the terminal that the process is in the foreground of.
final class TerminalKeys {
  private let source: any DispatchSourceRead

  /// `nil` without such a terminal.
  ///
  /// - Parameter press: Gets each key, one after another.
  init?(_ press: @escaping @Sendable (Character) -> Void) {
    // A process in the background that changes the terminal is stopped by it.
    guard isatty(0) == 1, isatty(2) == 1, tcgetpgrp(0) == getpgrp(), TerminalMode.readsKeys() else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: DispatchQueue(label: "keys"))
    source.setEventHandler { [source] in
      var byte: UInt8 = 0
      guard read(0, &byte, 1) == 1 else { return source.cancel() }
      press(Character(UnicodeScalar(byte)))
    }
    source.resume()
  }

  /// Gives the terminal back as it was.
  func stop() {
    source.cancel()
    TerminalMode.restore()
  }
}

/// Whether the terminal hands over lines, or keys as they are pressed.
enum TerminalMode {
  /// The settings at the start of the program. Written before `isChanged` is set, and never again.
  nonisolated(unsafe) private static var original = termios()
  nonisolated(unsafe) private static var isChanged = false

  /// Hands over keys, and shows none of them; Ctrl-C stays a signal.
  static func readsKeys() -> Bool {
    guard tcgetattr(0, &original) == 0 else { return false }
    var mode = original
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(0, TCSANOW, &mode) == 0 else { return false }
    isChanged = true
    return true
  }

  /// Safe in a signal handler (`tcsetattr` is, POSIX 2.4.3).
  static func restore() {
    guard isChanged else { return }
    tcsetattr(0, TCSANOW, &original)
  }
}
