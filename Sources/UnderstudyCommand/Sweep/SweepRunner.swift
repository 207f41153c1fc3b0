import Synchronization
import Understudy
import UnderstudyServer

/// Runs a command against mocks, each with one variant.
final class SweepRunner: Sendable {
  private let contracts: [Contract]
  private let command: [String]
  private let limit: Duration
  private let counted: Mutex<SweepCoverage>

  init(contracts: [Contract], command: [String], limit: Duration) {
    self.contracts = contracts
    self.command = command
    self.limit = limit
    counted = Mutex(SweepCoverage(contracts.map(\.compiled)))
  }

  /// The cells that were served so far.
  var coverage: Coverage { counted.withLock(\.coverage) }

  /// Runs the command once, with a mock of its own.
  func run(_ variant: SweepVariant?) async throws -> (run: SweepRun, end: CapturedProcess.End) {
    let mock = Mock(contracts: contracts)
    let (run, lane) = (SweepRun(variant), Lane(mock.newState()))
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    configuration.shutdownLimit = .milliseconds(50)
    let server = HTTPServer(
      responder: mock.responder { request, body in run.reply(to: request, body, of: mock, in: lane) },
      configuration: configuration)
    do {
      let address = try await server.start()
      // Usual answers give the command no reason to hang, and its first run may be slow.
      let limit = variant == nil ? max(limit, .seconds(30)) : limit
      let end = try await CapturedProcess(command, variables: ["\(Run.variable)=\(address.url)"], limit: limit).run()
      await server.shutdown()
      counted.withLock { $0.count(run.exchanges(in: mock)) }
      return (run, end)
    } catch let failure as CapturedProcess.StartFailure {
      await server.shutdown()
      if let help = failure.help { throw CommandFailure(.usage, failure.description, help: help) }
      throw ProcessEnd(code: failure.exitCode, message: failure.description)
    } catch {
      await server.shutdown()
      throw error
    }
  }

  /// What the command did with each variant, in their order.
  func rows(of variants: [SweepVariant], jobs: Int) async throws -> [SweepRow] {
    try await withThrowingTaskGroup(of: (Int, SweepRow).self) { group in
      var rows: [SweepRow?] = Array(repeating: nil, count: variants.count)
      var next = 0
      func start() {
        guard next < variants.count else { return }
        let (position, variant) = (next, variants[next])
        next += 1
        group.addTask {
          let (run, end) = try await self.run(variant)
          return (position, SweepRow(variant, sent: run.sent.map(\.name), end.outcome))
        }
      }
      for _ in 0..<jobs { start() }
      while let (position, row) = try await group.next() {
        rows[position] = row
        start()
      }
      return rows.compactMap(\.self)
    }
  }
}
