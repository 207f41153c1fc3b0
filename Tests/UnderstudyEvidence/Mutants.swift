import ArgumentParser
import UnderstudyTestSupport

/// Seeds the faults of `Tests/Mutants` one by one and prints which of them `understudy verify` finds.
struct Mutants: ParsableCommand {
  @Option(help: "The binary to try.") var command: String

  func run() throws {
    let report = try MutantReport(MutantTable.all(), program: command)
    print(report.text)
    let skipped = try MutantTable.skipped()
    if !skipped.isEmpty { print("skipped: no corpora: \(skipped.joined(separator: ", "))") }
    if !report.isPerfect { throw ExitCode(1) }
  }
}
