import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The checks that need settings, sockets or late responses in `serve`, `run` and `sweep`, with curl as the client.
@Suite(.waitsForProcesses)
struct CheckProcessTests {
  /// The functions of the client: `packet SESSION TEXT` sends a packet of Engine.IO by polling, and `hold` leaves four
  /// requests in flight until the client ends.
  private static let functions = #"""
    api=$UNDERSTUDY_BASE_URL url="$UNDERSTUDY_BASE_URL/socket.io/?EIO=4&transport=polling"
    packet() {
      eval "sid=\${sid$1-}"
      if [ -z "$sid" ]; then
        sid=$(curl -s "$url" | sed 's/.*"sid":"\([^"]*\)".*/\1/')
        eval "sid$1=$sid"
      fi
      curl -s -o /dev/null -d "$2" "$url&sid=$sid"
      [ "$2" != 40 ] || curl -s -o /dev/null "$url&sid=$sid"
    }
    hold() {
      host=${api#http://}
      for file in 3 4 5 6; do
        eval "exec $file<>/dev/tcp/${host%:*}/${host#*:}"
        printf 'GET /pets HTTP/1.1\r\nHost: pets\r\n\r\n' >&$file
        read -r line <&$file
      done
    }

    """#

  private static func client(_ breach: CheckBreach) -> String {
    if breach.isLate { return functions + "hold\ncurl -s -o /dev/null -X DELETE $api/pets/7" }
    let calls = breach.steps.map { step in
      switch step.action {
      case .packet(let packet, let session): return "packet \(session) '\(packet)'"
      case .request(let request):
        let body = String(decoding: request.body, as: UTF8.self)
        let data = body.isEmpty ? "" : "-H 'Content-Type: application/json' -d '\(body)' "
        return "curl -s -o /dev/null \(data)$api\(request.request.path ?? "")"
      }
    }
    return functions + (calls + ["curl -s -o /dev/null $api/pets"]).joined(separator: "\n")
  }

  private static let files = ["pets.yaml": CheckBreach.contract]

  /// The arguments for a check. Responses that are late by a fault send their head at once.
  private func arguments(_ breach: CheckBreach) -> [String] {
    ["pets.yaml", "--check", breach.argument] + (breach.isLate ? ["--fault", "GET_pets=stall:30s"] : [])
  }

  @Test(arguments: CheckBreach.clients) func `the log and the verdict of a mock have an error`(
    _ breach: CheckBreach
  ) throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(arguments(breach), in: folder)
      defer { mock.stop() }
      _ = try Command.run(
        "/bin/bash", ["-c", Self.client(breach)], environment: ["UNDERSTUDY_BASE_URL": mock.url])
      let verdict = try Command.run("ctl", "verdict", "--url", mock.url)
      #expect(verdict.code == 1 && verdict.output.contains(breach.id), "\(verdict)")
      #expect(mock.waits(for: "[\(breach.id)]"), "\(mock.printed)")
      let lines = mock.printed.split(separator: "\n").filter { $0.hasSuffix("[\(breach.id)]") }
      #expect(lines.allSatisfy { $0.hasPrefix("  error: ") }, "\(lines)")
    }
  }

  @Test(arguments: CheckBreach.clients) func `a run and its JSON report fail`(_ breach: CheckBreach) throws {
    try withProject(Self.files) { folder in
      let result = try Command.run(
        Command.path,
        ["run"] + arguments(breach) + ["--report", "json=run.json", "--", "bash", "-c", Self.client(breach)],
        in: folder)
      #expect(result.code == 1 && result.error.contains("[\(breach.id)]"), "\(result)")
      // The log has it, so that no list repeats it.
      let lines = result.error.split(separator: "\n").filter { $0.hasSuffix("[\(breach.id)]") }
      #expect(breach.isLate || lines.count == 1, "\(result)")
      let text = try String(contentsOfFile: "\(folder)/run.json", encoding: .utf8)
      let pattern = try Regex(#""rule": "\#(breach.id)",\s+"severity": "error""#)
      #expect(text.contains(pattern), "\(text)")
    }
  }

  @Test(arguments: CheckBreach.clients) func `a sweep fails`(_ breach: CheckBreach) throws {
    try withProject(Self.files) { folder in
      let row = breach.isLate ? "stall" : "status 200"
      let result = try Command.run(
        Command.path,
        ["sweep", "pets.yaml", "--check", breach.argument, "--only", row, "--", "bash", "-c", Self.client(breach)],
        in: folder)
      #expect(result.code == 1, "\(result)")
      let lines = result.output.split(separator: "\n").filter { $0.hasSuffix("[\(breach.id)]") }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("error: ") }, "\(result)")
    }
  }

  @Test(arguments: [nil, "alice"]) func `the log has what a client did not do before its lane closed`(
    _ lane: String?
  ) throws {
    try withProject(Self.files) { folder in
      let check = "catch-up-after-reconnect: {operations: [POST_pets], interval: 1h}"
      let mock = try ServedMock(["pets.yaml", "--check", check], in: folder)
      defer { mock.stop() }
      let client = Self.functions + "packet 1 40; packet 1 1; packet 2 40"
      let url = mock.url + (lane.map { "/~\($0)" } ?? "")
      _ = try Command.run("/bin/bash", ["-c", client], environment: ["UNDERSTUDY_BASE_URL": url])
      let finding = "did not call `POST_pets` before the lane closed [check.catch-up-after-reconnect]"
      #expect(!mock.printed.contains(finding))
      if let lane { _ = try Command.run("ctl", "close", lane, "--url", mock.url) }
      #expect(lane == nil || mock.waits(for: finding), "\(mock.printed)")
      #expect(mock.end().printed.components(separatedBy: finding).count == 2)
    }
  }

  @Test func `every check has a client here or in the examples of explain`() {
    let shown = Set((CheckBreach.clients + CheckBreach.explained).map(\.id))
    #expect(shown.isSuperset(of: ClientChecks.all.map { $0.rule.id }))
  }
}
