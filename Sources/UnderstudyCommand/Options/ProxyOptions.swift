import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// The server that a mock forwards requests to.
struct ProxyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Forward requests to the server at this URL, and validate its answers; `record` writes fixtures.",
      valueName: "url"))
  var upstream: String?

  @Option(
    help: ArgumentHelp(
      "The fallback if the upstream does not answer, or with 501: none or mock. (default: none)", valueName: "source"))
  var fallback: String?

  @Option(
    help: ArgumentHelp(
      "The most connections to the upstream; additional requests queue for up to the idle timeout. (default: 256)",
      valueName: "number"))
  var upstreamConnections: String?

  /// Sets the upstream of the options, the environment or the config file.
  func apply(to options: inout Mock.Options, _ configuration: Configuration) throws {
    if let setting = Setting("upstream", flag: upstream, "UNDERSTUDY_UPSTREAM", configuration.upstream) {
      options.upstream = try Upstream(setting.text, of: setting.phrase)
      // By default a proxy does not change the exchange of its two sides.
      options.onInvalid = .warn
    }
    if let setting = Setting("fallback", flag: fallback, "UNDERSTUDY_FALLBACK", configuration.fallback) {
      options.fallsBack = try setting.known(of: ["none", "mock"]) == "mock"
    }
  }

  func connections(_ configuration: Configuration) throws -> Int {
    let setting = Setting("upstream-connections", flag: upstreamConnections, nil, configuration.upstreamConnections)
    guard let setting else { return UpstreamClient.defaultConnections }
    guard let number = Int(setting.text), 1...65_535 ~= number else {
      throw CommandFailure(.usage, "\(setting.phrase) is not a number of connections", help: "expected 1 to 65535")
    }
    return number
  }
}
