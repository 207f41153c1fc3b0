import UnderstudySystem

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
