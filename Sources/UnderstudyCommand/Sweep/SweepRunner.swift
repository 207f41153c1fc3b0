import UnderstudyMock
import UnderstudyServer
import UnderstudySystem
import UnderstudyVerification

/// Runs a command against mocks, each with one variant.
final class SweepRunner: Sendable {
  private let contracts: [Contract]
  private let options: Mock.Options
  private let command: [String]
  private let limit: Duration
  /// What follows the address of the mock in the variable.
  private let basePath: String
  private let counted: Lock<SweepCoverage>

  /// As many equal requests are no storm: a client may poll.
  private static let stormLimit = 20

  init(contracts: [Contract], options: Mock.Options, command: [String], limit: Duration, basePath: String) {
    self.contracts = contracts
    self.options = options
    self.command = command
    self.limit = limit
    self.basePath = basePath
    counted = Lock(SweepCoverage(contracts.map(\.compiled)))
  }

  /// The cells that were served so far.
  var coverage: Coverage { counted.withLock(\.coverage) }

  /// A run of the command that has ended.
  struct Ended {
    let run: SweepRun
    /// The names of its requests, and of the event of its variant.
    let names: [String]
    let violations: [SweepViolation]
    let end: CapturedProcess.End
    let duration: Duration
  }

  /// Runs the command once, with a mock of its own.
  func run(_ variant: SweepVariant?) async throws -> Ended {
    let mock = Mock(contracts: contracts, options: options)
    let (run, lane) = (SweepRun(variant), Lane(mock.newState()))
    let hub = SocketHub(applied: { event, _ in run.note(event) }, delivered: { run.note($0) })
    lane.update { run.prepare(&$0, besides: options.socketFaults) }
    let sockets = mock.sockets.map { _ in
      SocketService(mock, hub) {
        (nil, $0)
      } open: { _, _ in
        lane
      }
    }
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    configuration.shutdownLimit = .milliseconds(50)
    let server = HTTPServer(
      responder: mock.responder(sockets: sockets) { run.reply(to: $0, $1 ?? [], of: mock, in: lane, within: $2) },
      configuration: configuration)
    do {
      let address = try await server.start()
      // Default responses give the command no reason to hang, and its first run may be slow.
      let limit = variant == nil ? max(limit, .seconds(30)) : limit
      let process = CapturedProcess(command, variables: ["\(Run.variable)=\(address.url)\(basePath)"], limit: limit)
      let startedAt = ContinuousClock.now
      let end = try await process.run()
      let duration = ContinuousClock.now - startedAt
      await server.shutdown()
      let exchanges = run.exchanges(in: mock)
      counted.withLock { $0.count(exchanges) }
      let state = lane.value
      return Ended(
        run: run, names: exchanges.map(\.name),
        violations: run.violations(
          besides: mock.closingFindings(of: state, includesEnds: true) + mock.eventFindings(of: state)), end: end,
        duration: duration)
    } catch let failure as CapturedProcess.StartFailure {
      await server.shutdown()
      if let help = failure.help { throw CommandFailure(.usage, failure.description, help: help) }
      throw ProcessEnd(code: failure.exitCode, message: failure.description)
    } catch {
      await server.shutdown()
      throw error
    }
  }

  /// What the command did with each variant, in their order; less than all of them after a signal or the end. A run that
  /// hung beside others is repeated alone, or left out.
  ///
  /// - Parameters:
  ///   - usual: The run with default responses.
  ///   - end: When no further run begins; `nil` without an end.
  func runs(
    of variants: [SweepVariant], jobs: Int, usual: Ended, until end: ContinuousClock.Instant?
  ) async throws -> [CommandRun] {
    let known = Known(
      violations: Set(usual.violations.map(\.key)), repetitions: usual.run.mostRepeated?.count ?? 0)
    let runs = try await runs(of: variants, jobs: jobs, known, until: end)
    return try await HungRuns.confirmed(runs) {
      jobs > 1 && $0.row.outcome == .hung
    } again: { hung in
      guard !isOver(end), let variant = variants.first(where: { $0.fullName == hung.row.name }) else { return nil }
      return try await run(of: variant, known)
    }
  }

  private func isOver(_ end: ContinuousClock.Instant?) -> Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// What the client does with default responses too.
  private struct Known {
    let violations: Set<FindingKey>
    /// The number of times that it sends one request.
    let repetitions: Int
  }

  private func runs(
    of variants: [SweepVariant], jobs: Int, _ known: Known, until end: ContinuousClock.Instant?
  ) async throws -> [CommandRun] {
    try await withThrowingTaskGroup(of: (Int, CommandRun?).self) { group in
      var runs: [CommandRun?] = Array(repeating: nil, count: variants.count)
      var next = 0
      func start() {
        guard next < variants.count, !CapturedProcess.isInterrupted, !isOver(end) else { return }
        let (position, variant) = (next, variants[next])
        next += 1
        group.addTask { (position, try await self.run(of: variant, known)) }
      }
      for _ in 0..<jobs { start() }
      while let (position, run) = try await group.next() {
        runs[position] = run
        start()
      }
      return runs.compactMap(\.self)
    }
  }

  /// `nil` for a run that a signal has ended.
  private func run(of variant: SweepVariant, _ known: Known) async throws -> CommandRun? {
    do {
      let ended = try await run(variant)
      let (run, end) = (ended.run, ended.end)
      guard !CapturedProcess.isInterrupted else { return nil }
      return CommandRun(
        row: SweepRow(variant.sweepCase, sent: ended.names, end.outcome), output: end.output, duration: ended.duration,
        violations: ended.violations.filter { !known.violations.contains($0.key) },
        storm: run.mostRepeated.flatMap { $0.count > max(Self.stormLimit, 2 * known.repetitions) ? $0 : nil })
    } catch  where CapturedProcess.isInterrupted {
      return nil
    }
  }
}
