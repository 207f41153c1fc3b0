import ArgumentParser
import UnderstudyVerification

/// The server of a live run and the requests to it.
struct LiveOptions: ParsableArguments {
  @Option(\.liveURL, value: "url", help: "Validate the server at this base URL.")
  var live: String?

  @Flag(help: "With --live: also send methods that may change data, not only GET, HEAD, OPTIONS and QUERY.")
  var allowUnsafe = false

  @Flag(help: "With --live: also send operations that by their names end, restart or reset the server.")
  var allowDestructive = false

  @Option(help: ArgumentHelp("With --live: only this operation. Repeatable.", valueName: "id"))
  var operation: [String] = []

  @Option(\.excludedOperations, value: "id", help: "With --live: never send this operation. Repeatable.")
  var excludeOperation: [String] = []

  @Option(\.tags, value: "tag", help: "With --live: only operations with this tag. Repeatable.")
  var tag: [String] = []

  @Option(
    \.paths, value: "path",
    help: "With --live: only operations of this path; a * at its end stands for any rest. Repeatable.")
  var path: [String] = []

  @Option(
    help: ArgumentHelp("With --live: only these of examples, coverage, random and stateful.", valueName: "phases"))
  var phases: String?

  @Option(
    help: ArgumentHelp("With --live: send valid requests, invalid ones, or all.", valueName: "mode"))
  var mode: LiveSettings.Mode = .all

  @Option(
    name: [.customLong("count"), .customLong("max-examples")],
    help: ArgumentHelp(
      "With --live: the number of valid requests generated for each operation. (default: 10)", valueName: "n"),
    transform: (1...1_000).number)
  var count: Int?

  @Option(\.seed, value: "text", help: "With --live: the same seed sends the same requests. (default: 0)")
  var seed: String?

  @Option(
    \.headers, value: "name: value",
    help: "With --live: send this header with every request; ${NAME} is an environment variable. Repeatable.")
  var header: [String] = []

  @Option(help: ArgumentHelp("With --live: the most requests per time: 20/s, 600/m.", valueName: "rate"))
  var rate: String?

  @Option(
    help: ArgumentHelp("With --live: the number of operations in parallel. (default: 1)", valueName: "n"),
    transform: (1...64).number)
  var workers: Int?

  @Option(help: ArgumentHelp("With --live: the time limit of a request. (default: 10s)", valueName: "duration"))
  var timeout: String?

  @Option(
    help: ArgumentHelp("With --live: the time limit of the run, without --before and --after.", valueName: "duration"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp("With --live: stop after this number of errors.", valueName: "n"),
    transform: (1...Int.max).number)
  var maxFailures: Int?

  @Flag(
    \.basePath,
    help:
      "With --live: use the base paths of the contract's servers, unless the URL has a path. (default: --base-path)"
  )
  var basePath: Bool?

  @Option(\.before, value: "command", help: "With --live: run this with /bin/sh first; the run ends if it fails.")
  var before: String?

  @Option(\.after, value: "command", help: "With --live: run this with /bin/sh at the end, even after a failure.")
  var after: String?

  @Option(
    help: ArgumentHelp(
      "With --live: write every exchange to this file, without secrets, a line of JSON each.", valueName: "file"))
  var ledger: String?

  @OptionGroup var trust: TrustOptions
  @OptionGroup var socket: UnixSocketOptions

  /// The first option that needs a server.
  var withoutServer: String? {
    let flags = given + (mode == .all ? [] : ["--mode"])
    return flags.first { !["--live", "--base-path", "--no-base-path"].contains($0) }
  }

  /// `nil` unless the flag names a server.
  func run(_ verify: Verify, _ configuration: Configuration) throws -> LiveRun? {
    try live.flatMap { Setting(\.liveURL, flag: $0) }.map { try run(verify, configuration, at: $0) }
  }

  /// `nil` unless the config file names a server.
  func configuredRun(_ verify: Verify, _ configuration: Configuration) throws -> LiveRun? {
    try Setting(\.liveURL, flag: nil, configuration).map { try run(verify, configuration, at: $0) }
  }

  private func run(_ verify: Verify, _ configuration: Configuration, at setting: Setting) throws -> LiveRun {
    let target = try Upstream(setting.text, of: setting.phrase)
    var settings = LiveSettings(target: target)
    settings.usesBasePaths = basePath ?? configuration.basePath ?? true
    settings.mode = mode
    settings.ledgerSize = ledger == nil ? 0 : Ledger.sizeLimit
    settings.seed = Setting(\.seed, flag: seed, configuration)?.text ?? "0"
    settings.count = count ?? settings.count
    settings.workers = workers ?? settings.workers
    settings.maximumFailures = maxFailures
    settings.allowsUnsafe = allowUnsafe
    settings.allowsDestructive = allowDestructive
    settings.run = Timestamp.now()
    settings.selection.operations = operation
    settings.selection.tags = tag.isEmpty ? configuration.tags ?? [] : tag
    settings.selection.paths = path.isEmpty ? configuration.paths ?? [] : path
    settings.selection.excluded = excludeOperation + (configuration.excludedOperations ?? [])
    if let phases { settings.phases = try Self.phases(phases) }
    settings.values = Dictionary((configuration.parameterValues ?? []).map { ($0.name, $0.values) }) { first, _ in first
    }
    settings.clock = SampleClock(today: Timestamp.seconds() / 86_400)
    settings.shard = try verify.part()
    settings.rules = configuration.rules
    for line in header {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, HeaderText.isName(parts[0]) else {
        throw CommandFailure(.usage, "`--header \(line)` is not a header", help: "expected 'Name: value'")
      }
      try settings.add(header: parts[0], EnvironmentText(parts[1], in: "`--header \(line)`"))
    }
    for (name, text) in configuration.headers ?? []
    where !header.contains(where: { $0.lowercased().hasPrefix(name.lowercased() + ":") }) {
      try settings.add(header: name, EnvironmentText(text.text, in: "`\(name): \(text.text)` (\(text.location))"))
    }
    for (scheme, text) in configuration.auth ?? [] {
      try settings.add(scheme: scheme, EnvironmentText(text.text, in: "`\(scheme): \(text.text)` (\(text.location))"))
    }
    let maximumTime = try Self.duration(maxTime, "max-time")
    settings.operationTime = maximumTime.map { $0 / 20 }
    return LiveRun(
      common: verify.common, contracts: verify.contracts, configuration: configuration, settings: settings,
      trusted: try trust.certificates(for: target), socket: try socket.path(),
      timeout: try Self.duration(timeout, "timeout") ?? .seconds(10),
      maximumTime: maximumTime,
      pace: try rate.map { try Pace($0) }, before: before ?? configuration.before,
      after: after ?? configuration.after, ledger: ledger)
  }

  /// The values of parameters in the config file; a single value counts as a list.
  static func values(
    _ node: JSON, _ reader: SettingsReader
  ) -> [(name: String, values: [JSON], location: Location)] {
    let values = reader.mapping(node, "a mapping of parameters to values, as in `values: {petId: [1, 2]}`")
    return values?.members.map { ($0.name, $0.value.array ?? [$0.value], Location($0.key)) } ?? []
  }

  /// Reads `examples,coverage`; `fuzzing` is Schemathesis' name of `random`.
  private static func phases(_ text: String) throws -> Set<LiveSettings.Phase> {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known = LiveSettings.Phase.allCases.map(\.rawValue)
    return try Set(
      names.map { name in
        guard let phase = LiveSettings.Phase(rawValue: name == "fuzzing" ? "random" : name) else {
          throw CommandFailure(
            .usage, "`--phases \(text)` names `\(name)`, which is not a phase",
            help: Suggestion.phrase(for: name, among: known) ?? "expected some of \(known.joined(separator: ","))")
        }
        return phase
      })
  }

  private static func duration(_ text: String?, _ name: String) throws -> Duration? {
    guard let text else { return nil }
    // A bare number would mean milliseconds, which is unlikely.
    guard Int(text) == nil, let duration = Duration(text: text), duration > .zero else {
      throw CommandFailure(
        .usage, "`--\(name) \(text)` is not a duration", help: "expected 500ms, 30s or 2m, at most an hour")
    }
    return duration
  }
}

extension LiveSettings.Mode: ExpressibleByArgument {}

extension LiveSettings {
  mutating func add(header name: String, _ text: EnvironmentText) throws {
    guard HeaderText.isValue(text.value) else {
      throw CommandFailure(.usage, "the header `\(name)` would have a line break")
    }
    headers.append((name, text.value))
    secrets += text.secrets
    // A credential without environment variables is a secret as well.
    guard text.secrets.isEmpty, SecretNames.isCredential(header: name) else { return }
    // The scheme, such as `Bearer`, is not secret.
    let hasScheme = SecretNames.hasScheme(name)
    let credential = hasScheme ? text.value.split(separator: " ", maxSplits: 1).last.map(String.init) : nil
    secrets.append(Secret(credential ?? text.value, variable: Secret.variable(named: name)))
  }

  mutating func add(scheme name: String, _ text: EnvironmentText) throws {
    credentials[name] = text.value
    secrets += text.secrets.isEmpty ? [Secret(text.value, variable: Secret.variable(named: name))] : text.secrets
  }
}
