import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

/// Many tests at the same time, each with a lane.
@Suite(.needsMock)
struct IsolationTests {
  /// `UNDERSTUDY_REPETITIONS` repeats it.
  private static let rounds = ProcessInfo.processInfo.environment["UNDERSTUDY_REPETITIONS"].flatMap { Int($0) } ?? 1
  private static let count = 200

  @Test func `of 200 lanes at the same time none sees a request of another, and none is left`() async throws {
    let own = "isolation\(UInt32.random(in: 0...999_999))"
    for round in 0..<Self.rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<Self.count { group.addTask { try await Self.run("\(own)-\(round)", number) } }
        try await group.waitForAll()
      }
    }
    let left = try await RunningMock.current.lanes.filter { $0.hasPrefix(own) }
    #expect(left == [])
  }

  private static func run(_ label: String, _ number: Int) async throws {
    let lane = try await Lane.open(label, force: number % 2 == 0 ? ["readUser": 406] : [:])
    let client = AppClient(lane)
    #expect(try await client.get("/v1/user").status == (number % 2 == 0 ? 406 : 200))
    for part in 0..<2 { try await client.send("POST", "/v1/chat/u2", form: "chat=\(number).\(part)") }
    #expect(try await lane.next("sendChat", within: .seconds(30)).field("chat") == "\(number).0")
    let calls = try await lane.calls()
    #expect(calls.map(\.operation) == ["readUser", "sendChat", "sendChat"])
    #expect(calls.suffix(2).map { $0.field("chat") } == ["\(number).0", "\(number).1"])
    let verdict = try await lane.close()
    #expect(verdict.requests == 3 && verdict.isClean)
  }
}
