import Understudy
import UnderstudyServer

/// A running mock: banner, request lines, reloads, and a graceful end.
struct ServeSession {
  var options: MockEngine.Options
  var paths: [String]
  var fixtures: String
  var tokens: TokenSettings?
  /// What tokens are held against, in seconds since 1970.
  var now: @Sendable () -> Int = { Timestamp.seconds() }
  var host: String
  var port: Int
  var watches: Bool
  var isQuiet: Bool
  var isVerbose: Bool
  var upstreamTimeout: Duration
  var common: CommonOptions

  func run() async throws {
    let signals = Signals()
    let start = ContinuousClock.now
    let (loaded, watched) = load()
    guard let engine = loaded else { throw CommandFailure(.notLoadable) }
    guard engine.diagnostics.isEmpty else {
      common.report(engine.diagnostics)
      throw CommandFailure(.usage)
    }
    var settings = HTTPServer.Configuration()
    settings.host = host
    settings.port = port
    settings.cors = options.allowsCrossOrigin
    let upstream = options.upstream.map { _ in UpstreamClient(timeout: upstreamTimeout) }
    let server = HTTPServer(
      responder: engine.responder, configuration: settings, transport: upstream?.transport, observer: observer)
    let address: HTTPServer.Address
    do throws(HTTPServer.StartError) {
      address = try await server.start()
    } catch {
      await upstream?.shutdown()
      throw CommandFailure(.notLoadable, error.description)
    }
    Terminal.standardError.write(
      Banner(engine: engine, address: address, took: ContinuousClock.now - start, style: common.standardError).text)
    let reloader = Reloader(load: { load() }) { engine, changed in await use(engine, changed, server) }
    if watches { reloader.start(watching: watched) }
    await signals.wait()
    reloader.stop()
    await server.shutdown()
    await upstream?.shutdown()
    Terminal.standardError.write("\nstopped\n")
  }

  private var observer: (@Sendable (Exchange) -> Void)? {
    guard !isQuiet else { return nil }
    let log = RequestLog(
      style: common.standardError, showsOwner: options.upstream != nil, showsUnjudged: isVerbose)
    return { log.write($0) }
  }

  /// Builds an engine from the files as they are now, with the findings printed; `nil` when a contract cannot be used.
  private func load() -> (engine: MockEngine?, watched: [String]) {
    var contracts: [Contract] = []
    var watched: [String] = []
    var isComplete = true
    var options = options
    if let tokens {
      let (check, diagnostics) = tokens.check(now: now)
      common.report(diagnostics)
      watched += tokens.watched
      options.tokens = check
      isComplete = check != nil
    }
    for path in paths {
      let (contract, diagnostics) = Contract.load(path, fixtures: fixtures)
      common.report(diagnostics.filter { isVerbose || contract == nil || $0.severity == .error })
      watched += contract?.watched ?? [path]
      if let contract {
        contracts.append(contract)
      } else {
        isComplete = false
      }
    }
    return (isComplete ? MockEngine(contracts: contracts, options: options) : nil, watched)
  }

  /// Serves a new engine, or says why the old one stays.
  private func use(_ engine: MockEngine?, _ changed: String, _ server: HTTPServer) async {
    let style = common.standardError
    guard let engine, engine.diagnostics.isEmpty else {
      if let engine { common.report(engine.diagnostics) }
      Terminal.standardError.write(
        "\(style.red("not reloaded")) after a change of \(changed): the last good state is served\n")
      return
    }
    await server.replace(responder: engine.responder)
    Terminal.standardError.write("\(style.green("reloaded")) after a change of \(changed)\n")
  }
}
