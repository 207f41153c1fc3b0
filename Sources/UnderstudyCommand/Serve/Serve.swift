import ArgumentParser
import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// `understudy serve SPEC...`: runs a mock. `run` has the same options.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Mock the backend: answer every operation and status from fixtures, examples or samples.",
    aliases: ["mock"])

  @OptionGroup(title: "Contracts and fixtures") var contracts: ContractOptions
  @OptionGroup(title: "Contracts and fixtures") var routes: RouteOptions
  @OptionGroup(title: "Answers") var answers: AnswerOptions
  @OptionGroup(title: "Answers") var faults: FaultOptions
  @OptionGroup(title: "Network") var listen: ListenOptions
  @OptionGroup(title: "Network") var tls: TLSOptions
  @OptionGroup(title: "Network") var trust: TrustOptions
  @OptionGroup(title: "Network") var paths: PathOptions
  @OptionGroup(title: "Upstream") var proxy: ProxyOptions
  @OptionGroup(title: "Upstream") var client: UpstreamClientOptions
  @OptionGroup(title: "Upstream") var socket: UnixSocketOptions
  @OptionGroup(title: "Lanes") var store: StoreOptions
  @OptionGroup(title: "Recordings") var recording: ExchangeOptions
  @OptionGroup(title: "Recordings") var redaction: RedactionOptions
  @OptionGroup(title: "Console and admin API") var admin: AdminOffer

  @Flag(name: .shortAndLong, help: "Log only requests with errors or warnings.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Also show warnings about contracts and fixtures, and the parts of requests that were not validated.")
  var verbose = false

  @Flag(help: "Refuse to start with a fixture that cannot be read, or breaks the contract.")
  var strict = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let signals = Signals(isWaiting: false)
    let configuration = try common.configuration()
    var session = try await session(configuration, port: try listen.port(configuration))
    let stop = Task { await signals.wait() }
    session.stop = stop
    try await session.run { _, _ in await stop.value }
  }

  /// The mock of the options and the config file.
  func session(_ configuration: Configuration, port: Int) async throws -> ServeSession {
    var session = try session(
      configuration, port: port,
      sources: try await contracts.sources(configuration, trust: trust, besides: try routes.source()))
    session.settings = ConfigurationReload(options: self, configuration)
    return session
  }

  /// The mock of the options and the config file, with contracts that were fetched already.
  func session(_ configuration: Configuration, port: Int, sources: [ContractSource]) throws -> ServeSession {
    let options = try options(configuration)
    try requirePartners(options)
    var session = ServeSession(
      options: options, basePaths: configuration.basePaths(flag: paths.basePath), sources: sources,
      fixtures: try contracts.folder(configuration), watches: paths.watch ?? configuration.watch ?? true,
      owners: configuration.contracts.map(\.name), isChoice: !contracts.specs.isEmpty, tokens: configuration.tokens,
      host: listen.host(configuration), port: port, isQuiet: quiet, isVerbose: verbose,
      recordingPaths: RecordingPaths(
        har: recording.har, overwrites: recording.overwrite, journal: recording.journal),
      client: ClientSettings(
        timeout: try client.timeout(configuration), usesHTTP2: try client.usesHTTP2(configuration),
        connections: try proxy.connections(configuration),
        trusted: try trust.certificates(for: options.upstream), socket: try socket.path()),
      admin: try admin.checked(), lanePorts: try LanePort.read(paths.lanePort),
      redaction: try redaction.settings(configuration), readyFile: try listen.readyFile.map { try ReadyFile($0) },
      common: common)
    session.loops = paths.loops
    session.store = try store.address(configuration)
    session.tls = try tls.choice(host: session.host)
    session.options.showsCertificates = tls.clientCA != nil
    session.isStrict = strict
    return session
  }

  private func options(_ configuration: Configuration) throws -> Mock.Options {
    var options = Mock.Options()
    try proxy.apply(to: &options, configuration)
    options.rules = configuration.rules
    try answers.apply(to: &options, configuration)
    try faults.apply(to: &options, configuration)
    options.allowsCrossOrigin = paths.cors ?? configuration.cors ?? true
    return options
  }

  /// Throws if an option has no effect without another one, which is missing. Settings of a file may wait for it.
  private func requirePartners(_ options: Mock.Options) throws {
    let alone = [
      ("--overwrite", "--har", recording.overwrite && recording.har == nil),
      ("--fallback", "--upstream", proxy.fallback != nil && options.upstream == nil),
      ("--upstream-timeout", "--upstream", client.upstreamTimeout != nil && options.upstream == nil),
      ("--upstream-http", "--upstream", client.upstreamHTTP != nil && options.upstream == nil),
      ("--unix-socket", "--upstream", socket.unixSocket != nil && options.upstream == nil),
    ]
    guard let (option, partner, _) = alone.first(where: { $0.2 }) else { return }
    throw CommandFailure(
      .usage, "`\(option)` has no effect without `\(partner)`", help: "add `\(partner)`, or remove `\(option)`")
  }
}
