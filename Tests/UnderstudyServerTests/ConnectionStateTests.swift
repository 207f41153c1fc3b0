import NIOCore
import Testing
import UnderstudyServer

/// The rules of a connection, one by one, without a socket.
struct ConnectionStateTests {
  private func connection(
    _ events: ConnectionModel.Event..., configure: (inout ServerConfiguration) -> Void = { _ in }
  ) -> ConnectionModel {
    var connection = ConnectionModel(configure: configure)
    for event in events { connection.receive(event) }
    return connection
  }

  // MARK: RFC 9112, 9.3: persistence and pipelining

  @Test func `a connection reads, answers and reads again`() {
    var connection = connection(.readRequested, .get(.plain), .readComplete, .readRequested)
    #expect(connection.newLog() == ["read", "answer 0", "write 0", "report 0 200", "flush", "read"])
  }

  @Test func `pipelined requests are answered in order and flushed together`() {
    var connection = connection(.readRequested, .get(.plain), .get(.plain), .readComplete)
    #expect(
      connection.newLog()
        == ["read", "answer 0", "write 0", "report 0 200", "answer 1", "write 1", "report 1 200", "flush"])
  }

  @Test func `a delayed answer holds back reads and the next request`() {
    var connection = connection(.readRequested, .get(.later), .get(.plain), .readComplete, .readRequested)
    #expect(connection.newLog() == ["read", "answer 0", "start delay 1.0 seconds"])
    connection.receive(.fire(.delay))
    #expect(
      connection.newLog()
        == ["write 0", "report 0 200", "answer 1", "write 1", "report 1 200", "flush", "read"])
  }

  @Test func `requests wait while their client does not read`() {
    var connection = connection(.readRequested, .writable(false), .get(.plain), .readComplete, .readRequested)
    #expect(connection.newLog() == ["read"])
    connection.receive(.writable(true))
    #expect(connection.newLog() == ["answer 0", "write 0", "report 0 200", "flush", "read"])
  }

  // MARK: RFC 9112, 9.6: the end

  @Test func `a request that closes is the last`() {
    var connection = connection(.readRequested, .getAndClose, .get(.plain), .readComplete, .drained(true))
    #expect(
      connection.newLog()
        == ["read", "answer 0", "write 0 and close", "report 0 200", "drain", "close output", "start end 1.0 seconds"])
    connection.receive(.inputClosed)
    #expect(connection.newLog() == ["close", "stop end"])
  }

  @Test func `a client that lingers is disconnected by the timer`() {
    var connection = connection(.readRequested, .getAndClose, .readComplete, .drained(true))
    _ = connection.newLog()
    connection.receive(.fire(.end))
    #expect(connection.newLog() == ["close"])
  }

  @Test func `a client that keeps sending after its last answer is disconnected`() {
    var connection = connection(.readRequested, .getAndClose, .readComplete, .drained(true))
    _ = connection.newLog()
    for _ in 0..<63 { connection.receive(.readRequested, .readComplete) }
    #expect(connection.newLog() == Array(repeating: "read", count: 63))
    connection.receive(.readRequested, .readComplete)
    #expect(connection.newLog() == ["read", "close", "stop end"])
  }

  @Test func `a client that closes its output gets its answers`() {
    var connection = connection(.readRequested, .get(.later), .readComplete, .inputClosed)
    _ = connection.newLog()
    connection.receive(.fire(.delay), .drained(true))
    #expect(connection.newLog() == ["write 0", "report 0 200", "drain", "close"])
  }

  @Test func `a client that closes its output before an answer that is watched has left`() {
    var connection = connection(.readRequested, .get(.watched), .readComplete)
    _ = connection.newLog()
    connection.receive(.inputClosed)
    #expect(connection.newLog().filter { $0 == "close" || $0.hasPrefix("report") } == ["close", "report 0 -"])
  }

  @Test func `a shutdown ends an idle connection after a moment and a busy one with its answer`() {
    var idle = connection(.readRequested, .quiesce)
    #expect(idle.newLog() == ["read", "start lastCall 0.1 seconds"])
    idle.receive(.fire(.lastCall), .drained(true))
    #expect(idle.newLog() == ["drain", "close"])
    var busy = connection(.readRequested, .get(.later), .readComplete, .quiesce)
    _ = busy.newLog()
    busy.receive(.fire(.delay))
    #expect(busy.newLog() == ["write 0 and close", "report 0 200", "drain"])
  }

  @Test func `a request that arrives during a shutdown is answered, and ends its connection`() {
    var connection = connection(.readRequested, .quiesce, .get(.plain), .readComplete)
    #expect(connection.newLog().contains("write 0 and close"))
    // A request that is not complete by then is not waited for.
    var upload = self.connection(.readRequested, .quiesce, .post, .body, .readComplete, .fire(.lastCall))
    #expect(upload.newLog().suffix(2) == ["drain", "stop input"])
  }

  @Test func `a reply that a worker computes is written when it is known, and the next request waits`() {
    var connection = connection(.readRequested, .get(.slow), .get(.plain), .readComplete)
    #expect(connection.newLog() == ["read", "answer 0"])
    connection.receive(.compute)
    #expect(
      connection.newLog() == ["write 0", "report 0 200", "answer 1", "write 1", "report 1 200", "flush"])
    var left = self.connection(.readRequested, .get(.slow), .readComplete, .closed, .compute)
    #expect(left.newLog().last == "report 0 -")
  }

  @Test func `a client that leaves is reported without a status`() {
    var connection = connection(.readRequested, .get(.later), .readComplete, .closed)
    #expect(connection.newLog().suffix(2) == ["report 0 -", "stop delay"])
  }

  @Test func `a connection is idle until a request arrives or its answer is read`() {
    var silent = connection(.readRequested, .idle)
    #expect(silent.newLog() == ["read", "close"])
    var waiting = connection(.readRequested, .get(.later), .readComplete, .idle)
    #expect(waiting.newLog().last == "start delay 1.0 seconds")
    var unread = connection(.readRequested, .get(.later), .readComplete, .writable(false), .idle)
    #expect(unread.newLog().suffix(3) == ["close", "report 0 -", "stop delay"])
  }

  // MARK: RFC 9110, 10.1.1: expectations

  @Test func `a client that expects 100 Continue gets it`() {
    var connection = connection(.readRequested, .postExpecting, .readComplete)
    #expect(connection.newLog() == ["read", "continue", "start input 30.0 seconds"])
  }

  @Test func `100 Continue follows the earlier answers`() {
    var connection = connection(.readRequested, .get(.later), .postExpecting, .readComplete)
    _ = connection.newLog()
    connection.receive(.fire(.delay))
    #expect(connection.newLog() == ["write 0", "report 0 200", "continue", "flush"])
  }

  @Test func `a client that does not wait gets no 100 Continue`() {
    var connection = connection(.readRequested, .get(.later), .postExpecting, .body, .readComplete)
    _ = connection.newLog()
    connection.receive(.fire(.delay))
    #expect(!connection.newLog().contains("continue"))
  }

  // MARK: Refusals

  @Test func `a body with too long a length is refused before it arrives`() {
    var connection = connection(.readRequested, .postTooLong)
    #expect(connection.newLog() == ["read", "answer 0 bodyTooLarge", "write 0 and close", "report 0 200", "drain"])
  }

  @Test func `requests before a malformed one are answered first`() {
    var connection = connection(.readRequested, .get(.later), .malformed, .readComplete)
    _ = connection.newLog()
    connection.receive(.fire(.delay))
    #expect(
      connection.newLog()
        == ["write 0", "report 0 200", "answer 1 malformed", "write 1 and close", "report 1 200", "drain"])
  }

  @Test func `a head that does not end is refused`() {
    var connection = connection(.readRequested, .post, .body, .end)
    connection.receive(.settle)
    _ = connection.newLog()
    connection.receive(.readComplete, .readRequested, .readComplete)
    // A read without parts is the beginning of a head.
    #expect(connection.newLog() == ["flush", "read", "start input 10.0 seconds"])
    connection.receive(.fire(.input))
    #expect(connection.newLog().first == "answer 1 headTimeout")
  }

  @Test func `a body that stops is refused`() {
    var connection = connection(.readRequested, .post, .readComplete, .fire(.input))
    #expect(connection.newLog().prefix(3) == ["read", "start input 30.0 seconds", "answer 0 bodyTimeout"])
  }

  @Test func `a body that drips is refused when its time is used up`() {
    var connection = connection(.readRequested, .post, .readComplete) { $0.minimumBodyRate = 1 }
    connection.now = connection.now + .seconds(20)
    connection.receive(.readRequested, .body, .readComplete)
    #expect(connection.newLog().suffix(2) == ["read", "start input 12.0 seconds"])
    connection.receive(.fire(.input))
    #expect(connection.newLog().first == "answer 0 slowBody")
  }

  @Test func `a client is not late while nothing is read`() {
    var connection = connection(.readRequested, .get(.later), .post, .readComplete, .readRequested)
    #expect(connection.newLog().last == "start input 30.0 seconds")
    connection.receive(.fire(.input))
    #expect(connection.newLog() == ["start input 30.0 seconds"])
  }

  // MARK: Faults

  @Test func `a fault closes without an answer`() {
    var close = connection(.readRequested, .get(.close))
    #expect(close.newLog() == ["read", "answer 0", "report 0 -", "close"])
    var reset = connection(.readRequested, .get(.reset))
    #expect(reset.newLog().last == "reset")
  }

  @Test func `an answer with pauses holds back the next request until its last piece`() {
    var connection = connection(.readRequested, .get(.drip), .get(.plain), .readComplete, .fire(.delay))
    #expect(
      connection.newLog()
        == ["read", "answer 0", "start delay 0.0 seconds", "write 0 in pieces", "start delay 0.1 seconds", "flush"])
    connection.receive(.fire(.delay))
    #expect(connection.newLog() == ["last piece", "report 0 200", "answer 1", "write 1", "report 1 200", "flush"])
  }

  @Test func `a client that leaves within an answer with pauses got no status`() {
    var connection = connection(.readRequested, .get(.drip), .readComplete, .fire(.delay), .closed)
    #expect(connection.newLog().suffix(2) == ["report 0 -", "stop delay"])
  }

  @Test func `a reset within an answer waits until the bytes before it are sent`() {
    var connection = connection(.readRequested, .get(.resetLate), .readComplete, .fire(.delay), .fire(.delay))
    #expect(connection.newLog().suffix(3) == ["last piece", "report 0 200", "drain"])
    connection.receive(.drained(true))
    #expect(connection.newLog() == ["reset"])
  }

  @Test func `an answer that hangs in its body is flushed, and ends as one without a byte`() {
    var connection = connection(.readRequested, .get(.hangLate), .readComplete, .fire(.delay), .fire(.delay))
    #expect(connection.newLog().suffix(3) == ["last piece", "start end 5.0 seconds", "flush"])
    connection.receive(.fire(.end))
    #expect(connection.newLog().contains("report 0 200"))
  }

  @Test func `a hanging answer ends at its limit or with its client, and is not idleness`() {
    for event in [ConnectionModel.Event.fire(.end), .inputClosed, .quiesce, .closed] {
      var connection = connection(.readRequested, .get(.hang), .readComplete, .idle)
      #expect(connection.newLog() == ["read", "answer 0", "start end 5.0 seconds"])
      connection.receive(event)
      #expect(connection.newLog().contains("report 0 -"))
    }
  }

  // MARK: Forwarding

  @Test func `an answer in pieces is chunked for HTTP 1_1 and closes for HTTP 1_0`() {
    var new = connection(.readRequested, .get(.forward), .readComplete, .begin, .piece, .endStream)
    #expect(new.newLog() == ["read", "answer 0", "write 0 chunks", "flush", "flush", "end", "report 0 200", "flush"])
    var old = connection(.readRequested, .legacyGet(.forward), .readComplete, .begin, .endStream)
    #expect(
      old.newLog() == ["read", "answer 0", "write 0 close and close", "flush", "end", "report 0 200", "drain"])
  }

  @Test func `a reply instead of the upstream's keeps its delay`() {
    var connection = connection(.readRequested, .get(.forward), .readComplete, .settleLater)
    #expect(connection.newLog() == ["read", "answer 0", "start delay 1.0 seconds"])
  }

  @Test func `an answer that breaks off closes the connection`() {
    var connection = connection(.readRequested, .get(.forward), .readComplete, .begin, .breakStream)
    #expect(connection.newLog().suffix(2) == ["report 0 200", "close"])
  }

  @Test func `a client that leaves cancels its forwarded request`() {
    var connection = connection(.readRequested, .get(.forward), .readComplete, .closed)
    #expect(connection.newLog().suffix(2) == ["report 0 -", "cancel"])
  }

  @Test func `a client that closes its output abandons a response that waits for events`() {
    for begun in [[], [ConnectionModel.Event.beginEvents, .piece]] {
      var connection = connection(.readRequested, .get(.waiting), .readComplete)
      for event in begun { connection.receive(event) }
      _ = connection.newLog()
      connection.receive(.inputClosed)
      #expect(
        connection.newLog().suffix(2) == (begun.isEmpty ? ["report 0 -", "cancel"] : ["report 0 200", "cancel"]))
    }
    var early = connection(.readRequested, .get(.waiting), .inputClosed, .readComplete)
    #expect(early.newLog().contains("close"))
    var usual = connection(.readRequested, .get(.forward), .readComplete, .inputClosed)
    #expect(!usual.newLog().contains("close"))
  }

  @Test func `a shutdown ends a stream of events, and a body that has fallen silent, but not one that goes on`() {
    var events = connection(.readRequested, .get(.forward), .readComplete, .beginEvents, .quiesce, .piece)
    _ = events.newLog()
    events.receive(.endEndless)
    #expect(events.newLog() == ["report 0 200", "cancel", "close", "stop lastCall"])
    var body = connection(.readRequested, .get(.forward), .readComplete, .begin, .piece, .quiesce, .piece)
    _ = body.newLog()
    body.receive(.endEndless)
    #expect(body.newLog() == [])
    body.receive(.endEndless)
    #expect(body.newLog().contains("close"))
    var waiting = connection(.readRequested, .get(.later), .readComplete, .quiesce, .endEndless)
    #expect(!waiting.newLog().contains("close"))
  }

  @Test func `a long body is passed on while its reader keeps up`() {
    var connection = connection(.readRequested, .post, .longBody, .readComplete, .readRequested)
    #expect(
      connection.newLog() == ["read", "answer 0 long", "pass 8", "start input 30.0 seconds", "read"])
    connection.receive(.body, .demand(false), .readComplete, .readRequested)
    #expect(connection.newLog() == ["pass 2", "start input 30.0 seconds"])
    connection.receive(.demand(true))
    #expect(connection.newLog() == ["read"])
    connection.receive(.end)
    #expect(connection.newLog() == ["stop input", "end body"])
  }

  @Test func `an answer before the end of a long body ends the connection`() {
    var connection = connection(.readRequested, .post, .longBody, .settle)
    #expect(
      connection.newLog().suffix(4) == ["write 0 and close", "report 0 200", "fail body", "drain"])
  }

  // MARK: - All orders of events

  private typealias Event = ConnectionModel.Event

  /// Beginnings from which every order of events is tried.
  static let beginnings: [[ConnectionModel.Event]] = [
    [], [.readRequested], [.readRequested, .get(.later)], [.readRequested, .get(.forward), .readComplete],
    [.readRequested, .get(.forward), .begin], [.readRequested, .get(.hang)],
    [.readRequested, .get(.drip), .fire(.delay)], [.readRequested, .get(.resetLate), .fire(.delay)],
    [.readRequested, .get(.hangLate), .fire(.delay)], [.readRequested, .get(.closeLate), .fire(.delay)],
    [.readRequested, .get(.later), .get(.plain)],
    [.readRequested, .post], [.readRequested, .post, .longBody], [.readRequested, .get(.later), .postExpecting],
    [.readRequested, .get(.later), .post, .longBody], [.readRequested, .getAndClose, .drained(true)],
  ]

  @Test(arguments: beginnings) func `no order of events breaks a rule`(beginning: [ConnectionModel.Event]) {
    var connection = ConnectionModel()
    for event in beginning { connection.receive(event) }
    let (failure, count) = explore(connection, depth: 4)
    #expect(count > 100)
    #expect(failure == nil)
  }

  /// Tries every sequence of possible events; returns a sequence that violates a rule, and the number of sequences.
  private func explore(_ connection: ConnectionModel, depth: Int) -> (failure: String?, count: Int) {
    var count = 0
    for event in ConnectionModel.allEvents where depth > 0 && connection.isPossible(event) {
      var next = connection
      next.receive(event)
      let result = explore(next, depth: depth - 1)
      count += result.count
      if let failure = result.failure { return (failure, count) }
    }
    if count > 0 { return (nil, count) }
    var ended = connection
    ended.end()
    return (failure(of: ended), 1)
  }

  @Test(arguments: 0..<20) func `no long walk breaks a rule`(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<20 {
      var connection = ConnectionModel()
      for _ in 0..<100 {
        let events = ConnectionModel.allEvents.filter(connection.isPossible)
        // Most events that end a connection come late, or a walk would be short.
        guard let event = events.randomElement(using: &random) else { break }
        let isEnd = [.closed, .quiesce, .inputClosed, .malformed, .idle].contains(event)
        if !isEnd || Int.random(in: 0..<10, using: &random) == 0 { connection.receive(event) }
      }
      connection.end()
      #expect(failure(of: connection) == nil)
    }
  }

  private func failure(of connection: ConnectionModel) -> String? {
    connection.violations.first.map { "\($0) after \(connection.events)" }
  }
}

/// SplitMix64.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
