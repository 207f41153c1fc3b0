import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Testing
import UnderstudyTestSupport
import UnderstudyTesting

/// Clients that wait for something that does not come.
struct TestLimitTests {
  private static let slp: UnderstudyTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")
  private static let state = "/v1/queue/myQueueState"

  private static func request(_ api: Understudy) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "v1/queue/myQueueState", relativeTo: api.baseURL)))
    request.setValue("t", forHTTPHeaderField: "idtoken")
    return request
  }

  @Test func `a client that waits for ever fails its test, and gets the end of its connection`() async throws {
    let found = try await failures(of: Self.slp.limit(.milliseconds(300))) {
      let api = try #require(Understudy.current)
      api.reply(to: "readQueueState", .hang)
      let request = try Self.request(api)
      let error = await withCheckedContinuation { (done: CheckedContinuation<(any Error)?, Never>) in
        URLSession.shared.dataTask(with: request) { _, _, error in done.resume(returning: error) }.resume()
      }
      #expect(error != nil)
    }
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.hasPrefix(
        "test: nothing has happened for 300 ms: GET \(Self.state) (readQueueState) waits for its answer [test.limit]\n")
        == true, "\(found)")
  }

  @Test func `a test that waits for nothing of the mock is told so`() async throws {
    let found = try await failures(of: Self.slp.limit(.milliseconds(20))) {
      // The connections are closed at the first failure; nothing else ends this loop.
      let api = try #require(Understudy.current)
      let request = try Self.request(api)
      while (try? await URLSession.shared.data(for: request)) != nil { try await Task.sleep(for: .milliseconds(200)) }
    }
    #expect(found.count == 1 && found[0].contains("no request waits for its answer"), "\(found)")
  }

  @Test func `a test that ends in time, or allows the wait, passes`() async throws {
    let quick = try await failures(of: Self.slp) { try send(Self.state) }
    #expect(quick == [])
    let allowed = try await failures(of: Self.slp.limit(.milliseconds(50)).allowing("test.limit", "test.reply-unused")) {
      let api = try #require(Understudy.current)
      api.reply(to: "readQueueState", .hang)
      _ = try? await URLSession.shared.data(for: Self.request(api))
    }
    #expect(allowed == [])
  }

  @Test func `a test that nothing can end ends the run, which says where it waits`() throws {
    let printed = try output(ofFailing: "NeverCalledBackTests")
    #expect(printed.contains("[test.limit]"), "\(printed)")
    #expect(
      printed.contains(/error: UnderstudyTestingTests.TestLimitTests.swift:[0-9]+: the test still waits/), "\(printed)")
  }
}

@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil),
  .understudy("specs/slp.yaml", fixtures: "fixtures").limit(.milliseconds(100)))
struct NeverCalledBackTests {
  @Test func `the callback never comes`() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
