import ArgumentParser
import Understudy

/// The recordings to validate.
struct TrafficOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Validate recorded traffic (HAR 1.2). Repeatable.", valueName: "file"))
  var har: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --har: only requests to this base URL, whose path replaces the contract's base path. Repeatable.",
      valueName: "url"))
  var base: [String] = []

  @Flag(help: "With --har: only requests to hosts of the contract's servers.")
  var strictHost = false

  func validate() throws {
    guard har.isEmpty, !base.isEmpty || strictHost else { return }
    throw ValidationError(
      "\(base.isEmpty ? "--strict-host" : "--base") needs a recording: name it with --har")
  }

  /// The requests of a recording that belong to the contracts. Throws if none can.
  func scope(_ contracts: [Contract]) throws -> TrafficScope {
    try Self.scope(contracts, base: base, strictHost: strictHost)
  }

  /// The requests to some base URLs, or to the hosts of the contracts. Throws if there can be none.
  static func scope(_ contracts: [Contract], base: [String], strictHost: Bool) throws -> TrafficScope {
    let bases = try base.map { try Upstream($0, of: "`--base \($0)`") }
    let scope = TrafficScope(contracts.map(\.api), bases: bases, isStrict: strictHost)
    guard !scope.isEmpty else {
      throw CommandFailure(
        .usage, "`--strict-host` excludes every request: no server of the contract names a host",
        help: "name the host with --base, as in --base https://api.example.com/v1")
    }
    return scope
  }

  /// Validates every recording, and fills a report. Throws if a file is not a recording.
  func validate(
    by contracts: [Contract], _ rules: RuleSettings, _ shard: Shard, into report: inout Report
  ) throws {
    var verifier = TrafficVerifier(contracts, rules: rules, scope: try scope(contracts), shard: shard)
    let files = try har.map { path in
      do throws(FileProblem) { return try HARFile(path) } catch {
        throw CommandFailure(.notLoadable, "\(error.path): \(error.message)", help: error.help)
      }
    }
    for file in files { verifier.validate(file) }
    verifier.fill(&report)
  }
}
