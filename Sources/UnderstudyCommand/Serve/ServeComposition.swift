import UnderstudyMock
import UnderstudyServer
import UnderstudyStore
import UnderstudyVerification

/// The collaborators of a session, each made by one function; the initializer says what each is made of.
struct ServeComposition: Sendable {
  typealias Offer = (settings: AdminSettings, isNewToken: Bool)

  let lines: LineQueue
  let recordings: Recordings
  let broken = BrokenFixtures()
  let callbackClient = CallbackClient()
  /// `nil` without an upstream.
  let upstream: UpstreamClient?
  /// `nil` if no admin API is offered.
  let offer: Offer?
  /// `nil` for a recording, which passes every path on.
  let host: MockHost?
  /// `nil` for lanes in memory.
  let durable: DurableLanes?
  let server: HTTPServer
  let lanes: LaneServers?

  init(_ session: ServeSession, _ mock: Mock) throws {
    var configuration = Self.configuration(of: session)
    let lines = LineQueue(parts: configuration.loops) { Terminal.standardError.write($0) }
    configuration.security = try session.tls?.security { lines.notify($0) }
    // A process may have too few descriptors for the connections of both sides.
    let connections = min(session.client.connections, max(8, ServerConfiguration.descriptorLimit / 4))
    let upstream = try session.options.upstream.map { _ in try Self.upstream(session.client, connections) }
    if upstream != nil { configuration.reservedDescriptors += connections }

    let numbers = SecretNumbers()
    let recordings = try Recordings(session.recordingPaths, of: mock, session.redaction, numbers) { lines.notify($0) }
    let isRecording = session.recorder != nil
    let offer = isRecording ? nil : try session.admin.settings(isLocal: configuration.isLocal)
    let durable = try session.store.map { try Self.durableLanes(in: $0, mock, session.clock, lines) }
    durable?.replicas?.exchanges.use(session.redaction, numbers)
    let host =
      isRecording
      ? nil
      : MockHost(
        lanes: durable ?? MemoryLanes(mock.newState()),
        journal: Journal(segments: configuration.loops, shared: durable?.replicas?.exchanges),
        redaction: session.redaction, numbers: numbers, admin: offer?.settings)
    if let host { configuration.connections = host.connections }

    // The log learns from the journal what is secret. Without a log only the admin API and a terminal need one.
    let hasReader = offer != nil || durable?.replicas != nil || TerminalKeys.arePossible || !session.isQuiet
    let readHost = hasReader ? host : nil
    let log = Self.log(session, mock, numbers, secrets: readHost?.secrets, broken)
    host?.sockets.reportFindings { log.write($0, to: lines) }
    let exchanges = ServedExchanges(
      log: log, lines: lines, isQuiet: session.isQuiet,
      isVerbose: session.isVerbose, journal: readHost?.journal, recorder: session.recorder, recordings: recordings,
      broken: session.brokenRequests, callbacks: host?.callbacks)
    let observer = exchanges.observer
    host?.callbacks.use(
      CallbackSender.Settings(
        transport: { [callbackClient] in try callbackClient.transport() },
        report: { exchanges.append(sent: $0) }, warn: { lines.notify($0) }))
    server = HTTPServer(
      responder: host?.responder(for: mock) ?? mock.responder, configuration: configuration,
      transport: upstream?.transport, tunnels: upstream?.tunnels, observer: observer)
    lanes = host.map {
      LaneServers(
        of: $0, mock, configuration, transport: upstream?.transport, tunnels: upstream?.tunnels, observer: observer)
    }
    (self.lines, self.recordings, self.upstream, self.offer, self.host) = (lines, recordings, upstream, offer, host)
    self.durable = durable
  }

  private static func configuration(of session: ServeSession) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.host = session.host
    configuration.port = session.port
    configuration.loops = min(session.loops ?? configuration.loops, DescriptorLimit.loops)
    configuration.cors = session.options.allowsCrossOrigin
    configuration.servesLanes = session.recorder == nil
    // Clients of HTTP close their output when they give up. A recording counts them, and its end waits for none of them.
    configuration.allowsHalfClosure = session.recorder == nil
    return configuration
  }

  private static func upstream(_ client: ClientSettings, _ connections: Int) throws -> UpstreamClient {
    try UpstreamClient(
      timeout: client.timeout, connections: connections, usesHTTP2: client.usesHTTP2, trusting: client.trusted,
      socket: client.socket)
  }

  private static func durableLanes(
    in store: StoreAddress, _ mock: Mock, _ clock: ReplicaClock, _ lines: LineQueue
  ) throws -> DurableLanes {
    do throws(LaneProblem) {
      return try DurableLanes(try store.open(), serving: mock, clock: clock, report: { lines.notify($0) })
    } catch {
      throw CommandFailure(.notLoadable, error.message, help: error.help)
    }
  }

  private static func log(
    _ session: ServeSession, _ mock: Mock, _ numbers: SecretNumbers, secrets: JournalSecrets?, _ broken: BrokenFixtures
  ) -> RequestLog {
    RequestLog(
      style: session.common.standardError,
      redactor: Redactor(
        mock.contracts.map(\.compiled.secrets), settings: session.redaction, style: .numbered(numbers)),
      showsOwner: session.options.upstream != nil, showsUnvalidated: session.isVerbose,
      reasons: UnvalidatedReasons(known: UnvalidatedSecurity(mock).reasons), secrets: secrets, broken: broken)
  }

  /// Opens the ports of `--lane-port`, and the port of the session.
  ///
  /// - Returns: The address of the session. Throws if a port cannot be opened, with all of them closed.
  func open(_ lanePorts: [LanePort]) async throws -> ServerAddress {
    do throws(ServerStartError) {
      for port in lanePorts { try await open(port) }
      return try await server.start()
    } catch {
      await lanes?.shutdown()
      await upstream?.shutdown()
      throw CommandFailure(.notLoadable, error.description)
    }
  }

  private func open(_ port: LanePort) async throws(ServerStartError) {
    do throws(ServerStartError) {
      _ = try await lanes?.open(port.lane, port: port.port, isFixed: true)
    } catch {
      throw error.about("--lane-port \(port.lane)=\(port.port)")
    }
  }
}
