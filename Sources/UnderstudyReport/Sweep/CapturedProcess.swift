import CUnderstudyProcess
import Dispatch
import UnderstudySystem

/// Runs another program with its output in a file, for at most a time.
package struct CapturedProcess: Sendable {
  package let command: [String]
  /// Added to the environment: `NAME=value`.
  package let variables: [String]
  package let limit: Duration
  /// Whether it has a process group of its own, which ends with it. Signals from a terminal do not reach such a group:
  /// `endChildrenOnSignals` does that.
  package var ownsGroup = true

  package init(_ command: [String], variables: [String], limit: Duration) {
    self.command = command
    self.variables = variables
    self.limit = limit
  }

  /// How a program ended, and what it wrote.
  package struct End: Sendable {
    package let outcome: SweepRow.Outcome
    package let output: String
  }

  /// A program that did not start.
  package struct StartFailure: Error, CustomStringConvertible {
    /// `errno`
    let code: CInt
    package let description: String
    package var help: String?

    /// That of shells, `env` and `nohup` (POSIX, XCU 2.8.2).
    package var exitCode: Int32 { code == ENOENT ? 127 : 126 }
  }

  /// The most output that is read, in bytes.
  private static let outputLimit = 64 * 1024

  /// Makes the end of this process, by any signal, end the programs that it has started, with their processes.
  package static func superviseChildren() { process_supervise() }

  /// From now on, a signal that would end this process ends the groups of the programs that it has started instead, and
  /// no further one starts. A second signal ends this process as well.
  package static func endChildrenOnSignals() { process_end_groups_on_signals() }

  /// From now on, processes that leave the group of their program stay children of this one, so that `endOrphans` finds
  /// them. Only Linux has that.
  package static func adoptOrphans() { _ = process_adopt_orphans() }

  /// Whether programs that have ended left processes behind.
  ///
  /// - Parameter sparesDaemons: Whether processes with a session of their own are left out.
  package static func hasOrphans(sparingDaemons sparesDaemons: Bool) -> Bool {
    process_has_orphan(sparesDaemons ? 1 : 0) != 0
  }

  /// Ends what programs that have ended left behind, and returns the names, one for each process.
  ///
  /// - Parameter sparesDaemons: Whether processes with a session of their own live on.
  package static func endOrphans(sparingDaemons sparesDaemons: Bool = false) -> [String] {
    var names: [String] = []
    // Each may leave further ones. The limit ends this where they start faster than they can be ended.
    for _ in 0..<10_000 {
      let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String? in
        process_end_orphan(buffer.baseAddress, buffer.count, sparesDaemons ? 1 : 0) == 0
          ? nil : String(cString: buffer.baseAddress!)
      }
      guard let name else { break }
      // A process that has ended by itself has no name.
      if !name.isEmpty { names.append(name) }
    }
    return names
  }

  /// Whether a signal has ended the programs.
  package static var isInterrupted: Bool { process_interruption() != 0 }

  /// Runs the program to its end; after the limit it is killed, with its group.
  package func run() async throws(StartFailure) -> End {
    let file = try TemporaryOutput()
    defer { file.close() }
    var child = pid_t()
    var arguments = command.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    let code = process_start_captured(&child, &arguments, &environment, file.descriptor, ownsGroup ? 1 : 0)
    guard code == 0 else {
      throw StartFailure(
        code: code, description: "`\(command[0])` cannot be started: \(String(cString: strerror(code)).lowercased())")
    }
    let (signal, exit, isLate) = await end(of: child)
    let output = file.text(limit: Self.outputLimit)
    let lines = output.split(whereSeparator: \.isNewline)
    if isLate { return End(outcome: .hung, output: output) }
    if signal == 0, exit == 0 { return End(outcome: .exited(0, lines.last.map(String.init) ?? ""), output: output) }
    let message = ExitMessage.find(in: lines)
    guard signal != 0 else { return End(outcome: .exited(Int(exit), message), output: output) }
    return End(outcome: .crashed(signal: Self.name(of: signal), message), output: output)
  }

  /// Waits on a thread of its own.
  private func end(of child: pid_t) async -> (CInt, CInt, isLate: Bool) {
    let race = Race()
    let target = ownsGroup ? -child : child
    let timer = Task {
      try? await Task.sleep(for: limit)
      // After the end the number may belong to another process.
      if !Task.isCancelled { race.timeOut { _ = kill(target, SIGKILL) } }
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "child").async {
        process_await(child)
        // What the program started ends with it, and its number is still taken.
        kill(target, SIGKILL)
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
    private let state = Lock(State.running)

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
