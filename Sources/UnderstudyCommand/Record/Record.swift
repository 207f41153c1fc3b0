import ArgumentParser
import UnderstudyMock
import UnderstudyRecording
import UnderstudyServer
import UnderstudySystem
import UnderstudyVerification

/// `understudy record`: writes fixtures from the answers of a real server.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write fixtures from the answers of a real server, or from a recording of a browser.")

  @OptionGroup(title: "Contracts and fixtures") var contracts: ContractOptions

  @OptionGroup(title: "Sources and results") var origin: RecordingSourceOptions
  @OptionGroup(title: "Fixtures") var keeping: RecordingOptions
  @OptionGroup(title: "Network") var listen: ListenOptions
  @OptionGroup(title: "Upstream") var client: UpstreamClientOptions
  @OptionGroup(title: "Network") var tls: TLSOptions
  @OptionGroup(title: "Network") var trust: TrustOptions
  @OptionGroup(title: "Upstream") var socket: UnixSocketOptions

  @OptionGroup(title: "Recordings") var scope: ScopeOptions

  @Flag(name: .shortAndLong, help: "Log every request, and not only those with findings.")
  var verbose = false

  @OptionGroup var common: CommonOptions

  var upstream: String? { origin.upstream }
  var from: [String] { origin.from }
  var twice: [String] { origin.twice }
  var draft: String? { origin.draft }
  var overlay: String? { origin.writeOverlay ?? origin.overlay }
  var check: String? { origin.check }

  func validate() throws {
    if check != nil { return }
    if draft != nil, !contracts.specs.isEmpty {
      throw ValidationError("--draft writes a contract and reads none: --write-overlay adds to \(contracts.specs[0])")
    }
    if draft != nil, !twice.isEmpty {
      throw ValidationError("--twice finds what fixtures need not distinguish, and --draft writes none")
    }
    if upstream != nil, !twice.isEmpty, repeated == nil {
      throw ValidationError("--upstream takes --twice safe or --twice all; a file is a second pass for --from")
    }
    guard (upstream == nil) == from.isEmpty else { return }
    throw ValidationError(
      upstream == nil
        ? "nothing to record is named: --upstream URL records a server, --from FILE.har a recording"
        : "--upstream and --from exclude each other")
  }

  /// The requests to send again.
  private var repeated: SessionRepeat.Choice? { twice.count == 1 ? SessionRepeat.Choice(rawValue: twice[0]) : nil }

  func run() async throws {
    try IdleOptions(record: self).refuse()
    // A hook passes the paths of several files.
    if let check { return try scan([check] + contracts.specs) }
    if let overlay {
      // An overlay must have its version (Overlay 1.0, 4.4.1).
      try refuseToReplace(
        overlay, "an overlay", "overlay:", "it gets what the contract lacks, and the contract stays as it is")
    }
    // The second one ends answers in progress, and what was recorded is written.
    let signals = Signals(expecting: from.isEmpty ? repeated == nil ? 2 : 1 : 0, isWaiting: !from.isEmpty)
    let configuration = try common.configuration()
    var settings = try keeping.settings(configuration)
    settings.wantsOverlay = overlay != nil
    settings.source = upstream.flatMap { Upstream($0)?.url } ?? from.map(Path.name).joined(separator: ", ")
    if CIGuard.isOn, !keeping.recordInCI { try guardCI(&settings) }
    if !from.isEmpty, settings.mode == .none {
      throw CommandFailure(
        .usage, "--mode none writes nothing, and a recording has no client to answer",
        help: "--mode missing records, --mode diff compares, --upstream URL --mode none answers with fixtures")
    }
    if let draft { return try await write(draft: draft, settings, signals) }
    let contracts = try await load(configuration)
    let writes = settings.mode == .missing || settings.mode == .all
    let folder = writes ? try RecordingFolder(contracts.folder, of: contracts.loaded) : nil
    // Its lock is kept until the files are written.
    defer { withExtendedLifetime(folder) {} }
    let result: (plan: RecordingPlan, report: RecordingReport)
    if from.isEmpty {
      guard let recorded = try await serve(contracts, settings, configuration, signals) else { return }
      result = recorded
    } else {
      result = try read(contracts, settings, configuration)
    }
    let outcome = RecordingOutcome(
      contracts: contracts.loaded, folder: contracts.folder, settings: settings, common: common,
      arguments: self.contracts.arguments, source: source)
    var doubts: [RecordingReport.FoundSecret] = []
    if let overlay {
      doubts = try write(
        overlay: overlay, result.report.overlays, isOnly: contracts.loaded.count == 1, settings.redaction)
    }
    try outcome.finish(result.plan, result.report)
    if let overlay { try RecordingOutcome.refuse(doubts, in: Self.folderApart(from: overlay)) }
  }

  /// Where exchanges come from, as options.
  private var source: String {
    let word = ShellQuoting().word
    return upstream.map { " --upstream \(word($0))" } ?? from.map { " --from \(word($0))" }.joined()
  }

  /// Looks for secrets in committed files and folders.
  private func scan(_ paths: [String]) throws {
    let allowed = try keeping.allowed()
    let scanner = SecretScanner([], settings: try keeping.redaction.settings(try common.configuration()))
    var files = 0
    var count = 0
    var personal = 0
    var unread: [(path: String, what: String)] = []
    var problems: [FileProblem] = []
    for path in paths {
      let result = try FileProblem.asFailure { () throws(FileProblem) in try FixtureScan.scan(path, scanner) }
      files += result.files
      unread += result.unread
      problems += result.problems
      for finding in result.findings where !allowed.contains(finding.rule) {
        count += 1
        Terminal.standardOutput.write("\(finding.path):\(finding.line): \(finding.excerpt) [\(finding.rule)]\n")
      }
      for finding in result.personal where keeping.pii != .keep {
        personal += finding.count
        let places = DiagnosticPrinter.visible(finding.places.joined(separator: ", "))
        Terminal.standardOutput.write("\(finding.path): personal data: \(places)\n")
      }
    }
    Terminal.standardError.write(
      "scanned \(files.counted("file")): \(count.counted("possible secret"))"
        + (personal > 0 ? ", \(personal.counted("value")) of personal data" : "") + "\n")
    for (path, what) in unread {
      Terminal.standardError.write("not scanned: \(VisibleText.line(path)) (\(what)): unpack it, or save it as UTF-8\n")
    }
    for problem in problems {
      Terminal.standardError.write("not scanned: \(VisibleText.line(problem.path)): \(problem.message)\n")
    }
    guard count == 0 else { throw CommandFailure(.findings) }
    guard problems.isEmpty else {
      throw CommandFailure(
        .usage, "\(problems.count == 1 ? "1 entry" : "\(problems.count) entries") could not be scanned")
    }
    guard files > 0 else { throw CommandFailure(.nothingChecked, "no file was scanned") }
    if !unread.isEmpty { throw CommandFailure(.nothingChecked, "\(unread.count.counted("file")) could not be scanned") }
  }

  /// With `CI` set fixtures answer, and nothing is sent or written.
  private func guardCI(_ settings: inout RecordingSettings) throws {
    if !from.isEmpty {
      guard settings.mode != .diff else { return }
      throw CommandFailure(
        .usage, "`CI` is set, and fixtures are not written there",
        help: "record on a developer's machine, or allow it with --record-in-ci; --mode diff writes nothing")
    }
    guard settings.mode != .none else { return }
    settings.mode = .none
    Terminal.standardError.write(
      "`CI` is set: fixtures answer, and nothing is sent or written; --record-in-ci allows it\n")
  }

  /// Throws, before anything is recorded, if a file is there and is something else than what is to be written: the contract
  /// itself, for example, or the recording.
  private func refuseToReplace(_ path: String, _ noun: String, _ key: String, _ purpose: String) throws {
    guard FileSystem.exists(path) else { return }
    // Comments may come before the version.
    let lines = ((try? FileSystem.read(path).bytes) ?? []).split(separator: UInt8(ascii: "\n"))
    guard !lines.contains(where: { $0.starts(with: key.utf8) }) else { return }
    throw CommandFailure(
      .usage, "\(path) exists and is not \(noun), which would replace it", help: "choose another file: \(purpose)")
  }

  /// Writes what the contracts lack. An overlay extends one document, so each of several contracts has its own:
  /// `gaps.yaml` becomes `gaps.shop.yaml`.
  ///
  /// - Returns: Possible secrets in overlays that were put aside.
  private func write(
    overlay path: String, _ overlays: [(contract: String, text: String)], isOnly: Bool, _ redaction: RedactionSettings
  ) throws -> [RecordingReport.FoundSecret] {
    guard !overlays.isEmpty else {
      Terminal.standardError.write("the contract lacks nothing: no overlay\n")
      return []
    }
    let ending = Path.name(of: path).dropFirst(Path.stem(of: path).count)
    let files = overlays.map { overlay in
      (isOnly ? path : "\(path.dropLast(ending.count)).\(overlay.contract)\(ending)", overlay.text)
    }
    return try files.flatMap { path, text in try write(text, to: path, redaction) }
  }

  /// The folder of a contract or an overlay that may hold a secret.
  private static func folderApart(from path: String) -> String {
    Path.join(Path.folder(of: path), DoubtfulFiles.folder)
  }

  /// Writes a contract or an overlay, or puts it aside if it has what looks like a secret, and returns that. Names that
  /// consist of paths only look generated.
  private func write(
    _ text: String, to path: String, _ redaction: RedactionSettings
  ) throws -> [RecordingReport.FoundSecret] {
    let (bytes, name) = (Array(text.utf8), Path.name(of: path))
    var secrets = FixtureScan.findings(in: bytes, of: name, SecretScanner(settings: redaction)).filter { finding in
      finding.rule != Rule.redactEntropy.id && !keeping.allowSecret.contains(finding.rule)
    }
    let style = common.standardOutput
    do throws(FileProblem) {
      if secrets.isEmpty {
        try FileSystem.replace(path, with: bytes)
        Terminal.standardOutput.write("\(style.green("wrote")) \(path)\n")
      } else {
        let place = Path.join(try DoubtfulFiles.write([(name, bytes)], besides: Path.folder(of: path)), name)
        Terminal.standardOutput.write("\(style.yellow("put aside")) \(place)\n")
        let below = String(place.dropFirst(Self.folderApart(from: path).count + 1))
        for index in secrets.indices { secrets[index].path = below }
      }
    } catch {
      throw CommandFailure(.usage, "nothing was written: \(error.path): \(error.message)", help: error.help)
    }
    return secrets
  }

  private func load(_ configuration: Configuration) async throws -> LoadedContracts {
    let folder = try RecordingFolder.path(contracts.fixtures, configuration)
    let sources = try origin.withWritableOverlay(await contracts.sources(configuration, trust: trust))
    var loaded: [Contract] = []
    for source in sources {
      let (contract, diagnostics) = Contract.load(source, fixtures: folder, basePaths: configuration.basePaths())
      guard let contract else {
        common.report(diagnostics)
        throw CommandFailure(
          .notLoadable, "\(source.path) cannot be used", help: "`\(contracts.lintCommand(source))` checks it again")
      }
      common.report(diagnostics.filter { Rule.overlay.contains($0.rule) })
      loaded.append(contract)
    }
    let conflicts = ContractConflict.names(loaded.map(\.compiled))
    guard conflicts.isEmpty else {
      common.report(conflicts)
      throw CommandFailure(.usage)
    }
    return LoadedContracts(loaded: loaded, sources: sources, folder: folder)
  }

  struct LoadedContracts {
    var loaded: [Contract]
    var sources: [ContractSource]
    var folder: String
  }

  // MARK: - Sources

  /// Records the exchanges of files.
  private func read(
    _ contracts: LoadedContracts, _ settings: RecordingSettings, _ configuration: Configuration
  ) throws -> (RecordingPlan, RecordingReport) {
    let scope = try scope.resolved(for: contracts.loaded)
    var comparison = SessionComparison(contracts.loaded, scope: scope)
    if !twice.isEmpty { comparison.compare(try held(from), with: try held(twice)) }
    var recorder = try FileProblem.asFailure { () throws(FileProblem) in
      try Recorder(
        contracts.loaded, rules: configuration.rules, scope: scope, settings: settings,
        volatile: comparison.places)
    }
    for path in from { try RecordedFile(path).forEach { entry, isOwn in recorder.record(entry, isOwn: isOwn) } }
    return recorder.finish(playing: contracts.player(configuration))
  }

  /// The exchanges of a session in files.
  private func held(_ paths: [String]) throws -> HeldSession {
    var session = HeldSession()
    for path in paths { try RecordedFile(path).forEach { entry, isOwn in session.add(entry, isOwn: isOwn) } }
    guard session.lost == 0 else {
      throw CommandFailure(
        .usage,
        "\(paths.joined(separator: ", ")): more than \(HeldSession.limit.asBytes), which --twice compares in memory",
        help: "record parts of the session")
    }
    return session
  }

  /// Writes a first contract from traffic.
  private func write(draft path: String, _ settings: RecordingSettings, _ signals: Signals) async throws {
    guard settings.mode == .missing || settings.mode == .all else {
      throw CommandFailure(.usage, "--draft writes a contract, which --mode \(settings.mode.rawValue) does not allow")
    }
    guard !FileSystem.exists(path) || settings.mode == .all else {
      throw CommandFailure(
        .usage, "\(path) exists, and a draft would replace it",
        help: "choose another file, or replace it with --mode all")
    }
    try refuseToReplace(path, "a contract", "openapi:", "it gets the contract that is drafted")
    let draft = Lock(ContractDraft(redaction: settings.redaction))
    if from.isEmpty {
      let url = try upstreamURL()
      var session = try session(
        LoadedContracts(loaded: [], sources: [], folder: ""), Configuration(), settings.redaction, signals)
      session.options.upstream = url
      session.options.onInvalid = .warn
      // Without a contract every path is unknown.
      session.options.rules.levels[.requestPathUnknown] = .off
      session.client.trusted = try trust.certificates(for: url)
      session.announcement = .line("records \(url.url); Ctrl-C writes \(path)")
      let exchanges = FixtureRecorder { exchange in
        draft.withLock { draft in
          if var entry = exchange.recordedFromUpstream {
            entry.url = url.url + (entry.request.path ?? "/")
            draft.add(entry)
          }
          return (draft.exchanges, draft.paths)
        }
      } hiding: { text in
        draft.withLock { $0.hidingKnown(in: text.value) }
      }
      session.recorder = exchanges
      try await session.run { _, _ in await signals.wait() }
      _ = exchanges.finish()
    }
    for file in from { try RecordedFile(file).forEach { entry, _ in draft.withLock { $0.add(entry) } } }
    let (text, count, paths) = draft.withLock { ($0.yaml(title: Path.stem(of: path)), $0.exchanges, $0.paths) }
    guard count > 0 else { throw CommandFailure(.nothingChecked, "no exchange was recorded, so nothing was written") }
    let doubts = try write(text, to: path, settings.redaction)
    try RecordingOutcome.refuse(doubts, in: Self.folderApart(from: path))
    let word = ShellQuoting().word(path)
    Terminal.standardError.write(
      "drafted from \(count.counted("exchange")) with \(paths.counted("path"))\n"
        + "next: understudy lint \(word); understudy serve \(word)\n")
  }

  /// Forwards requests until the program is interrupted; `nil` if fixtures answered.
  private func serve(
    _ contracts: LoadedContracts, _ settings: RecordingSettings, _ configuration: Configuration, _ signals: Signals
  ) async throws -> (RecordingPlan, RecordingReport)? {
    let url = try upstreamURL()
    var session = try session(contracts, configuration, settings.redaction, signals)
    guard settings.mode != .none else {
      session.announcement = .banner
      try await session.run { _, _ in await signals.wait() }
      return nil
    }
    session.options.upstream = url
    session.options.onInvalid = .warn
    session.client.trusted = try trust.certificates(for: url)
    session.announcement = .line(
      settings.mode == .diff ? "compares \(url.url) with fixtures" : "records \(url.url); Ctrl-C writes the fixtures")
    let recording = try FileProblem.asFailure { () throws(FileProblem) in
      try LiveRecording(
        contracts.loaded, rules: configuration.rules, settings: settings, isHeld: repeated != nil,
        player: contracts.player(configuration))
    }
    let exchanges = FixtureRecorder {
      recording.record($0)
    } hiding: {
      recording.hidingKnown(in: $0)
    }
    session.recorder = exchanges
    let client = session.client
    try await session.run { _, mock in
      await signals.wait()
      guard let repeated else { return }
      _ = exchanges.finish()
      Terminal.standardError.write("sends requests again; another Ctrl-C ends without fixtures\n")
      // An answer may have no end.
      let again = try UpstreamClient(
        timeout: client.timeout, limitsWhole: true, usesHTTP2: client.usesHTTP2, trusting: client.trusted,
        socket: client.socket)
      await recording.compare(by: SessionRepeat(mock: mock, transport: again.transport, choice: repeated))
      await again.shutdown()
    }
    return try recording.finish(lost: exchanges.finish())
  }

  private func upstreamURL() throws -> Upstream {
    try Upstream(upstream ?? "", of: "`--upstream \(upstream ?? "")`")
  }

  private func session(
    _ contracts: LoadedContracts, _ configuration: Configuration, _ redaction: RedactionSettings, _ signals: Signals
  ) throws -> ServeSession {
    var options = Mock.Options()
    options.rules = configuration.rules
    var session = ServeSession(
      options: options, basePaths: configuration.basePaths(), sources: contracts.sources, fixtures: contracts.folder,
      watches: false, owners: configuration.contracts.map(\.name), isChoice: !self.contracts.specs.isEmpty,
      host: listen.host(configuration), port: try listen.port(configuration), isQuiet: !verbose, isVerbose: verbose,
      client: ClientSettings(
        timeout: try client.timeout(configuration), usesHTTP2: try client.usesHTTP2(configuration),
        socket: try socket.path()),
      readyFile: try listen.readyFile.map { try ReadyFile($0) }, common: common)
    session.redaction = redaction
    session.tls = try tls.choice(host: session.host)
    session.options.showsCertificates = tls.clientCA != nil
    if repeated == nil { session.hurry = signals.next }
    return session
  }
}
