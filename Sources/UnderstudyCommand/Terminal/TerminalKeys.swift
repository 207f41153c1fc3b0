import Dispatch
import UnderstudySystem

/// Reads single keys of the terminal that the process is in the foreground of.
final class TerminalKeys {
  private let source: any DispatchSourceRead

  /// Whether there is a terminal to read from and to write to.
  static var arePossible: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// `nil` without such a terminal.
  ///
  /// - Parameter press: Gets each key, one after another.
  init?(_ press: @escaping @Sendable (Character) -> Void) {
    // A process in the background that changes the terminal is stopped by it.
    guard Self.arePossible, tcgetpgrp(0) == getpgrp(), TerminalMode.readsKeys() else { return nil }
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
