import UnderstudyMock
import UnderstudyReport
import UnderstudySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A child process that runs the client with one variant.
///
/// It runs the test again. The sweep of the test does not return: it writes what the client does into a file, from which
/// the parent process reads it, even after a crash.
struct SweepProcess: Sendable {
  /// The file of the results.
  let path: String
  /// The test case whose sweep is meant.
  let test: String
  /// `readUser required-null /nick`
  let variant: String

  static let names = (
    path: "UNDERSTUDY_SWEEP_FILE", test: "UNDERSTUDY_SWEEP_TEST", variant: "UNDERSTUDY_SWEEP_VARIANT"
  )

  /// This process, if it is one.
  static let current: SweepProcess? = {
    let environment = ProcessInfo.processInfo.environment
    guard let path = environment[names.path], let test = environment[names.test],
      let variant = environment[names.variant]
    else { return nil }
    return SweepProcess(path: path, test: test, variant: variant)
  }()

  /// The variables of a child process.
  var variables: [String] {
    // A backtrace takes seconds, and would hide the message.
    [
      "\(Self.names.path)=\(path)", "\(Self.names.test)=\(test)", "\(Self.names.variant)=\(variant)",
      "SWIFT_BACKTRACE=enable=no",
    ]
  }

  /// Runs the client with the variant of that name, and ends this process.
  func run(in driver: SweepDriver<some Any>, _ variants: [SweepVariant]) async -> Never {
    write(.begun)
    if let variant = variants.first(where: { $0.fullName.utf8Equals(variant) }) {
      let outcome = await driver.outcome(of: variant) { write(.sent($0)) }
      write(.ended(outcome.row.outcome))
    }
    _exit(0)
  }

  private func write(_ event: SweepEvent) {
    // Without the file, the parent finds that the process did not begin.
    try? FileSystem.append(Array((event.line + "\n").utf8), to: path)
  }
}
