import Foundation
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct InProcessLaneTests {
  @Test(.understudy("specs/petstore.yaml", fixtures: "fixtures"))
  func `a lane of a mock in the process is directed and asked`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readPet", 404, 200)
    let url = lane.baseURL.appending(path: "api/pets/7")
    let first = try await URLSession.shared.data(from: url)
    let second = try await URLSession.shared.data(from: url)
    #expect([first, second].map { ($0.1 as? HTTPURLResponse)?.statusCode } == [404, 200])
    #expect(try await lane.calls("readPet").map(\.status) == [404, 200])
    #expect(try await lane.verdict().isClean)
  }

  @Test(.understudy("specs/petstore.yaml", fixtures: "fixtures"), arguments: 0..<200)
  func `each test has a lane`(number: Int) async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readPet", 200)
    _ = try await URLSession.shared.data(from: lane.baseURL.appending(path: "api/pets/7"))
    #expect(try await lane.calls().count == 1)
  }

  @Test(.understudy("specs/slp.yaml", fixtures: "fixtures", limit: .seconds(3_600)))
  func `a request that waits for its response is known with the token that the client sent`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readUser", .hang)
    var request = URLRequest(url: lane.baseURL.appending(path: "v1/user"))
    request.setValue("secret-token-1", forHTTPHeaderField: "idtoken")
    let client = Task { [request] in try await URLSession.shared.data(for: request) }
    defer { client.cancel() }
    let call = try await lane.next("readUser")
    #expect(call.status == 0 && call.header("idtoken") == "secret-token-1")
    #expect(try await lane.calls().map { $0.header("idtoken") } == ["secret-token-1"])
    try await lane.expect("readUser", times: 1)
  }

  @Test(.understudy("specs/slp.yaml", fixtures: "fixtures"))
  func `a cancelled wait for a request or an event throws CancellationError`() async throws {
    let lane = try #require(Lane.current)
    let waits = [
      Task { _ = try await lane.next("readUser", within: .seconds(60)) },
      Task { _ = try await lane.next(event: "connect", within: .seconds(60)) },
    ]
    for wait in waits {
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
    }
  }

  @Test func `a lane that is closed cannot be closed again`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures"))
    try await lane.close()
    let error = await #expect(throws: UnderstudyError.self) { try await lane.close() }
    #expect(
      error?.description == "the lane `\(lane.name)` is closed already\n"
        + "  help: leave this `close()` out: the trait and `openLane` close their lanes by themselves")
  }

  @Test func `a question about requests that the mock has dropped fails, and the verdict covers them`() async throws {
    let mock = try await RunningMock.start("specs/slp.yaml", fixtures: "fixtures", options: Mock.Options())
    let lane = try await Lane.open(hasOwnPort: true, on: mock)
    try send("/v1/user", to: lane)
    try await lane.expect("readUser", times: 1)
    let client = try RawClient(port: try #require(mock.baseURL.port))
    try client.send("DELETE /__admin/requests HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    #expect(try client.response().status == 200)
    let message =
      "the mock lists 0 of the 1 requests of the lane: newer requests replaced the others\n"
      + "  help: ask while the lane has few requests; `verdict()` covers all of them"
    let line = #line + 1
    let error = await #expect(throws: UnderstudyError.self) { try await lane.expect("readUser", times: 0) }
    #expect(error?.description == "\(#fileID):\(line): \(message)")
    await #expect(throws: UnderstudyError.self) { try await lane.calls() }
    #expect(try await lane.close().requests == 1)
  }

  @Test(.understudy("specs/slp.yaml", fixtures: "fixtures"))
  func `a lane keeps its requests while other lanes of the mock have thousands`() async throws {
    let lane = try #require(Lane.current)
    try send("/v1/user")
    let other = try await Lane.open(hasOwnPort: true, on: lane.mock)
    let client = try RawClient(port: try #require(other.baseURL.port))
    for _ in 0..<2_000 {
      try client.get("/v1/user", "idtoken: t\r\n")
      _ = try client.response()
    }
    #expect(try await lane.calls().count == 1)
    try await other.close()
  }
}
