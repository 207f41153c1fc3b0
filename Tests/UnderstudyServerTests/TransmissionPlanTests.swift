import NIOCore
import Testing
import UnderstudyMock
import UnderstudyServer

struct TransmissionPlanTests {
  /// The number of bytes of each piece, and its time after the first.
  private static func schedule(head: Int, body: Int, _ fault: Fault?) -> [(bytes: Int, at: Duration)] {
    var plan = TransmissionPlan(ByteBuffer(repeating: 0x68, count: head), ByteBuffer(repeating: 0x62, count: body), fault)
    var pieces: [(bytes: Int, at: Duration)] = []
    var time = Duration.zero
    while true {
      let (piece, pause) = plan.next()
      pieces.append((piece.readableBytes, time))
      guard let pause else { return pieces }
      time += pause
    }
  }

  @Test func `an answer without a pace is one piece`() {
    let pieces = Self.schedule(head: 10, body: 100, .reset(at: .body))
    #expect(pieces.map(\.bytes) == [110])
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
    #expect(pieces.allSatisfy { $0.bytes <= max(1, rate / TransmissionPlan.piecesPerSecond) })
  }

  @Test func `an answer that stalls sends the head at once and the body after the pause`() {
    let pieces = Self.schedule(head: 40, body: 60, .stall(.seconds(2)))
    #expect(pieces.map(\.bytes) == [40, 60])
    #expect(pieces.map(\.at) == [.zero, .seconds(2)])
  }

  @Test func `an answer without a body has nothing to stall`() {
    #expect(Self.schedule(head: 40, body: 0, .stall(.seconds(2))).map(\.bytes) == [40])
  }

  @Test(arguments: [
    (Fault.drip, TransmissionPlan.End.usual), (.html, .usual), (.duplicateHeaders, .usual), (.truncate, .close),
    (.malformedChunk, .close), (.conflictingHeaders, .close), (.wrongLength(by: 1), .close), (.close(at: .end), .close),
    (.reset(at: .head), .reset), (.hang(at: .body), .hang),
  ])
  func `the end of the connection is that of the fault`(fault: Fault, end: TransmissionPlan.End) {
    #expect(TransmissionPlan(ByteBuffer(string: "a"), ByteBuffer(), fault).end == end)
  }

  @Test func `an empty answer has one empty piece`() {
    #expect(Self.schedule(head: 0, body: 0, .drip).map(\.bytes) == [0])
  }
}
