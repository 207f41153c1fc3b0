import ArgumentParser
import Understudy
import UnderstudyServer

/// `understudy serve SPEC...`: runs a mock. `run` has the same options.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Mock the backend: answer every operation and status from fixtures, examples or samples.",
    aliases: ["mock"])

  @OptionGroup var contracts: ContractOptions

  @OptionGroup var listen: ListenOptions

  @Option(
    help: ArgumentHelp(
      "Always answer an operation with one cell: joinQueue=203, joinQueue=penaltyFirst, readChat=200.empty, 'GET /chat=500', '*=500'. Repeatable.",
      valueName: "operation=cell"))
  var force: [String] = []

  @OptionGroup var faults: FaultOptions

  @Option(
    help: ArgumentHelp("Play the scenario fixtures/<contract>/_scenarios/<name>.yaml.", valueName: "name"))
  var scenario: String?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Remember what was created, changed and deleted; fixtures are what collections begin with. (default: --no-stateful)"
  )
  var stateful: Bool?

  @Option(
    help: ArgumentHelp(
      "Report what the client must not do between two answers: retry-after-401, retry-storm=3, poll-interval:readChat=5s. Repeatable; `understudy explain check.*` lists the checks.",
      valueName: "check"))
  var check: [String] = []

  @Option(
    help: ArgumentHelp(
      "Give a lane a port of its own: alice=4011; 0 takes a free one. Repeatable.", valueName: "lane=port"))
  var lanePort: [String] = []

  @Option(
    help: ArgumentHelp(
      "The answer to an invalid request: contract, problem or warn. (default: contract)", valueName: "policy"))
  var onInvalid: String?

  @Flag(
    inversion: .prefixedNo, help: "As in Prism: --errors is --on-invalid problem, --no-errors is --on-invalid warn.")
  var errors: Bool?

  @Option(
    help: ArgumentHelp(
      "Forward requests to the server at this URL, and validate its answers; `record` writes fixtures.",
      valueName: "url"))
  var upstream: String?

  @Option(
    help: ArgumentHelp(
      "The fallback if the upstream does not answer, or with 501: none or mock. (default: none)", valueName: "source"))
  var fallback: String?

  @OptionGroup var upstreamTimeout: UpstreamTimeoutOptions

  @Option(
    help: ArgumentHelp(
      "The most connections to the upstream; further requests wait as long as it may be silent. (default: 256)",
      valueName: "number"))
  var upstreamConnections: String?

  @OptionGroup var trust: TrustOptions
  @OptionGroup var socket: UnixSocketOptions

  @Flag(
    name: [.customShort("d"), .long], inversion: .prefixedNo,
    help: "Answer with samples of the schema instead of fixtures and examples.")
  var dynamic: Bool?

  @Option(help: ArgumentHelp("Seeds the samples: the same seed gives the same bytes. (default: 0)", valueName: "text"))
  var seed: String?

  @Flag(inversion: .prefixedNo, help: "Let web pages of other origins read the answers. (default: --cors)")
  var cors: Bool?

  @Flag(inversion: .prefixedNo, help: "Serve below the paths of the contract's servers. (default: --base-path)")
  var basePath: Bool?

  @Flag(inversion: .prefixedNo, help: "Load contracts and fixtures again when they change. (default: --watch)")
  var watch: Bool?

  @Option(
    help: ArgumentHelp(
      "Record every exchange in this file (HAR 1.2), without secrets; an earlier recording is continued.",
      valueName: "file"))
  var har: String?

  @Option(
    help: ArgumentHelp(
      "Keep every exchange in this file of SQLite, without secrets; an earlier journal is continued. `understudy journal` shows it.",
      valueName: "file"))
  var journal: String?

  @OptionGroup var admin: AdminOffer

  @Flag(help: "With --har: replace an existing file of any kind.")
  var overwrite = false

  @OptionGroup var redaction: RedactionOptions

  @Flag(name: .shortAndLong, help: "Log only requests with errors or warnings.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Also show warnings about contracts and fixtures, and the parts of requests that were not validated.")
  var verbose = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let signals = Signals()
    let configuration = try common.configuration()
    let session = try await session(configuration, port: try listen.port(configuration))
    try await session.run { _, _ in await signals.wait() }
  }

  /// The mock of the options and the config file.
  func session(_ configuration: Configuration, port: Int) async throws -> ServeSession {
    var session = try session(
      configuration, port: port, sources: try await contracts.sources(configuration, trust: trust))
    session.settings = ConfigurationReload(options: self, configuration)
    return session
  }

  /// The mock of the options and the config file, with contracts that were fetched already.
  func session(_ configuration: Configuration, port: Int, sources: [ContractSource]) throws -> ServeSession {
    let options = try options(configuration)
    try requirePartners(options)
    return ServeSession(
      options: options, basePaths: configuration.basePaths(flag: basePath), sources: sources,
      fixtures: try contracts.folder(configuration), watches: watch ?? configuration.watches ?? true,
      owners: configuration.contracts.map(\.name), isChoice: !contracts.specs.isEmpty, tokens: configuration.tokens,
      host: listen.host(configuration), port: port, isQuiet: quiet, isVerbose: verbose,
      recordingPaths: RecordingPaths(har: har, overwrites: overwrite, journal: journal),
      client: ClientSettings(
        timeout: try upstreamTimeout.timeout(configuration), connections: try connections(configuration),
        trusted: try trust.certificates(for: options.upstream), socket: try socket.path()),
      admin: try admin.checked(), lanePorts: try LanePort.read(lanePort),
      redaction: try redaction.settings(configuration), readyFile: try listen.readyFile.map { try ReadyFile($0) },
      common: common)
  }

  private func options(_ configuration: Configuration) throws -> Mock.Options {
    var options = Mock.Options()
    if let setting = Setting("upstream", flag: upstream, "UNDERSTUDY_UPSTREAM", configuration.upstream) {
      options.upstream = try Upstream(setting.text, of: setting.phrase)
      // By default a proxy does not change the exchange of its two sides.
      options.onInvalid = .warn
    }
    let policies = Mock.InvalidPolicy.allCases.map(\.rawValue)
    if let setting = Setting("on-invalid", flag: try policy(), "UNDERSTUDY_ON_INVALID", configuration.onInvalid) {
      let known = try Self.known(setting, of: policies)
      options.onInvalid = Mock.InvalidPolicy(rawValue: known) ?? options.onInvalid
    }
    if let setting = Setting("fallback", flag: fallback, "UNDERSTUDY_FALLBACK", configuration.fallback) {
      options.fallsBack = try Self.known(setting, of: ["none", "mock"]) == "mock"
    }
    options.rules = configuration.rules
    // Later rules take precedence: the command line over the file.
    for written in configuration.force {
      guard var rule = ForcingRule(written.text) else {
        throw CommandFailure(
          .usage, "`force` is incomplete at \(written.location)", help: "expected `joinQueue: penaltyFirst`")
      }
      rule.location = written.location
      options.forced.append(rule)
    }
    for text in force {
      guard let rule = ForcingRule(text) else {
        throw CommandFailure(
          .usage, "`--force \(text)` is incomplete", help: "expected operation=cell, as in joinQueue=penaltyFirst")
      }
      options.forced.append(rule)
    }
    options.faults = try faults.rules(configuration)
    options.scenario = scenario
    for text in check { options.checks.append(try ClientCheckSettings(argument: text)) }
    options.isStateful = stateful ?? configuration.isStateful ?? false
    options.isDynamic = dynamic ?? configuration.isDynamic ?? false
    options.seed = seed ?? Environment["UNDERSTUDY_SEED"] ?? configuration.seed ?? "0"
    options.allowsCrossOrigin = cors ?? configuration.allowsCrossOrigin ?? true
    return options
  }

  /// Throws if an option has no effect without another one, which is missing. Settings of a file may wait for it.
  private func requirePartners(_ options: Mock.Options) throws {
    let alone = [
      ("--overwrite", "--har", overwrite && har == nil),
      ("--fallback", "--upstream", fallback != nil && options.upstream == nil),
      ("--upstream-timeout", "--upstream", upstreamTimeout.upstreamTimeout != nil && options.upstream == nil),
      ("--unix-socket", "--upstream", socket.unixSocket != nil && options.upstream == nil),
    ]
    guard let (option, partner, _) = alone.first(where: { $0.2 }) else { return }
    throw CommandFailure(
      .usage, "`\(option)` has no effect without `\(partner)`", help: "add `\(partner)`, or remove `\(option)`")
  }

  /// The policy of the flags for invalid requests.
  private func policy() throws -> String? {
    guard let errors else { return onInvalid }
    guard onInvalid == nil else {
      throw CommandFailure(
        .usage, "`--errors` and `--on-invalid` exclude each other",
        help: "--errors is --on-invalid problem, --no-errors is --on-invalid warn")
    }
    return errors ? "problem" : "warn"
  }

  private func connections(_ configuration: Configuration) throws -> Int {
    let setting = Setting("upstream-connections", flag: upstreamConnections, nil, configuration.upstreamConnections)
    guard let setting else { return UpstreamClient.defaultConnections }
    guard let number = Int(setting.text), 1...65_535 ~= number else {
      throw CommandFailure(.usage, "\(setting.phrase) is not a number of connections", help: "expected 1 to 65535")
    }
    return number
  }

  private static func known(_ setting: Setting, of known: [String]) throws -> String {
    guard known.contains(setting.text) else {
      throw CommandFailure(
        .usage, "\(setting.phrase) is unknown",
        help: Suggestion.phrase(for: setting.text, among: known) ?? "known: \(known.joined(separator: ", "))")
    }
    return setting.text
  }
}
