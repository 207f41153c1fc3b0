import ArgumentParser
import Understudy

/// The running mock that `ctl` speaks to.
struct AdminOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The base URL of the mock, or of an admin API that has moved: http://127.0.0.1:4010/__other. (default: UNDERSTUDY_BASE_URL, else http://127.0.0.1:4010)",
      valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("The lane to change.", valueName: "name"))
  var lane: String = LaneName.unnamed.text

  /// Calls the admin API, and ends the connection.
  func call<Result>(_ body: (AdminClient) async throws -> Result) async throws -> Result {
    let text = url ?? Environment["UNDERSTUDY_BASE_URL"] ?? "http://127.0.0.1:4010"
    let server = try Upstream(text, of: url == nil ? "UNDERSTUDY_BASE_URL" : "--url")
    let client = UpstreamClient(timeout: .seconds(30), setting: "the time limit of ctl")
    do {
      let result = try await body(AdminClient(server: server, transport: client.transport))
      await client.shutdown()
      return result
    } catch {
      await client.shutdown()
      throw error
    }
  }
}

extension AdminOptions {
  /// The lane, as a part of a path.
  var encodedLane: String { PercentEncoding.encode(lane, keeping: "") }
}
