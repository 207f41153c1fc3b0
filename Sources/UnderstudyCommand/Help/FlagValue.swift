import ArgumentParser
import UnderstudyVerification

/// Values in positions where the command line takes none.
enum FlagValue {
  /// The advice about a flag before a contract that does not exist: the flag takes no value.
  static func suggestion(for arguments: ArraySlice<String>) -> String? {
    let (command, _, rest) = UnderstudyCommand.named(in: arguments)
    let pairs = zip(rest, rest.dropFirst()).filter { flag, value in
      flag.hasPrefix("--") && !flag.contains("=") && !value.hasPrefix("-") && !FileSystem.exists(value)
    }
    guard !pairs.isEmpty else { return nil }
    let help = UnderstudyCommand.helpMessage(for: command)
    return pairs.first { flag, _ in help.contains(" \(flag)") && !help.contains("\(flag) <") }.map { flag, value in
      "`\(flag)` takes no value, so `\(value)` was read as a contract"
    }
  }

  /// The first argument that is a negative number.
  static func negative(in arguments: ArraySlice<String>) -> String? {
    arguments.first { $0.hasPrefix("-") && $0.dropFirst().first?.isNumber == true }
  }
}
