import ArgumentParser
import UnderstudyVerification

/// The recordings to validate.
struct TrafficOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Validate recorded traffic (HAR 1.2). Repeatable.", valueName: "file"))
  var har: [String] = []

  @OptionGroup var scope: ScopeOptions

  func validate() throws {
    guard har.isEmpty, let option = scope.option else { return }
    throw ValidationError("\(option) needs a recording: name it with --har")
  }

  /// Validates every recording, and fills a report. Throws if a file is not a recording.
  func validate(
    by contracts: [Contract], _ rules: RuleSettings, _ shard: Shard, into report: inout Report
  ) throws {
    var verifier = TrafficVerifier(contracts, rules: rules, scope: try scope.resolved(for: contracts), shard: shard)
    let files = try har.map { path in
      do throws(FileProblem) { return try HARFile(path) } catch {
        throw CommandFailure(.notLoadable, "\(error.path): \(error.message)", help: error.help)
      }
    }
    for file in files { verifier.validate(file) }
    verifier.fill(&report)
  }
}
