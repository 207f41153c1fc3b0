import UnderstudyMock
import UnderstudyServer
import UnderstudyStore
import UnderstudySystem
import UnderstudyVerification

/// A running mock: banner, log, reloads and shutdown.
struct ServeSession {
  var options: Mock.Options
  var basePaths: BasePathPolicy
  var sources: [ContractSource]
  var fixtures: String
  var watches: Bool
  /// The names of contracts that own folders of fixtures without being served.
  var owners: [String]
  /// Whether the user chose some of the contracts.
  var isChoice: Bool
  var tokens: TokenSettings?
  /// The clock that tokens are checked by, in seconds since 1970.
  var now: @Sendable () -> Int = { Timestamp.seconds() }
  var host: String
  var port: Int
  /// The number of event loops; `nil` for one for each processor.
  var loops: Int?
  var isQuiet: Bool
  var isVerbose: Bool
  /// Whether fixtures with errors keep the session from its start.
  var isStrict = false
  var recordingPaths = RecordingPaths()
  var client: ClientSettings
  /// `nil` for plain HTTP.
  var tls: TLSChoice?
  var admin = AdminChoice()
  var lanePorts: [LanePort] = []
  /// The store of the lanes; `nil` for lanes in memory.
  var store: StoreAddress?
  /// The clock of a mock with a store.
  let clock = ReplicaClock()
  var redaction = RedactionSettings()
  /// Records the answers of the upstream as fixtures.
  var recorder: FixtureRecorder?
  var readyFile: ReadyFile?
  /// Counts the requests that break the contract.
  var brokenRequests: BrokenRequests?
  var announcement = Announcement.banner
  /// Ends with the signal that stops the session.
  var stop: Task<Void, Never>?
  /// Waits for the signal that ends answers in progress after `body`; `nil` if it ends the process.
  var hurry: (@Sendable () async -> Void)?
  var common: CommonOptions
  /// Reads the config file again when it changes.
  var settings: ConfigurationReload?

  /// The messages at the start and the end.
  enum Announcement {
    case banner
    /// One line with the purpose of the mock.
    case line(String)
  }

  /// What is left of a session.
  struct Outcome {
    /// The mock that was served first.
    let mock: Mock
    /// The findings about clients that no single exchange shows.
    let closingFindings: [ClosingFinding]
  }

  /// Serves while `body` runs.
  @discardableResult
  func run(while body: (ServerAddress, Mock) async throws -> Void) async throws -> Outcome {
    let start = ContinuousClock.now
    let files = sources.filter { !$0.isRemote && !$0.isInMemory }.map(\.path)
    let before = FileWatcher.Snapshot(of: watches ? files + [fixtures, configPath] : [])
    let deduplicator = DiagnosticDeduplicator()
    // A second thread lints the contracts while this one reads fixtures and binds the port.
    var verdicts: [Task<ContractVerdict, Never>] = []
    let (mock, watched) = try firstMock(deduplicator) { contract in
      guard case .banner = announcement, verdicts.count < Banner.contractLimit else { return }
      verdicts.append(Task(executorPreference: Self.linter) { ContractVerdict(contract.lint()) })
    }
    if isStrict { try await requireValidFixtures(of: mock) }
    // Until here a signal leaves nothing behind.
    Signals.beginWaiting()
    let parts = try ServeComposition(self, mock)
    let (lines, host, lanes) = (parts.lines, parts.host, parts.lanes)
    let address = try await parts.open(lanePorts)
    let took = ContinuousClock.now - start
    let check = FixtureCheck(lines, style: common.standardError, showsAll: isVerbose, broken: parts.broken)
    if let lanes { host?.lanePorts.use(lanes) }
    let reloader = reloader(deduplicator, lines) { mock, changed in
      lines.notify(await use(mock, changed, parts))
      guard let mock, mock.diagnostics.isEmpty else { return }
      parts.recordings.use(mock)
      check.start(mock)
    }
    var problem: (any Error)?
    var notice: Task<Void, Never>?
    do {
      try readyFile?.write(address.url)
      let console = parts.offer.map { consoleAddress($0.settings, isNewToken: $0.isNewToken, at: address) }
      let banner = await announcement(
        mock, address, took, verdicts, console: console, store: parts.durable?.storeFacts)
      lines.notify(banner + (lanes.map { laneLines($0) } ?? "") + securityLines)
      if let durable = parts.durable { host?.resume(durable, by: mock) }
      notice = exampleNotice(mock, lines)
      check.start(mock)
      // Changes since the start are noticed as well.
      reloader.start(watching: watches ? watched : nil, since: before)
      host?.reload.use { await reloader.reload() }
      host?.repeated.use { parts.recordings.append($0) }
      let page = address.url + (parts.offer?.settings.root ?? AdminSettings.defaultRoot) + "/"
      let pressed = host.flatMap { keys(for: $0, mock, lines, console: page) }
      defer { pressed?.stop() }
      try await body(address, mock)
    } catch {
      problem = error
    }
    notice?.cancel()
    readyFile?.remove()
    await reloader.stop()
    await check.stop()
    host?.finishLanes(by: mock)
    host?.endStreams()
    parts.upstream?.quiesce()
    await end(parts)
    parts.durable?.close()
    await parts.upstream?.shutdown()
    await parts.callbackClient.shutdown()
    _ = recorder?.finish()
    lines.finish(farewell + parts.recordings.finish())
    if let problem { throw problem }
    // The reason is in the log.
    if parts.recordings.hasFailed { throw CommandFailure(.usage) }
    return Outcome(mock: mock, closingFindings: host?.closingFindings(of: mock) ?? [])
  }

  /// For the banner: a line for each lane that has a port.
  private func laneLines(_ lanes: LaneServers) -> String {
    lanes.addresses.map { "  lane \($0.lane): \(common.standardError.cyan($0.address.url))\n" }.joined()
  }

  /// For the banner: lines about the certificate.
  private var securityLines: String { (tls?.notes ?? []).map { "  \($0)\n" }.joined() }

  /// Waits for answers in progress, unless another signal ends them.
  private func end(_ parts: ServeComposition) async {
    let (server, lanes) = (parts.server, parts.lanes)
    guard let hurry else {
      await lanes?.shutdown()
      return await server.shutdown()
    }
    let impatience = Task {
      await hurry()
      guard !Task.isCancelled else { return }
      lanes?.closeConnections()
      server.closeConnections()
    }
    async let others: Void? = lanes?.shutdown()
    await server.shutdown {
      parts.lines.notify("waits up to ten seconds for answers in progress; another Ctrl-C ends them\n")
    }
    await others
    impatience.cancel()
  }

  /// Loads the mock that is served first, and reports the findings.
  private func firstMock(
    _ deduplicator: DiagnosticDeduplicator, compiled: (CompiledContract) -> Void
  ) throws -> (Mock, watched: [String]) {
    let (loaded, watched, found) = load(compiled: compiled)
    common.report(deduplicator.update(found).new)
    guard let mock = loaded else { throw CommandFailure(.notLoadable) }
    guard mock.diagnostics.isEmpty else { throw CommandFailure(.usage) }
    return (mock, watched)
  }

  /// Throws if an overlay has a finding or a fixture has an error, including a fixture that cannot be read.
  private func requireValidFixtures(of mock: Mock) async throws {
    // Scenarios that are not played are played by a lane or by the console later.
    let scenarios = mock.contracts.flatMap(\.scenarios).flatMap(\.diagnostics).filter { diagnostic in
      !mock.diagnostics.contains { $0.location == diagnostic.location && $0.message == diagnostic.message }
    }
    let found = (await FixtureCheck.findings(of: mock).flatMap(\.findings) + scenarios).filter { $0.severity == .error }
    common.report(found)
    let read = mock.contracts.flatMap(\.diagnostics).count { $0.severity == .error && $0.owner == .fixture }
    let stale = mock.contracts.flatMap(\.diagnostics).count { Rule.overlay.contains($0.rule) }
    guard stale == 0 else {
      throw CommandFailure(
        .findings, "\(stale.counted("warning")) about overlays, and `--strict` is given",
        help: "correct the overlays, or remove their actions that change nothing")
    }
    guard found.count + read > 0 else { return }
    throw CommandFailure(
      .findings, "\((found.count + read).counted("error")) in fixtures, and `--strict` is given",
      help: "mend them, or list the rules that a fixture breaks on purpose in its `violates`")
  }

  /// Builds a new mock after each change of a file, reports its new findings, and hands it over.
  private func reloader(
    _ deduplicator: DiagnosticDeduplicator, _ lines: LineQueue,
    use: @escaping @Sendable (_ mock: Mock?, _ changed: String) async -> Void
  ) -> Reloader {
    let current = Lock(self)
    return Reloader(
      load: { changed in
        guard let session = current.withLock({ $0.update(after: changed, lines) }) else { return (nil, []) }
        let (mock, watched, found) = session.load()
        let (new, remaining) = deduplicator.update(found)
        let printer = DiagnosticPrinter(style: common.standardError)
        for diagnostic in new { lines.notify(printer.text(diagnostic)) }
        if remaining > 0 {
          lines.notify("\(remaining.counted("earlier problem")) \(remaining == 1 ? "remains" : "remain")\n")
        }
        return (mock, watched)
      }, use: use)
  }

  /// Lints on a thread of its own, since those of the pool have to bind the port.
  private static let linter = QueueExecutor("lint")

  /// Waits for the verdicts; the port is bound already, so that clients need not wait for them.
  private func announcement(
    _ mock: Mock, _ address: ServerAddress, _ took: Duration, _ verdicts: [Task<ContractVerdict, Never>],
    console: String?, store: LaneStoreFacts?
  ) async -> String {
    switch announcement {
    case .banner:
      return Banner(
        mock: mock, address: address, verdicts: await reached(verdicts), took: took, style: common.standardError,
        console: console, authority: tls?.authority, store: store
      ).text
    case .line(let purpose):
      return Banner(mock: mock, address: address, verdicts: [], took: took, style: common.standardError).line(purpose)
    }
  }

  /// The verdicts; none if the session is stopped before them.
  private func reached(_ verdicts: [Task<ContractVerdict, Never>]) async -> [ContractVerdict] {
    let (first, continuation) = AsyncStream.makeStream(of: [ContractVerdict].self)
    Task {
      var reached: [ContractVerdict] = []
      for verdict in verdicts { reached.append(await verdict.value) }
      continuation.yield(reached)
    }
    Task { [stop] in
      guard let stop else { return }
      await stop.value
      continuation.yield([])
    }
    for await verdicts in first { return verdicts }
    return []
  }

  private func consoleAddress(_ settings: AdminSettings, isNewToken: Bool, at address: ServerAddress) -> String {
    let url = "\(address.url)\(settings.root)/"
    guard let token = settings.token else { return url }
    return isNewToken ? "\(url)?token=\(token)" : "\(url) (with the token of UNDERSTUDY_ADMIN_TOKEN)"
  }

  /// Reads the keys of a terminal, where the mock has one to itself.
  private func keys(for host: MockHost, _ mock: Mock, _ lines: LineQueue, console: String) -> TerminalKeys? {
    guard case .banner = announcement else { return nil }
    return TerminalKeys { key in SessionKeys(host: host, mock: mock, lines: lines, console: console).press(key) }
  }

  /// Reports in the background which answers of the contracts break their schemas.
  private func exampleNotice(_ mock: Mock, _ lines: LineQueue) -> Task<Void, Never>? {
    guard case .banner = announcement else { return nil }
    let style = common.standardError
    return Task.detached(priority: .background) {
      let text = ExampleNotice.text(mock, style)
      if !text.isEmpty { lines.notify(text) }
    }
  }

  /// The config file, or the place where one would be found first.
  private var configPath: String { settings?.path ?? Configuration.fileName }

  /// Applies a changed config file. Returns the session to load; `nil` if the file has errors.
  private mutating func update(after changed: [String], _ lines: LineQueue) -> ServeSession? {
    guard let settings, changed.contains(configPath) else { return self }
    let (session, messages) = settings.session(after: self)
    for message in messages { lines.notify(message) }
    if let session { self = session }
    return session
  }

  private var farewell: String { if case .banner = announcement { "\nstopped\n" } else { "" } }

  /// Builds a mock from the current files; `nil` if a contract cannot be used.
  ///
  /// - Parameter compiled: Gets each contract before its fixtures are read.
  private func load(
    compiled: (CompiledContract) -> Void = { _ in }
  ) -> (mock: Mock?, watched: [String], findings: [Diagnostic]) {
    var contracts: [Contract] = []
    var watched = [configPath]
    var findings: [Diagnostic] = []
    var isComplete = true
    var options = options
    options.copiesAnswers = recorder != nil
    if store != nil { options.now = { [clock] in clock.now() } }
    options.consolePath = recorder == nil && admin.isOffered ? admin.root + "/" : nil
    if let tokens {
      let (check, diagnostics) = tokens.check(now: now)
      findings += diagnostics
      watched += tokens.watched
      options.tokens = check
      isComplete = check != nil
    }
    for source in sources {
      let (contract, diagnostics) = Contract.load(
        source, fixtures: fixtures, basePaths: basePaths, compiled: compiled)
      findings += isVerbose || contract == nil ? diagnostics : Self.urgent(diagnostics)
      watched += contract?.watched ?? (source.isRemote || source.isInMemory ? [] : [source.path])
      if let contract { contracts.append(contract) } else { isComplete = false }
    }
    let mock = isComplete ? Mock(contracts: contracts, options: options) : nil
    if let mock { findings += AdminClash.findings(in: mock, admin) }
    findings += mock.map { $0.diagnostics + $0.conflicts } ?? []
    let unowned = UnownedFixtures.findings(in: fixtures, owners: sources.map(\.name) + owners, isChoice: isChoice)
    return (mock, watched, findings + unowned)
  }

  /// The errors, the findings about overlays, and the first ties between fixtures, which decide silently what is served.
  private static func urgent(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let ties = diagnostics.filter { $0.rule == .fixtureTie }
    var urgent = diagnostics.filter(\.isAboutUse) + ties.prefix(tieLimit)
    if ties.count > tieLimit {
      let rest = (ties.count - tieLimit).counted("more tie")
      urgent.append(
        Diagnostic(.fixtureTie, "\(rest) between fixtures", help: "`understudy verify` lists all of them"))
    }
    return urgent
  }

  /// The maximum number of ties that are printed at the start.
  private static let tieLimit = 10

  /// Serves a new mock unless it has errors, and returns a line for the log.
  private func use(_ mock: Mock?, _ changed: String, _ parts: ServeComposition) async -> String {
    let style = common.standardError
    let cause = changed.isEmpty ? "" : " after a change of \(changed)"
    guard let mock, mock.diagnostics.isEmpty else {
      return "\(style.red("not reloaded"))\(cause): the last valid state is served\n"
    }
    var reset = ""
    let responder = parts.host?.responder(for: mock) { reset = "; \($0.joined(separator: ", ")) begin anew" }
    await parts.server.replace(responder: responder ?? mock.responder)
    await parts.lanes?.replace(mock)
    return "\(style.green("reloaded"))\(cause)\(reset)\n"
  }
}
