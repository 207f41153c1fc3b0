import BuggyClients
import UnderstudyTesting

/// A bug that ends the process is a row in the table of a sweep in child processes.
@Suite(.slp)
struct CrashBugsTests {
  @Test func `E26: a documented status ends the app`() async throws {
    let lane = try #require(Lane.current)
    // The client reads the status alone, and an empty text has fewer variants.
    try await lane.reply(to: "requestStudy", "200.empty")
    let sweep = try await lane.sweep(inChildProcesses: true) { try await Wire(baseURL: $0.baseURL).missingStatus() }
    #expect(try Self.isForcedUnwrap(sweep["requestStudy", "status 202 otherStopped"]), "\(sweep)")
    #expect(try sweep["requestStudy", "status 201 otherAlreadyRequested"].outcome == .returned("otherAskedFirst"))
  }

  @Test func `E40: a connection that fails ends the app`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "withdraw", "200.empty")
    let sweep = try await lane.sweep(inChildProcesses: true) { try await Wire(baseURL: $0.baseURL).missingResponse() }
    #expect(try Self.isForcedUnwrap(sweep["withdraw", "reset"]), "\(sweep)")
    #expect(try Self.isForcedUnwrap(sweep["withdraw", "close"]), "\(sweep)")
    #expect(try sweep["withdraw", "status 500 serverError"].outcome == .returned("try again"))
  }

  private static func isForcedUnwrap(_ row: Sweep.Row) -> Bool {
    guard case .crashed(let signal, let message) = row.outcome else { return false }
    return signal.hasPrefix("SIG") && message.contains("Unexpectedly found nil while unwrapping an Optional value")
  }
}
