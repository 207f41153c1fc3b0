import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// The server that a mock forwards requests to.
struct ProxyOptions: ParsableArguments {
  @Option(
    \.upstream, value: "url",
    help: "Forward requests to the server at this URL, and validate its answers; `record` writes fixtures.")
  var upstream: String?

  @Option(
    \.fallback, value: "source",
    help:
      "mock: the mock responds if the upstream does not, or with 501. upstream: the mock comes first, and the upstream gets what no contract has. (default: none)"
  )
  var fallback: String?

  @Option(
    \.upstreamConnections, value: "number",
    help: "The most connections to the upstream; additional requests queue for up to the idle timeout. (default: 256)")
  var upstreamConnections: String?

  /// Sets the upstream of the options, the environment or the config file.
  func apply(to options: inout Mock.Options, _ configuration: Configuration) throws {
    if let setting = Setting(\.upstream, flag: upstream, configuration) {
      options.upstream = try Upstream(setting.text, of: setting.phrase)
    }
    if let setting = Setting(\.fallback, flag: fallback, configuration) {
      let known = Mock.Fallback.allCases.map(\.rawValue)
      options.fallback = Mock.Fallback(rawValue: try setting.known(of: known)) ?? .none
    }
    // By default a proxy does not change the exchange of its two sides.
    if options.forwardsAll { options.onInvalid = .warn }
  }

  func connections(_ configuration: Configuration) throws -> Int {
    let setting = Setting(\.upstreamConnections, flag: upstreamConnections, configuration)
    return try setting?.value("a number of connections", expected: "1 to 65535") { text in
      Int(text).flatMap { 1...65_535 ~= $0 ? $0 : nil }
    } ?? UpstreamClient.defaultConnections
  }
}
