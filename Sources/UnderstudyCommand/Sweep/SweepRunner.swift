import Synchronization
import Understudy
import UnderstudyServer

/// Runs a command against mocks, each with one variant.
final class SweepRunner: Sendable {
  private let contracts: [Contract]
  private let command: [String]
  private let limit: Duration
  private let tally: Mutex<CoverageTally>

  init(contracts: [Contract], command: [String], limit: Duration) {
    self.contracts = contracts
    self.command = command
    self.limit = limit
    tally = Mutex(CoverageTally(contracts.map(\.compiled)))
  }

  /// The cells that were served so far.
  var coverage: Coverage { tally.withLock { $0.finished() } }

  /// Runs the command once, with a mock of its own.
  func run(_ variant: SweepVariant?) async throws -> (run: SweepRun, end: CapturedProcess.End) {
    let mock = Mock(contracts: contracts)
    let run = SweepRun(variant)
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    configuration.shutdownLimit = .milliseconds(50)
    let server = HTTPServer(
      responder: mock.responder { request, body in run.reply(to: request, body, of: mock) },
      configuration: configuration)
    do {
      let address = try await server.start()
      let end = try await CapturedProcess.run(
        command, variable: (Run.variable, address.url), limit: limit)
      await server.shutdown()
      count(run, mock)
      return (run, end)
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
          return (position, SweepRow(run, variant, end.outcome))
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

  private func count(_ run: SweepRun, _ mock: Mock) {
    for sent in run.sent {
      guard let index = mock.operations.firstIndex(where: { $0.compiled === sent.reply.operation?.compiled }) else {
        continue
      }
      let types = [sent.request.headerFields[.contentType], sent.reply.response.headerFields[.contentType]]
        .map { $0.flatMap { MediaRange($0) } }
      tally.withLock {
        $0.count(
          operation: index, requestType: types[0], status: sent.reply.status, responseType: types[1], holds: false)
      }
    }
  }
}
