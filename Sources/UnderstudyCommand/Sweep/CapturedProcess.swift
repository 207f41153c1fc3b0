import CProcess
import Dispatch
import Synchronization
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs another program with its output in a file, for at most a time.
enum CapturedProcess {
  /// How a program ended, and what it wrote.
  struct End: Sendable {
    let outcome: SweepRow.Outcome
    let output: String
  }

  /// The most output that is read, in bytes.
  private static let outputLimit = 64 * 1024

  /// Runs a program to its end; after the limit, it and the processes that it started are killed.
  static func run(
    _ command: [String], variable: (name: String, value: String), limit: Duration
  ) async throws -> End {
    let file = try TemporaryOutput()
    defer { file.remove() }
    var child = pid_t()
    var arguments = command.map { strdup($0) } + [nil]
    let code = process_start_captured(&child, &arguments, "\(variable.name)=\(variable.value)", file.descriptor)
    for argument in arguments { free(argument) }
    guard code == 0 else {
      throw ProcessEnd(
        code: code == ENOENT ? 127 : 126,
        message: "`\(command[0])` cannot be started: \(String(cString: strerror(code)).lowercased())")
    }
    let (signal, exit, isLate) = await end(of: child, within: limit)
    let output = file.text(limit: outputLimit)
    let lastLine = output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    if isLate { return End(outcome: .hung, output: output) }
    if signal != 0 { return End(outcome: .crashed(signal: name(of: signal)), output: output) }
    return End(outcome: .exited(Int(exit), lastLine), output: output)
  }

  /// Waits on a thread of its own.
  private static func end(of child: pid_t, within limit: Duration) async -> (CInt, CInt, isLate: Bool) {
    let race = Race()
    let timer = Task {
      try? await Task.sleep(for: limit)
      // After the end the number may belong to another process.
      if !Task.isCancelled { race.timeOut { _ = kill(-child, SIGKILL) } }
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "child").async {
        process_await(child)
        // What the program started ends with it, and its number is still taken.
        kill(-child, SIGKILL)
        let isLate = race.end()
        var signal: CInt = 0
        let code = process_reap(child, &signal)
        continuation.resume(returning: (signal, code, isLate))
      }
    }
  }

  /// The end of a program or its time limit, whichever is first.
  private final class Race: Sendable {
    private enum State { case running, late, ended }
    private let state = Mutex(State.running)

    func timeOut(_ action: () -> Void) {
      state.withLock { state in
        guard state == .running else { return }
        state = .late
        action()
      }
    }

    /// Returns whether the limit was first.
    func end() -> Bool {
      state.withLock { state in
        defer { state = .ended }
        return state == .late
      }
    }
  }

  private static func name(of signal: CInt) -> String {
    let names = [
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
      SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGPIPE: "SIGPIPE", SIGINT: "SIGINT",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}

/// A file without a name for the output of a program.
private struct TemporaryOutput {
  let descriptor: CInt

  init() throws {
    let above = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array(Path.join(above, "understudy-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .usage, "\(above) cannot take a temporary file: \(String(cString: strerror(errno)).lowercased())",
        help: "set TMPDIR to a folder that can be written")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  func text(limit: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    let size = lseek(descriptor, 0, SEEK_END)
    let count = pread(descriptor, &bytes, limit, max(0, size - off_t(limit)))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func remove() { close(descriptor) }
}
