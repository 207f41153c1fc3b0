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
        if isServed { end.succeed() } else { add(number + 1) }
      }
    }
    add(0)
    // Without an end of each portion, this would never run.
    try await loop.submit { seen.withLock { $0.isServed = true } }.get()
    try await end.futureResult.get()
    try await loop.submit {}.get()
    let numbers = seen.withLock { $0.numbers }
    #expect(numbers == Array(numbers.indices))
    #expect(!queue.isBusy)
  }
}
