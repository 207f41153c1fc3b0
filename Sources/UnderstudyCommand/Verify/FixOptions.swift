import ArgumentParser
import UnderstudyVerification

/// The repair of fixtures.
struct FixOptions: ParsableArguments {
  @Flag(help: "Repair fixtures if that is safe: dates, missing members. The changes are shown first.")
  var fix = false

  @Flag(help: "With --fix: also sort the members of JSON fixtures in the order of the contract.")
  var sortKeys = false

  @Flag(help: "With --fix: change the files without confirmation.")
  var yes = false

  func validate() throws {
    guard fix || !(sortKeys || yes) else {
      throw ValidationError("\(sortKeys ? "--sort-keys" : "--yes") goes with --fix")
    }
  }

  /// Shows the changes and applies them after a confirmation. Throws without one.
  func apply(_ repairs: [FixtureRepair], showing terminal: Terminal) throws {
    guard !repairs.isEmpty else {
      Terminal.standardError.write("nothing can be repaired\n")
      return
    }
    for repair in repairs { terminal.write(repair.diff) }
    let files = repairs.count.counted("file")
    guard yes || isConfirmed("change \(files)?") else {
      throw CommandFailure(.findings, "\(files) could be repaired", help: "`--fix --yes` changes them")
    }
    for (done, repair) in repairs.enumerated() {
      do {
        // The file may have changed during the question.
        guard try FileSystem.read(repair.path).bytes == repair.old else {
          throw CommandFailure(.usage, "\(repair.path) has changed since it was read", help: "run it again")
        }
        try FileSystem.replace(repair.path, with: repair.new)
      } catch let error as FileProblem {
        throw CommandFailure(
          .usage, "\(repair.path) cannot be written: \(error.message)",
          help: "\(done.counted("file")) of \(repairs.count) \(done == 1 ? "was" : "were") changed")
      }
    }
    Terminal.standardError.write("repaired \(files)\n")
  }

  /// Asks on the terminal; `false` without one.
  private func isConfirmed(_ question: String) -> Bool {
    guard Terminal(descriptor: 0).isInteractive, Terminal.standardError.isInteractive else { return false }
    Terminal.standardError.write("\(question) [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}
