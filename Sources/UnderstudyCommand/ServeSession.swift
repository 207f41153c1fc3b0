import Understudy
import UnderstudyServer

/// A running mock: banner, request lines, reloads, and a graceful end.
struct ServeSession {
  var options: MockEngine.Options
  var paths: [String]
  var fixtures: String
  var host: String
  var port: Int
  var watches: Bool
  var isQuiet: Bool
  var isVerbose: Bool
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
    var settings = Server.Configuration()
    settings.host = host
    settings.port = port
    settings.cors = options.allowsCrossOrigin
    let log = isQuiet ? nil : RequestLog(style: common.standardError)
    let server = Server(responder: engine.responder, configuration: settings, observer: log.map { log in { log.write($0) } })
    let address: Server.Address
    do {
      address = try await server.start()
    } catch {
      throw CommandFailure(.notLoadable, error.description, help: error.help)
    }
    Terminal.standardError.write(
      Banner(engine: engine, address: address, took: ContinuousClock.now - start, style: common.standardError).text)
    let watcher = watches ? watcher(watched, server) : nil
    watcher?.start()
    await signals.wait()
    watcher?.stop()
    await server.shutdown()
    Terminal.standardError.write("\nstopped\n")
  }

  /// Builds an engine from the files as they are now, with the findings printed; `nil` when a contract cannot be used.
  private func load() -> (engine: MockEngine?, watched: [String]) {
    var contracts: [Contract] = []
    var watched: [String] = []
    var isComplete = true
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

  /// Reloads on every change; a broken contract leaves the last good one serving.
  private func watcher(_ watched: [String], _ server: Server) -> FileWatcher {
    let style = common.standardError
    let holder = WatcherHolder()
    let watcher = FileWatcher(paths: watched) { changed in
      let names = changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? " and \(changed.count - 3) more" : "")
      let (engine, watched) = load()
      holder.watcher?.watch(watched)
      guard let engine, engine.diagnostics.isEmpty else {
        if let engine { common.report(engine.diagnostics) }
        Terminal.standardError.write("\(style.red("not reloaded")) after a change of \(names): the last good state is served\n")
        return
      }
      Task {
        await server.replace(responder: engine.responder)
        Terminal.standardError.write("\(style.green("reloaded")) after a change of \(names)\n")
      }
    }
    holder.watcher = watcher
    return watcher
  }
}
