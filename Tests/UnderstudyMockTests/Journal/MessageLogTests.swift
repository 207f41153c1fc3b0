import Testing
import UnderstudyMock

struct MessageLogTests {
  @Test func `the last messages are held, and all are counted`() throws {
    let log = try #require(MessageLog(MediaRange("text/event-stream")))
    for number in 1...500 { log.append(Array("data: \(number)\n\n".utf8), at: number) }
    #expect(log.messages.count == MessageLog.messageLimit)
    #expect(log.messages.map(\.number) == Array(301...500))
    #expect(log.messages.last?.microseconds == 500 && log.messages.last?.bytes == Array("data: 500".utf8))
    #expect(log.totals.count == 500)
  }

  @Test func `large messages make room earlier`() throws {
    let log = try #require(MessageLog(MediaRange("application/x-ndjson")))
    let line = [UInt8](repeating: UInt8(ascii: "7"), count: 10_000) + [10]
    for _ in 0..<100 { log.append(line, at: 0) }
    #expect(log.messages.count == MessageLog.byteLimit / 10_000)
    #expect(log.totals.held == log.messages.reduce(0) { $0 + $1.bytes.count })
    #expect(log.totals.bytes == 1_000_100 && log.totals.count == 100)
  }
}
