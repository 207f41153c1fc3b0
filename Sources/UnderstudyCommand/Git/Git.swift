import CUnderstudyProcess
import UnderstudySystem
import UnderstudyVerification

/// Runs the `git` program.
enum Git {
  struct Result {
    let code: Int32
    let bytes: [UInt8]
    let error: String

    /// The first line of the output.
    var text: String {
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self)
    }

    /// The first line of the messages without `fatal: `; empty if git printed none.
    var message: String {
      let line = error.split(separator: "\n").first.map(String.init) ?? ""
      return VisibleText.line(line.hasPrefix("fatal: ") ? String(line.dropFirst("fatal: ".count)) : line)
    }
  }

  /// The maximum size of an output: 256 MiB.
  private static let maximumBytes = 256 << 20

  /// Runs git to its end. A shell connects its input and outputs with files.
  static func run(_ arguments: [String], input: String = "") throws -> Result {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let files = ["in", "out", "err"].map { Path.join(folder.path, $0) }
    try FileProblem.asFailure { () throws(FileProblem) in try FileSystem.write(Array(input.utf8), to: files[0]) }
    let script = "in=$1 out=$2 err=$3; shift 3; exec git \"$@\" <\"$in\" >\"$out\" 2>\"$err\""
    let exit = try run(["/bin/sh", "-c", script, "sh"] + files + arguments)
    guard exit != 127 else {
      throw CommandFailure(.usage, "the program `git` was not found", help: "install git, or name files")
    }
    let output = try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in
      try FileSystem.read(files[1], shownAs: "the output of git", maximumBytes: maximumBytes)
    }
    let message = try? FileSystem.read(files[2]).bytes
    return Result(code: exit, bytes: output.bytes, error: String(decoding: message ?? [], as: UTF8.self))
  }

  private static func run(_ words: [String]) throws -> Int32 {
    let nowhere = open("/dev/null", O_WRONLY)
    defer { close(nowhere) }
    var child = pid_t()
    var arguments = words.map { strdup($0) } + [nil]
    let settings = ["GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"]
    var variables = settings.map { strdup($0) } + [nil]
    defer { for string in arguments + variables { free(string) } }
    let code = process_start_captured(&child, &arguments, &variables, nowhere, 0)
    guard code == 0 else {
      throw CommandFailure(
        .usage, "git cannot be started: \(String(cString: strerror(code)).lowercased())",
        help: "install git, or name files instead of revisions")
    }
    process_await(child)
    var signal: CInt = 0
    return process_reap(child, &signal)
  }
}
