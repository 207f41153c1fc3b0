import NIOCore
import NIOPosix
import Testing
import UnderstudyServer
import UnderstudySystem

/// Work of sockets that never ends leaves their loop to others.
@Suite struct SocketQueueTests {
  private struct Seen: Sendable {
    var numbers: [Int] = []
    var isServed = false
  }

  /// The tasks that a queue without portions would run at a stretch.
  private static let limit = 1_000_000

  @Test func `tasks that add tasks let the loop serve others, and keep their order`() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let queue = SocketQueue(on: loop)
    let seen = Lock(Seen())
    let end = loop.makePromise(of: Void.self)

    @Sendable func add(_ number: Int) {
      queue.execute {
        let isServed = seen.withLock { seen in
          seen.numbers.append(number)
          return seen.isServed
        }
        if isServed || number == Self.limit { end.succeed() } else { add(number + 1) }
      }
    }
    add(0)
    // It runs after all tasks unless portions end.
    try await loop.submit { seen.withLock { $0.isServed = true } }.get()
    try await end.futureResult.get()
    try await loop.submit {}.get()
    let numbers = seen.withLock { $0.numbers }
    #expect(numbers == Array(numbers.indices) && numbers.count < Self.limit)
    #expect(!queue.isBusy)
  }
}
