import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport
import UnderstudyTesting

struct IsolationTests {
  @Test func `200 mocks at a time answer each their own test`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let api = try await Understudy.start("specs/slp.yaml", fixtures: "fixtures")
          api.reply(to: "readUser", .json("{\"nick\": \(number)}"))
          #expect(try send("/v1/user", to: api).body == "{\"nick\": \(number)}")
          #expect(api.calls.count == 1)
          try await api.stop()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `200 suites at a time each have their own verdict`() async throws {
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
      let api = try await Understudy.start("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures")
      let texts = try (0..<3).map { _ in try send("/turn", fields: "", to: api).body }
      try await api.stop()
      return texts
    }
    let first = try await texts()
    #expect(Set(first).count == 3)
    #expect(try await texts() == first)
  }

  #if os(Linux)
  @Test func `mocks leave no descriptor open, even where a client stays`() async {
    await #expect(processExitsWith: .success) {
      func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      // The first one starts the event loops, which stay.
      try await Understudy.start("specs/slp.yaml").stop()
      let before = try openDescriptors()
      for _ in 0..<50 {
        let api = try await Understudy.start("specs/slp.yaml")
        api.reply(to: "readUser", .hang)
        let client = try RawClient(port: try #require(api.baseURL.port))
        try client.get("/v1/user", "idtoken: t\r\n")
        try await api.next("readUser")
        try await api.stop()
        #expect(try client.rest().text == "")
      }
      // Each would leave two.
      let after = try openDescriptors()
      #expect(after < before + 20, "\(after) after, \(before) before")
    }
  }
  #endif

  // In a process of its own, where no other test gets the port.
  @Test func `a detached task that outlives its test is refused`() async {
    await #expect(processExitsWith: .success) {
      let api = try await Understudy.start("specs/slp.yaml")
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      let late = Task.detached {
        for await _ in ends { break }
        try send("/v1/user", to: api)
      }
      try await api.stop()
      end.yield()
      await #expect(throws: RawClient.Failure.self) { try await late.value }
      #expect(api.calls.isEmpty)
    }
  }

  @Test(.understudy("specs/slp.yaml")) func `a detached task has no mock of its own`() async {
    #expect(await Task.detached { Understudy.current == nil }.value)
  }

  @Test func `a wait that outlives its test ends`() async throws {
    let api = try await Understudy.start("specs/slp.yaml")
    try await api.stop()
    let late = Task.detached { try await api.next("readUser", within: .seconds(1000)) }
    await #expect(throws: UnderstudyError.self) { try await late.value }
    api.reply(to: "readUser", 401)
    #expect(api.calls.isEmpty)
  }

  /// `UNDERSTUDY_MEASURE=1 swift test --filter IsolationTests` prints the cost.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_MEASURE"] != nil))
  func `a mock costs a test little more than a server by hand`() async throws {
    // The first reads the contract.
    try await Understudy.start("specs/slp.yaml", fixtures: "fixtures").stop()
    // In turns, so that other load on the machine affects both.
    var rounds: [(stub: Duration, mock: Duration)] = []
    for _ in 0..<10 {
      let stub = try await time(of: 100) {
        try await Stub.serve { port in
          let client = try RawClient(port: port)
          try client.get("/v1/user")
          _ = try client.response()
        }
      }
      let mock = try await time(of: 100) {
        let api = try await Understudy.start("specs/slp.yaml", fixtures: "fixtures")
        _ = try send("/v1/user", to: api)
        try await api.stop()
      }
      rounds.append((stub, mock))
    }
    func spread(_ figures: [Duration]) -> String {
      let sorted = figures.sorted()
      return "\(sorted[0]), median \(sorted[sorted.count / 2]), at most \(sorted[sorted.count - 1])"
    }
    print("1,000 tests each, in turns of 100; least, median and most of a test:")
    print("a server by hand: \(spread(rounds.map(\.stub)))")
    print("a mock: \(spread(rounds.map(\.mock)))")
    print("the mock costs more by: \(spread(rounds.map { $0.mock - $0.stub }))")
    print("ratios: \(rounds.map { $0.mock / $0.stub }.sorted())")
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
