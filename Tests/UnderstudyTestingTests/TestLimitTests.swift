import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Clients that wait for something that does not come. Each runs in a process of its own, which has nothing else to do.
struct TestLimitTests {
  @Test func `a client that waits for ever fails its test, and gets the end of its connection`() throws {
    let printed = try output(ofFailing: "NeverAnsweredTests")
    #expect(
      printed.contains(
        "nothing has happened for 300ms: GET /v1/queue/myQueueState (readQueueState) waits for its answer [test.limit]\n"
      ),
      "\(printed)")
    #expect(printed.ranges(of: "recorded an issue").count == 1, "\(printed)")
  }

  @Test func `a test that waits for nothing of the mock is told so`() throws {
    let printed = try output(ofFailing: "NeverSentTests")
    #expect(printed.contains("no request waits for its answer"), "\(printed)")
  }

  @Test func `a test that ends in time, or allows the wait, passes`() async throws {
    let slp: UnderstudyTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")
    let quick = try await failures(of: slp.limit(.seconds(3_600))) { try send("/v1/queue/myQueueState") }
    #expect(quick == [])
    let result = try runTests("AllowedWaitTests", environment: ["UNDERSTUDY_FAILING_TESTS": "1"])
    #expect(result.code == 0, "\(result.output)\(result.error)")
  }

  @Test func `a sweep has the limit of its own rows`() throws {
    let result = try runTests("SweptWaitTests", environment: ["UNDERSTUDY_FAILING_TESTS": "1"])
    #expect(result.code == 0, "\(result.output)\(result.error)")
  }

  @Test func `a test that nothing can end ends the run, which says where it waits`() throws {
    let printed = try output(ofFailing: "NeverCalledBackTests")
    #expect(printed.contains("[test.limit]"), "\(printed)")
    #expect(
      printed.contains(/error: UnderstudyTestingTests.TestLimitTests.swift:[0-9]+: the test still waits/), "\(printed)")
  }
}

private let isFailing: ConditionTrait = .enabled(
  if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil)
private let slp: UnderstudyTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")

private func request(_ api: Understudy) throws -> URLRequest {
  var request = URLRequest(url: try #require(URL(string: "v1/queue/myQueueState", relativeTo: api.baseURL)))
  request.setValue("t", forHTTPHeaderField: "idtoken")
  return request
}

@Suite(isFailing, slp.limit(.milliseconds(300)))
struct NeverAnsweredTests {
  @Test func `the answer never comes`() async throws {
    let api = try #require(Understudy.current)
    api.reply(to: "readQueueState", .hang)
    let request = try request(api)
    let error = await withCheckedContinuation { (done: CheckedContinuation<(any Error)?, Never>) in
      URLSession.shared.dataTask(with: request) { _, _, error in done.resume(returning: error) }.resume()
    }
    #expect(error != nil)
  }
}

@Suite(isFailing, slp.limit(.milliseconds(200)))
struct NeverSentTests {
  /// The connections are closed at the failure; nothing else ends this loop.
  @Test func `the client never sends anything`() async throws {
    let api = try #require(Understudy.current)
    let request = try request(api)
    while (try? await URLSession.shared.data(for: request)) != nil { try await Task.sleep(for: .seconds(1)) }
  }
}

@Suite(isFailing, slp.limit(.milliseconds(50)).allowing("test.limit", "test.reply-unused"))
struct AllowedWaitTests {
  @Test func `a wait that is allowed`() async throws {
    let api = try #require(Understudy.current)
    api.reply(to: "readQueueState", .hang)
    _ = try? await URLSession.shared.data(for: request(api))
  }
}

@Suite(isFailing, slp.limit(.milliseconds(100)))
struct SweptWaitTests {
  @Test func `a row that takes longer than the test may rest`() async throws {
    let api = try #require(Understudy.current)
    let url = api.baseURL.absoluteString + "/v1/queue/myQueueState"
    let sweep = try await api.sweep("readQueueState", within: .seconds(2)) {
      let result = try await Command.curl([url, "-H", "idtoken: t"])
      guard result.code == 0 else { throw URLError(.badServerResponse) }
    }
    #expect(sweep["readQueueState", "stall"]?.outcome == .returned(""), "\(sweep)")
  }
}

@Suite(isFailing, slp.limit(.milliseconds(100)))
struct NeverCalledBackTests {
  @Test func `the callback never comes`() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
