import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport
import UnderstudyTesting

struct IsolationTests {
  /// Whether the process may open enough files for that, as it may by default on Linux and macOS.
  private static let holds200 = ServerConfiguration.descriptorLimit >= 1_024

  @Test(.enabled(if: holds200, "skipped: fewer than 1024 descriptors"))
  func `200 mocks at a time answer each their own test`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let lane = try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures"))
          try await lane.reply(to: "readUser", .json("{\"nick\": \(number)}"))
          #expect(try send("/v1/user", to: lane).body == "{\"nick\": \(number)}")
          #expect(try await lane.calls().count == 1)
          try await lane.close()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(.enabled(if: holds200, "skipped: fewer than 1024 descriptors"))
  func `200 suites at a time each have their own verdict`() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<200 {
        group.addTask {
          try await failures(of: .understudy("specs/slp.yaml", fixtures: "fixtures")) {
            try send(number == 7 ? "/v1/users" : "/v1/user")
          }
        }
      }
      var found: [String] = []
      for try await failures in group { found += failures }
      #expect(found.count == 1 && found[0].contains("no path of the contract matches `/v1/users`"), "\(found)")
    }
  }

  @Test func `the turns of a template begin anew in each test`() async throws {
    let folder = try TemporaryFolder([
      "api.yaml": """
      openapi: 3.1.0
      info: {title: Turns, version: "1"}
      paths: {/turn: {get: {operationId: readTurn, responses: {"200": {description: Turn}}}}}
      """,
      "fixtures/api/readTurn/200.yaml":
        "{template: true, contentType: text/plain, text: '{{random min=1 max=1000000}}'}",
    ])
    func texts() async throws -> [String] {
      let lane = try await Lane.open(on: .start("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures"))
      let texts = try (0..<3).map { _ in try send("/turn", fields: "", to: lane).body }
      try await lane.close()
      return texts
    }
    let first = try await texts()
    #expect(Set(first).count == 3)
    #expect(try await texts() == first)
  }

  #if os(Linux)
  @Test func `lanes and mocks leave no descriptor open, even where a client stays`() async {
    await #expect(processExitsWith: .success) {
      func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      // The first one starts the event loops, which stay.
      try await Lane.open(on: .start("specs/slp.yaml")).close()
      let before = try openDescriptors()
      for _ in 0..<50 {
        let lane = try await Lane.open(hasOwnPort: true, on: .start("specs/slp.yaml", options: Mock.Options()))
        try await lane.reply(to: "readUser", .hang)
        let client = try RawClient(port: try #require(lane.baseURL.port))
        try client.get("/v1/user", "idtoken: t\r\n")
        try await lane.next("readUser")
        try await lane.close()
        #expect(try client.rest().text == "")
      }
      // Each would leave two or three.
      let after = try openDescriptors()
      #expect(after < before + 20, "\(after) after, \(before) before")
    }
  }
  #endif

  // In a process of its own, where no other test gets the port.
  @Test func `a detached task that outlives its test is refused`() async {
    await #expect(processExitsWith: .success) {
      let lane = try await Lane.open(hasOwnPort: true, on: .start("specs/slp.yaml"))
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      let late = Task.detached {
        for await _ in ends { break }
        try send("/v1/user", to: lane)
      }
      #expect(try await lane.close().requests == 0)
      end.yield()
      await #expect(throws: RawClient.Failure.self) { try await late.value }
    }
  }

  @Test(.understudy("specs/slp.yaml")) func `a detached task has no lane of its own`() async {
    #expect(await Task.detached { Lane.current == nil }.value)
  }

  @Test func `a wait that outlives its test ends, and says why`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    // It waits at the end, or begins after it.
    let early = Task.detached { try await lane.next("readUser", within: .seconds(1000)) }
    try await lane.close()
    let late = Task.detached { try await lane.next("readUser", within: .seconds(1000)) }
    for wait in [early, late] {
      let error = await #expect(throws: UnderstudyError.self) { try await wait.value }
      #expect(
        error?.description.hasSuffix(
          "the lane `\(lane.name)` has closed with its test, so `next(\"readUser\")` changes nothing\n"
            + "  help: await the task that calls it") == true, "\(error?.description ?? "")")
    }
  }

  @Test func `what is asked of a mock after its test fails at its line`() async throws {
    let kept = Mutex<UnderstudyClient.Lane?>(nil)
    let found = try await failures(of: Self.slp) { kept.withLock { $0 = Lane.current } }
    #expect(found == [])
    let last = kept.withLock { $0 }
    let lane = try #require(last)
    let issues = Mutex<[String]>([])
    let line = #line + 2
    await withKnownIssue {
      _ = try? await lane.reply(to: "readUser", 401)
      try? await lane.play("rush")
      await #expect(throws: UnderstudyError.self) { try await lane.next("readUser", within: .seconds(1000)) }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined().prefix { $0 != "\n" }
      issues.withLock { $0.append("line \(issue.sourceLocation?.line ?? 0): \(text)") }
      return true
    }
    let late = issues.withLock { $0 }
    let calls = [#"reply(to: "readUser")"#, #"play("rush")"#, #"next("readUser")"#]
    #expect(
      late
        == calls.enumerated().map { offset, call in
          "line \(line + offset): the lane `\(lane.name)` has closed with its test, so `\(call)` changes nothing"
        })
  }

  /// An object, without keeping it.
  private struct Remains {
    weak var object: AnyObject?
  }

  /// What the tasks, timers and connections of a mock would keep, after it was used for all that has them.
  private static func remains() async throws -> [Remains] {
    let lane = try await Lane.open(
      hasOwnPort: true, on: .start("specs/slp.yaml", fixtures: "fixtures", options: Mock.Options()))
    let remains = [Remains(object: lane), Remains(object: lane.mock.transport as AnyObject)]
    // A wait that ends with the lane.
    let wait = Task { try? await lane.next("sendChat", within: .seconds(1000)) }
    try await lane.reply(to: "readUser", .hang)
    let waiting = try RawClient(port: try #require(lane.baseURL.port))
    try waiting.get("/v1/user", "idtoken: t\r\n")
    try await lane.next("readUser", within: .seconds(1000))
    try await lane.reply(to: "readQueueState", .delayed(.seconds(3_600)))
    let leaving = try RawClient(port: try #require(lane.baseURL.port))
    try leaving.get("/v1/queue/myQueueState", "idtoken: t\r\n")
    try await lane.next("readQueueState", within: .seconds(1000))
    leaving.reset()
    try await lane.close()
    let call = await wait.value
    #expect(call == nil)
    #expect(try waiting.rest().text == "")
    return remains
  }

  @Test(.timeLimit(.minutes(5))) func `no task, timer or connection of a mock that has stopped is left`() async throws {
    let remains = try await Self.remains()
    while remains.contains(where: { $0.object != nil }), !Task.isCancelled { await Task.yield() }
    #expect(remains.count == 2 && remains.allSatisfy { $0.object == nil })
  }

  private static let slp: LaneTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")

  /// `UNDERSTUDY_MEASURE=1 swift test --filter IsolationTests` prints the cost.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_MEASURE"] != nil))
  func `a mock costs a test little more than a server by hand`() async throws {
    let test = try #require(Test.current)
    // The first reads the contract.
    try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures")).close()
    // In turns, so that other load on the machine affects all.
    var rounds: [(bound: Duration, idle: Duration, stub: Duration, mock: Duration, trait: Duration)] = []
    for _ in 0..<10 {
      let bound = try await time(of: 100) { try await Stub.serve { _ in } }
      let idle = try await time(of: 100) {
        try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures")).close()
      }
      let stub = try await time(of: 100) {
        try await Stub.serve { port in
          let client = try RawClient(port: port)
          try client.get("/v1/user")
          _ = try client.response()
        }
      }
      let mock = try await time(of: 100) {
        let lane = try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures"))
        _ = try send("/v1/user", to: lane)
        try await lane.close()
      }
      let trait = try await time(of: 100) {
        try await Self.slp.provideScope(for: test, testCase: Test.Case.current) { _ = try send("/v1/user") }
      }
      rounds.append((bound, idle, stub, mock, trait))
    }
    func spread(_ figures: [Duration]) -> String {
      let sorted = figures.sorted()
      return "\(sorted[0]), median \(sorted[sorted.count / 2]), at most \(sorted[sorted.count - 1])"
    }
    print("1,000 tests each, in turns of 100; least, median and most of a test:")
    print("bind and close by hand, without a request: \(spread(rounds.map(\.bound)))")
    print("bind and close of a mock, without a request: \(spread(rounds.map(\.idle)))")
    print("a server by hand: \(spread(rounds.map(\.stub)))")
    print("a mock by start and stop: \(spread(rounds.map(\.mock)))")
    print("a mock by the trait: \(spread(rounds.map(\.trait)))")
    print("overhead per test, by start and stop: \(spread(rounds.map { $0.mock - $0.stub }))")
    print("overhead per test, by the trait: \(spread(rounds.map { $0.trait - $0.stub }))")
    print("ratios, by start and stop: \(rounds.map { $0.mock / $0.stub }.sorted())")
    print("ratios, by the trait: \(rounds.map { $0.trait / $0.stub }.sorted())")
  }

  private func time(of count: Int, _ test: () async throws -> Void) async throws -> Duration {
    try await ContinuousClock().measure { for _ in 0..<count { try await test() } } / count
  }
}

/// The server that a team would write by hand.
private enum Stub {
  static func serve(_ body: (Int) throws -> Void) async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    try body(channel.localAddress?.port ?? 0)
    try await channel.close()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .end = unwrapInboundIn(data) else { return }
      let body = ByteBuffer(string: "{}")
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok, headers: ["Content-Type": "application/json", "Content-Length": "2"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
