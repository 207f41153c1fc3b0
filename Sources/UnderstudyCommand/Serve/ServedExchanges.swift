package import UnderstudyMock
package import UnderstudyServer
import UnderstudyVerification

/// Where the exchanges of a session go: its journal, its log and its recordings.
package struct ServedExchanges: Sendable {
  /// One for each event loop.
  private let logs: [RequestLog]
  private let lines: LineQueue
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let journal: Journal?
  private let recorder: FixtureRecorder?
  private let recordings: Recordings?
  private let broken: BrokenRequests?
  private let callbacks: CallbackSender?

  /// - Parameters:
  ///   - journal: `nil` without an admin API and a terminal.
  ///   - recorder: Records the answers of the upstream as fixtures.
  init(
    log: RequestLog, lines: LineQueue, isQuiet: Bool, isVerbose: Bool, journal: Journal?, recorder: FixtureRecorder?,
    recordings: Recordings?, broken: BrokenRequests? = nil, callbacks: CallbackSender? = nil
  ) {
    self.callbacks = callbacks
    logs = (0..<lines.loops).map { _ in log.copy() }
    self.lines = lines
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.journal = journal
    self.recorder = recorder
    self.recordings = recordings
    self.broken = broken
  }

  /// Those of a session that records nothing.
  package init(log: RequestLog, lines: LineQueue, journal: Journal?) {
    self.init(
      log: log, lines: lines, isQuiet: false, isVerbose: false, journal: journal, recorder: nil, recordings: nil)
  }

  /// Each event loop has parts of the journal and of the log for itself.
  package var observer: ExchangeObserver {
    recorder?.log { exchange, hide in if isShown(exchange) { lines.append(hide(logs[0].text(exchange))) } }
    let isRecorded = recordings?.isEmpty == false || recorder != nil
    // The findings of a stream are known at its end.
    let isEveryOne = isRecorded || !isQuiet || journal != nil
    return ExchangeObserver(
      of: { isEveryOne || !RequestLog.isClean($0) || $0.changesAtEnd || !$0.callbacks.isEmpty },
      open: { journal?.open($0) },
      message: { message, socket, loop in
        journal?.traffic.append(message, of: socket)
        let isProblem = message.findings.contains { $0.severity != .info }
        if !isQuiet || isProblem { log(of: loop).write(message, of: socket, to: lines, from: loop) }
      }
    ) { exchange, loop in
      journal?.append(exchange, from: loop)
      if let recorder {
        recorder.append(exchange)
      } else if isShown(exchange) {
        log(of: loop).write(exchange, to: lines, from: loop)
      }
      recordings?.append(exchange)
      broken?.note(exchange.reply)
      if !exchange.reply.callbacks.isEmpty, exchange.status != nil {
        callbacks?.send(exchange.reply.callbacks, in: exchange.reply.lane)
      }
    }
  }

  /// Gets an exchange with the receiver of a callback, which is not traffic of clients.
  func append(sent exchange: ServedRequest) {
    journal?.append(exchange)
    if isShown(exchange) { log(of: 0).write(exchange, to: lines, from: 0) }
  }

  private func log(of loop: Int) -> RequestLog { logs[loop % logs.count] }

  private func isShown(_ exchange: ServedRequest) -> Bool {
    // A console that is open sends requests all the time.
    if exchange.reply.isAboutMock, !isVerbose, exchange.status ?? 0 < 400 { return false }
    return !isQuiet || !RequestLog.isClean(exchange.reply)
  }
}
