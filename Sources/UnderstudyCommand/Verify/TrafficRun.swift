import ArgumentParser
import Understudy

/// Which recordings are judged.
struct TrafficOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Judge recorded traffic (HAR 1.2). Repeatable.", valueName: "file"))
  var har: [String] = []
}

/// `understudy verify --har FILE`: what a client sent and what it got.
struct TrafficRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    Report(Report.Run("verify traffic", contracts: [], startedAt: Timestamp.now()))
  }
}
