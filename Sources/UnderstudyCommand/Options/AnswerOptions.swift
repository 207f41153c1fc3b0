import ArgumentParser
import UnderstudyMock
import UnderstudySockets
import UnderstudyVerification

/// How a mock chooses its responses.
struct AnswerOptions: ParsableArguments {
  @Option(
    \.force, value: "operation=cell",
    help:
      "Always answer an operation with one cell: joinQueue=203, joinQueue=penaltyFirst, readChat=200.empty, 'GET /chat=500', '*=500', readChat=500@20% for a fifth of the requests. Repeatable."
  )
  var force: [String] = []

  @Option(
    help: ArgumentHelp("Play the scenario fixtures/<contract>/_scenarios/<name>.yaml.", valueName: "name"))
  var scenario: String?

  @Flag(
    \.stateful,
    help:
      "Remember what was created, changed and deleted; fixtures are what collections begin with. (default: --no-stateful)"
  )
  var stateful: Bool?

  @Option(
    help: ArgumentHelp(
      "Play the pauses of sockets and streams this many times as fast: 10, 0.5, or max for none. (default: 1)",
      valueName: "factor"))
  var speed: String?

  @Option(
    help: ArgumentHelp(
      "Report what the client must not do between two answers: retry-after-401, retry-storm=3, poll-interval:readChat=5s, 'kept-fields: {fields: [name]}'; or a rule about requests: req.param.undeclared. Repeatable; `understudy explain check.*` lists the checks.",
      valueName: "check"))
  var check: [String] = []

  @Flag(
    \.callbacks,
    help: "Send the callbacks of the contract after the responses of their operations. (default: --no-callbacks)")
  var callbacks: Bool?

  @Option(
    \.allowCallbacks, value: "host",
    help: "Let callbacks and webhooks be sent to this host, besides localhost. Repeatable.")
  var allowCallbacks: [String] = []

  @Option(
    \.onInvalid, value: "policy",
    help: "The answer to an invalid request: contract, problem or warn. (default: contract)")
  var onInvalid: String?

  @Flag(
    inversion: .prefixedNo, help: "As in Prism: --errors is --on-invalid problem, --no-errors is --on-invalid warn.")
  var errors: Bool?

  @Flag(
    \.dynamic, short: "d",
    help: "Answer with samples of the schema, new for each request, instead of fixtures and examples.")
  var dynamic: Bool?

  @Option(\.seed, value: "text", help: "Seeds the samples: the same seed gives the same bytes. (default: 0)")
  var seed: String?

  /// Sets what these options and the config file choose.
  func apply(to options: inout Mock.Options, _ configuration: Configuration) throws {
    let policies = Mock.InvalidPolicy.allCases.map(\.rawValue)
    if let setting = Setting(\.onInvalid, flag: try policy(), configuration) {
      options.onInvalid = Mock.InvalidPolicy(rawValue: try setting.known(of: policies)) ?? options.onInvalid
    }
    // Later rules take precedence: the command line over the file.
    for written in configuration.force ?? [] {
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
    options.scenario = scenario
    for text in check { options.checks.append(try ClientCheckSettings(argument: text)) }
    if let speed {
      guard let factor = PlaybackSpeed(speed) else {
        throw CommandFailure(
          .usage, "`--speed \(speed)` is not a speed", help: "expected a number from 0.001 to 1000, or max")
      }
      options.speed = factor
    }
    options.sendsCallbacks = callbacks ?? configuration.callbacks ?? false
    for host in allowCallbacks + (configuration.allowCallbacks ?? []) {
      guard CallbackTarget.isHost(host) else {
        throw CommandFailure(
          .usage, "`--allow-callbacks \(host)` is not a host",
          help: "expected a name or an address, as in hooks.example.com")
      }
      options.callbackHosts.insert(host.lowercased())
    }
    options.isStateful = stateful ?? configuration.stateful ?? false
    options.isDynamic = dynamic ?? configuration.dynamic ?? false
    options.seed = Setting(\.seed, flag: seed, configuration)?.text ?? "0"
  }

  /// The rules of `force` in the config file, each as `<operation>=<cell>`.
  static func forced(_ node: JSON, _ reader: SettingsReader) -> [Setting.Written] {
    let force = reader.mapping(node, "a mapping of operations to cells, as in `joinQueue: penaltyFirst`")
    return force?.members.map { member in
      let cell = member.value.isString || member.value.kind == .number ? member.value.text : ""
      return Setting.Written(text: "\(member.name)=\(cell)", location: Location(member.key))
    } ?? []
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
}
