import ArgumentParser
import Understudy

/// Whether fixtures are repaired, and how.
struct FixOptions: ParsableArguments {
  @Flag(help: "Repair fixtures where that is safe: dates, missing members. The difference is shown first.")
  var fix = false

  @Flag(help: "With --fix: bring the members of JSON fixtures into the order of the contract, too.")
  var sortKeys = false

  @Flag(help: "With --fix: change the files without asking.")
  var yes = false

  func validate() throws {
    guard fix || !(sortKeys || yes) else {
      throw ValidationError("\(sortKeys ? "--sort-keys" : "--yes") goes with --fix")
    }
  }

  /// Shows what would be changed, and changes it when that is wanted; ends the command when it is not.
  func apply(_ repairs: [FixtureRepair], showing terminal: Terminal) throws {
    guard !repairs.isEmpty else {
      Terminal.standardError.write("nothing can be repaired\n")
      return
    }
    for repair in repairs { terminal.write(repair.diff) }
    let files = repairs.count.counted("file")
    guard yes || isWanted("change \(files)?") else {
      throw CommandFailure(.findings, "\(files) could be repaired", help: "`--fix --yes` changes them")
    }
    for (done, repair) in repairs.enumerated() {
      do {
        // Somebody may have gone on writing while the question stood.
        guard try FileSystem.read(repair.path).bytes == repair.old else {
          throw CommandFailure(.usage, "\(repair.path) has changed since it was read", help: "run it again")
        }
        try FileSystem.replace(repair.path, with: repair.new)
      } catch let error as FileProblem {
        throw CommandFailure(
          .usage, "\(repair.path) cannot be written: \(error.message)",
          help: "\(done.counted("file")) of \(repairs.count) \(done == 1 ? "was" : "were") changed before")
      }
    }
    Terminal.standardError.write("repaired \(files)\n")
  }

  /// Asks; without anybody to ask the answer is no.
  private func isWanted(_ question: String) -> Bool {
    guard Terminal(descriptor: 0).isInteractive, Terminal.standardError.isInteractive else { return false }
    Terminal.standardError.write("\(question) [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}
