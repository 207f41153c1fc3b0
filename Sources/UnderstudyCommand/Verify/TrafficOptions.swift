import ArgumentParser
import Understudy

/// Which recordings are validated, and what of them.
struct TrafficOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Validate recorded traffic (HAR 1.2). Repeatable.", valueName: "file"))
  var har: [String] = []

  @Option(
    help: ArgumentHelp(
      "Of recordings, only what went to this base URL; its path stands for the contract's base path. Repeatable.",
      valueName: "url"))
  var base: [String] = []

  @Flag(help: "Of recordings, only what went to a host that a server of the contract names.")
  var strictHost = false

  func validate() throws {
    guard har.isEmpty, !base.isEmpty || strictHost else { return }
    throw ValidationError(
      "\(base.isEmpty ? "--strict-host" : "--base") chooses among recordings: name one with --har")
  }

  /// What of a recording is the contracts' business; ends the command when nothing could be.
  func scope(_ contracts: [Contract]) throws -> TrafficScope {
    let bases = try base.map { text in
      guard let url = Upstream(text) else {
        throw CommandFailure(
          .usage, "`--base \(text)` is no base URL",
          help: "expected http or https, without user, query and fragment, as in https://api.example.com/v1")
      }
      return url
    }
    let scope = TrafficScope(contracts.map(\.api), bases: bases, isStrict: strictHost)
    guard !scope.isEmpty else {
      throw CommandFailure(
        .usage, "`--strict-host` leaves nothing: no server of the contract names a host",
        help: "name the host by --base, as in --base https://api.example.com/v1")
    }
    return scope
  }

  /// Finds the entries of every recording; ends the command when one of them is none.
  func recordings() throws -> [HARFile] {
    try har.map { path in
      do throws(FileProblem) {
        return try HARFile(path)
      } catch {
        throw CommandFailure(
          .notLoadable, "\(error.path): \(error.message)", help: error.help)
      }
    }
  }

  /// Validates every recording, and fills a report.
  func validate(
    by contracts: [Contract], _ rules: RuleSettings, _ shard: Shard, into report: inout Report
  ) throws {
    var verifier = TrafficVerifier(contracts, rules: rules, scope: try scope(contracts), shard: shard)
    for file in try recordings() { verifier.validate(file) }
    verifier.fill(&report)
  }
}
