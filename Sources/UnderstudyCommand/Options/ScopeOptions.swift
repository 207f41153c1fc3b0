import ArgumentParser
import UnderstudyVerification

/// Which requests of a recording belong to the contracts.
struct ScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of a recording, only requests to this base URL, whose path replaces the contract's base path. Repeatable.",
      valueName: "url"))
  var base: [String] = []

  @Flag(help: "Of a recording, only requests to hosts of the contract's servers.")
  var strictHost = false

  /// The option that is used; `nil` if none is.
  var option: String? { !base.isEmpty ? "--base" : strictHost ? "--strict-host" : nil }

  /// The requests to the base URLs, or to the hosts of the contracts. Throws if there can be none.
  func resolved(for contracts: [Contract]) throws -> TrafficScope {
    let bases = try base.map { try Upstream($0, of: "`--base \($0)`") }
    let scope = TrafficScope(contracts.map(\.api), bases: bases, isStrict: strictHost)
    guard !scope.isEmpty else {
      throw CommandFailure(
        .usage, "`--strict-host` excludes every request: no server of the contract names a host",
        help: "name the host with --base, as in --base https://api.example.com/v1")
    }
    return scope
  }
}
