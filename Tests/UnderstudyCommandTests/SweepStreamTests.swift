import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy sweep` with clients of streams and sockets.
@Suite(.waitsForProcesses)
struct SweepStreamTests {
  private static let files = [
    "shop.yaml": Shop.contract + #"""
        /orders:
          get:
            operationId: watchOrders
            responses:
              "200":
                description: Orders
                content: {text/event-stream: {example: "data: 1\n\ndata: 2\n\nevent: end\ndata: 3\n\n"}}
      x-understudy-events:
        events:
          order: {from: server, arguments: [{type: object, required: [id], properties: {id: {type: string}}}]}

      """#,
    "fixtures/shop/_events/order.json": #"{"id": "7"}"#,
    "fixtures/shop/_events/order.old.json": #"{"id": "6"}"#,
    "expected.yaml": "\"*\": {stream-stall: 28}\nEVENT order: {event-duplicate: {output: once}}\n",
  ]

  private func sweep(_ script: String, _ arguments: String...) throws -> Command.Result {
    try withProject(Self.files) { folder in
      try Command.run(Command.path, ["sweep", "shop.yaml"] + arguments + ["--", "sh", "-c", script], in: folder)
    }
  }

  @Test func `the rows of a stream are chosen by their names`() throws {
    let client = #"out=$(curl -sfN -m 2 "$UNDERSTUDY_BASE_URL/orders") || exit; echo "$out" | grep -q '^data: 3'"#
    let result = try sweep(
      client, "--only", "stream-whole", "--only", "stream-short", "--only", "watchOrders stream-stall", "--only",
      "stream-cut", "--expect-file", "expected.yaml")
    #expect(
      result.output.hasPrefix(
        """
        watchOrders
          stream-whole  exit 0
          stream-short  exit 1
          stream-stall  exit 28
          stream-cut    exit 18

        """), "\(result.output)\(result.error)")
    #expect(result.code == 0)
  }

  @Test func `a client that waits for the end of a stream for ever hangs in one that stalls`() throws {
    let client = #"curl -sfN "$UNDERSTUDY_BASE_URL/orders" > /dev/null"#
    let result = try sweep(client, "--only", "stream-stall", "--only", "stream-lost", "--limit", "2s")
    #expect(
      result.output.contains("error: stream-stall: expected an end within the limit, found hung [sweep.hang]"),
      "\(result.output)")
    #expect(result.output.contains("stream-lost   exit 18\n") && result.code == 1, "\(result.output)")
  }

  /// Listens until nothing comes for a second.
  private static func listener(_ shown: String) -> String {
    """
    polling="$UNDERSTUDY_BASE_URL/socket.io/?EIO=4&transport=polling"
    sid=$(curl -s "$polling" | cut -d '"' -f 4)
    curl -s "$polling&sid=$sid" -d 40 > /dev/null
    while packets=$(curl -s -m 1 "$polling&sid=$sid"); do printf '%s\\n' "$packets" >> "packets.$sid"; done
    shown=$(tr '\\036' '\\n' < "packets.$sid" | grep '"order"' | \(shown) | wc -l)
    case "$(echo $shown)" in 0) echo none ;; 1) echo once ;; *) echo twice ;; esac
    """
  }

  @Test func `a client that shows an event twice does not do what is expected`() throws {
    func sweep(_ shown: String) throws -> Command.Result {
      try self.sweep(
        Self.listener(shown), "--only", "EVENT order event-duplicate", "--only", "event-fixture", "--expect-file",
        "expected.yaml")
    }
    let careless = try sweep("cat")
    #expect(
      careless.output.hasPrefix(
        """
        EVENT order
          event-fixture order      exit 0: once
          event-fixture order.old  exit 0: once
          event-duplicate          exit 0: twice

        """), "\(careless.output)\(careless.error)")
    #expect(
      careless.output.contains(
        "error: event-duplicate: expected `once` in its output, found exit 0: twice [sweep.unexpected]"),
      "\(careless.output)")
    #expect(careless.code == 1)
    let careful = try sweep("sort -u")
    #expect(
      careful.output.contains("event-duplicate          exit 0: once\n"), "\(careful.output)\(careful.error)")
    #expect(careful.code == 0)
  }
}
