import ArgumentParser
import Understudy

/// Which server is judged, and how it is asked.
struct LiveOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Judge the server at this base URL.", valueName: "url"))
  var live: String?

  /// `nil` unless a server was named.
  func run(_ verify: Verify, _ configuration: Configuration) throws -> LiveRun? {
    live.map { LiveRun(verify: verify, configuration: configuration, url: $0) }
  }
}

/// `understudy verify --live URL`: requests to a running server, and its answers.
struct LiveRun {
  let verify: Verify
  let configuration: Configuration
  let url: String

  func report() async throws -> Report {
    Report(Report.Run("verify live", contracts: [], target: url, startedAt: Timestamp.now()))
  }
}
