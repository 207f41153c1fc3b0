import Testing
import UnderstudyMock

struct TransmissionPlanTests {
  /// The number of bytes of each piece, and its time after the first.
  private static func schedule(head: Int, body: Int, _ fault: Fault?) -> [(bytes: Int, at: Duration)] {
    schedule(
      TransmissionPlan(
        head: Array(repeating: 0x68, count: head), body: Array(repeating: 0x62, count: body), fault))
  }

  private static func schedule(_ plan: TransmissionPlan) -> [(bytes: Int, at: Duration)] {
    var plan = plan
    var pieces: [(bytes: Int, at: Duration)] = []
    var time = Duration.zero
    while true {
      let (piece, pause) = plan.next()
      pieces.append((piece.count, time))
      guard let pause else { return pieces }
      time += pause
    }
  }

  @Test func `an answer without a pace is one piece`() {
    let pieces = Self.schedule(head: 10, body: 100, .reset(at: .body))
    #expect(pieces.map(\.bytes) == [60])
  }

  @Test(arguments: [(1, 1), (20, 20), (21, 11), (100, 20), (1_000_003, 20)])
  func `an answer that drips has at most twenty pieces, which are the whole of it`(bytes: Int, count: Int) {
    let pieces = Self.schedule(head: bytes, body: 0, .drip).map(\.bytes)
    #expect(pieces.count == count)
    #expect(pieces.reduce(0, +) == bytes)
  }

  @Test func `a body follows its head in the same pieces`() {
    #expect(Self.schedule(head: 30, body: 70, .drip).map(\.bytes) == Array(repeating: 5, count: 20))
  }

  @Test func `an answer drips within the time of its fault`() {
    #expect(Self.schedule(head: 30, body: 70, .drip).map(\.at) == (0..<20).map { .milliseconds(100) * $0 })
    #expect(Self.schedule(head: 30, body: 70, .drip(over: .seconds(10))).last?.at == .seconds(10) * 19 / 20)
  }

  @Test(arguments: [(1000, 500), (1000, 20_000), (64_000, 20_000), (7, 30)])
  func `an answer takes as long as its bandwidth allows`(rate: Int, bytes: Int) throws {
    let pieces = Self.schedule(head: 5, body: bytes - 5, .bandwidth(rate))
    #expect(pieces.map(\.bytes).reduce(0, +) == bytes)
    // The first piece comes at once.
    let last = try #require(pieces.last)
    let first = try #require(pieces.first)
    let expected = Double(bytes - first.bytes) / Double(rate)
    let piece = Double(first.bytes) / Double(rate)
    #expect(abs(last.at / .seconds(1) - expected) <= piece)
    #expect(pieces.allSatisfy { $0.bytes <= max(1, rate / TransmissionPlan.chunksPerSecond) })
  }

  @Test func `an answer that stalls sends the head at once and the body after the pause`() {
    let pieces = Self.schedule(head: 40, body: 60, .stall(.seconds(2)))
    #expect(pieces.map(\.bytes) == [40, 60])
    #expect(pieces.map(\.at) == [.zero, .seconds(2)])
  }

  @Test func `an answer without a body has nothing to stall`() {
    #expect(Self.schedule(head: 40, body: 0, .stall(.seconds(2))).map(\.bytes) == [40])
  }

  @Test(
    arguments: [
      (.drip, nil), (.html, nil), (.duplicateHeaders, nil), (.truncate, .close),
      (.malformedChunk, .close), (.conflictingHeaders, .close), (.wrongLength(by: 1), .close),
      (.close(at: .end), .close),
      (.reset(at: .head), .reset), (.hang(at: .body), .hang),
    ] as [(Fault, Fault.Ending?)])
  func `a fault determines the end of its connection`(fault: Fault, end: Fault.Ending?) {
    #expect(TransmissionPlan(head: [0x61], body: [], fault).end == end)
  }

  @Test(arguments: [
    (Fault.Moment.start, 4, 3, ""), (.head, 4, 3, "hh"), (.afterHead, 4, 3, "hhhh"), (.body, 4, 3, "hhhhb"),
    (.body, 4, 0, "hh"), (.body, 4, 1, "hhhh"), (.body, 0, 5, "bb"), (.end, 4, 3, "hhhhbbb"),
  ])
  func `a cut sends the bytes before its moment`(moment: Fault.Moment, head: Int, body: Int, sent: String) {
    let (head, body) = (Array(repeating: UInt8(0x68), count: head), Array(repeating: UInt8(0x62), count: body))
    for fault in [Fault.close(at: moment), .reset(at: moment), .hang(at: moment)] {
      let plan = TransmissionPlan(head: head, body: body, fault)
      #expect(String(decoding: plan.bytes, as: UTF8.self) == sent)
    }
  }

  @Test func `a cut message is sent at the pace of its fault`() {
    let pieces = Self.schedule(head: 30, body: 140, Fault.truncate.and(.drip))
    #expect(pieces.map(\.bytes) == Array(repeating: 5, count: 20))
  }

  @Test func `messages with pauses are sent one after the other, and the last pause precedes the end`() async throws {
    var plan = TransmissionPlan()
    plan.wait(.milliseconds(1))
    plan.append(body: [1, 2])
    plan.append(body: [])
    plan.append(body: [3])
    plan.wait(.milliseconds(2))
    plan.wait(.milliseconds(3))
    plan.append(body: [4, 5, 6, 7], .truncate)
    plan.wait(.milliseconds(4))
    let schedule = Self.schedule(plan)
    #expect(schedule.map(\.bytes) == [0, 2, 1, 2, 0])
    #expect(schedule.map(\.at) == [.zero, .milliseconds(1), .milliseconds(1), .milliseconds(6), .milliseconds(10)])
    #expect(plan.end == .close)
    var sent: [[UInt8]] = []
    try await plan.transmit { sent.append($0) }
    #expect(sent == [[1, 2], [3], [4, 5]])
    #expect(plan.bytes == [1, 2, 3, 4, 5])
  }

  @Test func `an empty answer has one empty piece`() {
    #expect(Self.schedule(head: 0, body: 0, .drip).map(\.bytes) == [0])
  }
}
