import Testing
import UnderstudyTestSupport

/// The checks of sockets in `understudy run` and `understudy sweep`.
@Suite(.waitsForProcesses)
struct SocketCheckFacesTests {
  private static let contract = Shop.contract + "\nx-understudy-events: {events: {news: {from: server}}}\n"

  /// A client that connects, leaves, and does both again if its request fails.
  private static let client = """
    connect() {
      sid=$(curl -s "$UNDERSTUDY_BASE_URL/socket.io/?EIO=4&transport=polling" | sed 's/.*"sid":"\\([^"]*\\)".*/\\1/')
      url="$UNDERSTUDY_BASE_URL/socket.io/?EIO=4&transport=polling&sid=$sid"
      curl -s -o /dev/null -d 40 "$url"; curl -s -o /dev/null "$url"; curl -s -o /dev/null -d 1 "$url"
    }
    connect
    \(SweepCommandTests.curl) || connect
    """

  @Test func `a broken check of sockets fails a run`() throws {
    try withProject(["shop.yaml": Self.contract]) { folder in
      let result = try Command.run(
        Command.path,
        ["run", "shop.yaml", "--check", "reconnect-storm=0", "--", "sh", "-c", Self.client + "\nconnect"], in: folder)
      #expect(result.code == 1, "\(result)")
      #expect(result.error.contains("[check.reconnect-storm]"), "\(result)")
      #expect(result.error.hasSuffix("exit 1: failed: 1 error, by `--fail-on error`\n"), "\(result)")
    }
  }

  @Test func `a broken check of sockets is a finding of its row`() throws {
    let result = try SweepCommandTests.sweep(
      Self.client, "--check", "reconnect-storm=0", "--only", "status 404", files: ["shop.yaml": Self.contract])
    #expect(result.code == 1, "\(result)")
    #expect(
      result.output.contains(
        /error: status 404: the client connected 2 times within [0-9.m]+s, although each .*\[check.reconnect-storm\]/),
      "\(result)")
  }

  @Test func `a check that the run with default responses breaks is reported once, without a row`() throws {
    let result = try SweepCommandTests.sweep(
      Self.client + "\nconnect", "--check", "reconnect-storm=0", "--only", "status 200", "--only", "html",
      files: ["shop.yaml": Self.contract])
    #expect(result.code == 1, "\(result)")
    #expect(result.output.matches(of: /\[check.reconnect-storm\]/).count == 1, "\(result)")
    #expect(result.output.contains("\nerror: the client connected 2 times within "), "\(result)")
  }

  @Test func `an event of a socket that breaks the contract is a finding of a sweep`() throws {
    let contract =
      Shop.contract + "\nx-understudy-events: {events: {join: {from: client, arguments: [{type: string}]}}}\n"
    let client = Self.client.replacing("-d 40 \"$url\";", with: "-d 40 \"$url\"; curl -s -d '42[\"join\",7]' \"$url\";")
    let result = try SweepCommandTests.sweep(client, "--only", "status 404", files: ["shop.yaml": contract])
    #expect(result.code == 1, "\(result)")
    #expect(
      result.output.contains("/arguments/0: error: `join`: expected string, found number 7 [event.schema]"), "\(result)"
    )
  }
}
