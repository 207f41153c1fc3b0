import Understudy

/// `understudy verify`: contracts, their examples and fixtures, offline.
struct FixturesRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    Report(Report.Run("verify fixtures", contracts: [], startedAt: Timestamp.now()))
  }
}
