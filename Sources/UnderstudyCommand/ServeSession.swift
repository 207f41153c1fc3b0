import NIOSSL
import SourceText
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
  var trusted: [NIOSSLCertificate]
  /// Where exchanges are recorded.
  var har: String?
  var common: CommonOptions

  func run() async throws {
    let signals = Signals()
    let start = ContinuousClock.now
    let before = FileWatcher.Snapshot(of: watches ? paths + [fixtures] : [])
    let told = ToldFindings()
    let (loaded, watched, found) = load()
    common.report(told.news(of: found).new)
    guard let engine = loaded else { throw CommandFailure(.notLoadable) }
    guard engine.diagnostics.isEmpty else { throw CommandFailure(.usage) }
    let recorder = try recorder(engine)
    let lines = LineQueue { Terminal.standardError.write($0) }
    var settings = HTTPServer.Configuration()
    settings.host = host
    settings.port = port
    settings.cors = options.allowsCrossOrigin
    let upstream = options.upstream.map { _ in UpstreamClient(timeout: upstreamTimeout, trusting: trusted) }
    let server = HTTPServer(
      responder: engine.responder, configuration: settings, transport: upstream?.transport,
      observer: observer(lines, recorder, engine))
    let address: HTTPServer.Address
    do throws(HTTPServer.StartError) {
      address = try await server.start()
    } catch {
      await upstream?.shutdown()
      throw CommandFailure(.notLoadable, error.description)
    }
    lines.append(
      Banner(engine: engine, address: address, took: ContinuousClock.now - start, style: common.standardError).text)
    let reloader = Reloader {
      let (engine, watched, found) = load()
      let (new, remaining) = told.news(of: found)
      let printer = DiagnosticPrinter(style: common.standardError)
      for diagnostic in new { lines.append(printer.text(diagnostic)) }
      if remaining > 0 {
        lines.append("\(remaining.counted("problem")) told before \(remaining == 1 ? "remains" : "remain")\n")
      }
      return (engine, watched)
    } use: { engine, changed in
      lines.append(await use(engine, changed, server))
      if let engine, engine.diagnostics.isEmpty { recorder?.use(engine) }
    }
    if watches { reloader.start(watching: watched, since: before) }
    await signals.wait()
    await reloader.stop()
    await server.shutdown()
    await upstream?.shutdown()
    lines.finish("\nstopped\n" + (recorder?.finish() ?? ""))
  }

  private func recorder(_ engine: MockEngine) throws -> HARRecorder? {
    guard let har else { return nil }
    do throws(FileProblem) {
      return try HARRecorder(har, engine)
    } catch {
      throw CommandFailure(.usage, "--har \(error.path): \(error.message)", help: error.help)
    }
  }

  private func observer(
    _ lines: LineQueue, _ recorder: HARRecorder?, _ engine: MockEngine
  ) -> (@Sendable (Exchange) -> Void)? {
    let log =
      isQuiet
      ? nil
      : RequestLog(
        lines: lines, style: common.standardError, redaction: Redaction(engine.contracts.map(\.api)),
        showsOwner: options.upstream != nil, showsUnjudged: isVerbose)
    guard log != nil || recorder != nil else { return nil }
    return { exchange in
      log?.write(exchange)
      recorder?.append(exchange)
    }
  }

  /// Builds an engine from the files as they are now; `nil` when a contract cannot be used, and the findings say why.
  private func load() -> (engine: MockEngine?, watched: [String], findings: [Diagnostic]) {
    var contracts: [Contract] = []
    var watched: [String] = []
    var findings: [Diagnostic] = []
    var isComplete = true
    var options = options
    if let tokens {
      let (check, diagnostics) = tokens.check(now: now)
      findings += diagnostics
      watched += tokens.watched
      options.tokens = check
      isComplete = check != nil
    }
    for path in paths {
      let (contract, diagnostics) = Contract.load(path, fixtures: fixtures, scenario: options.scenario)
      findings += diagnostics.filter { isVerbose || contract == nil || $0.severity == .error }
      watched += contract?.watched ?? [path]
      if let contract {
        contracts.append(contract)
      } else {
        isComplete = false
      }
    }
    let engine = isComplete ? MockEngine(contracts: contracts, options: options) : nil
    return (engine, watched, findings + (engine.map { $0.diagnostics + $0.collisions } ?? []))
  }

  /// Serves a new engine unless it cannot stand, and gives back the line that tells which.
  private func use(_ engine: MockEngine?, _ changed: String, _ server: HTTPServer) async -> String {
    let style = common.standardError
    guard let engine, engine.diagnostics.isEmpty else {
      return "\(style.red("not reloaded")) after a change of \(changed): the last good state is served\n"
    }
    await server.replace(responder: engine.responder)
    return "\(style.green("reloaded")) after a change of \(changed)\n"
  }
}
