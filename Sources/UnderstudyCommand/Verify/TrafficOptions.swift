import ArgumentParser
import UnderstudyVerification

/// The recordings to validate.
struct TrafficOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Validate recorded traffic: HAR 1.2, or what `serve --journal` or `serve --store` wrote. Repeatable.",
      valueName: "file"))
  var har: [String] = []

  @OptionGroup var scope: ScopeOptions

  /// The recordings, for reports.
  var target: String { har.map { RecordedFile($0).name }.joined(separator: ", ") }

  func validate() throws {
    guard har.isEmpty, let option = scope.option else { return }
    throw ValidationError("\(option) needs a recording: name it with --har")
  }

  /// Validates every recording, and fills a report. Throws if a file is not a recording.
  func validate(
    by contracts: [Contract], _ rules: RuleSettings, _ shard: Shard, into report: inout Report
  ) throws {
    var verifier = TrafficVerifier(contracts, rules: rules, scope: try scope.resolved(for: contracts), shard: shard)
    for path in har {
      let recording = RecordedFile(path)
      if recording.isDatabase {
        try recording.forEach { entry, isOwn in verifier.validate(entry, in: recording.name, isOwn: isOwn) }
      } else {
        verifier.validate(try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in try HARFile(path) })
      }
    }
    verifier.fill(&report)
  }
}
