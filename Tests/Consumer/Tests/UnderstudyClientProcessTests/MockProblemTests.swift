import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

/// What a test says where the mock is not as expected.
struct MockProblemTests {
  @Test func `without a mock the error is the command to run`() async throws {
    // The port of tcpmux, which no test machine serves.
    let mock = RunningMock(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
    let error = await #expect(throws: UnderstudyError.self) { try await Lane.open(on: mock) }
    #expect(error?.kind == .unreachable)
    #expect(error?.description.hasPrefix("no mock answers at http://127.0.0.1:1: ") == true)
    #expect(
      error?.description.contains("help: start one: understudy serve CONTRACT --port 1; in Xcode, Scripts/start-mock")
        == true)
  }

  @Test func `a trait without a mock fails the test instead of running it`() async throws {
    let mock = RunningMock(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
    let found = try await failures(of: .lane(on: mock)) { Issue.record("the test runs") }
    #expect(found.count == 1 && found[0].contains("no mock answers at"), "\(found)")
  }

  @Test(.needsProgram) func `a path below a mock is not taken for an old mock`() async throws {
    let running = try MockProcess()
    defer { running.stop() }
    let mock = RunningMock(baseURL: running.mock.baseURL.appendingPathComponent("v1"))
    let error = await #expect(throws: UnderstudyError.self) { try await Lane.open(on: mock) }
    #expect(error?.kind == .unsupported && error?.description.contains("is no Understudy mock") == true)
  }

  @Test(.needsProgram) func `a mock that ends during a test is named as such`() async throws {
    let running = try MockProcess()
    let lane = try await Lane.open(on: running.mock)
    running.stop()
    let error = await #expect(throws: UnderstudyError.self) { try await lane.force(["readUser": 401]) }
    #expect(error?.kind == .unreachable)
    #expect(
      error?.description.contains("no mock answers at \(running.mock.baseURL.absoluteString) any more: ") == true,
      "\(error as Any)")
    await #expect(throws: UnderstudyError.self) { try await lane.close() }
  }

  @Test(.needsMock) func `a mock that was started again has no lane of the test`() async throws {
    let lane = try await Lane.open()
    let other = try await Lane.open(name: "twin-\(UUID().uuidString.prefix(8))")
    try await other.close()
    try await lane.close()
    let error = await #expect(throws: UnderstudyError.self) { try await other.force(["readUser": 401]) }
    #expect(error?.kind == .refused(status: 404))
  }

  @Test(FakeMock.needsPython) func `a mock of another version is refused with the version to take`() async throws {
    let fake = try FakeMock(["version": (200, #"{"api": 2, "program": "9.0.0", "features": []}"#)])
    let error = await #expect(throws: UnderstudyError.self) { try await Lane.open(on: fake.mock) }
    #expect(error?.kind == .unsupported)
    #expect(error?.description.contains("has version 2 of the admin API, and this library needs version 1") == true)
    #expect(error?.description.contains("update the package `understudy` to 9.0.0") == true)
  }

  @Test(FakeMock.needsPython) func `a mock without a feature is too old for the call that needs it`() async throws {
    let fake = try FakeMock([
      "health": (200, #"{"status": "up", "version": "0.0.9"}"#),
      "lanes": (201, #"{"name": "a", "url": "http://127.0.0.1:1/~a"}"#),
    ])
    let lane = try await Lane.open(on: fake.mock)
    let error = await #expect(throws: UnderstudyError.self) { try await lane.reply(to: "readUser", 401) }
    #expect(error?.kind == .unsupported)
    #expect(
      error?.description.contains("is too old for `reply(to: \"readUser\")`: its admin API has no feature `replies`")
        == true)
  }

  @Test(FakeMock.needsPython) func `the limit of lanes is reported with the advice of the mock`() async throws {
    let detail = "10000 lanes are open (close lanes when their tests end)"
    let fake = try FakeMock([
      "version": (200, #"{"api": 1, "program": "0.1.0", "features": []}"#),
      "lanes": (503, #"{"type": "urn:understudy:problem:lane-limit", "detail": "\#(detail)"}"#),
    ])
    let error = await #expect(throws: UnderstudyError.self) { try await Lane.open(on: fake.mock) }
    #expect(error?.kind == .full)
    #expect(error?.description == "10000 lanes are open\n  help: close lanes when their tests end")
  }

  @Test(FakeMock.needsPython) func `another server is named as such`() async throws {
    let fake = try FakeMock(["version": (200, "<html>")])
    let error = await #expect(throws: UnderstudyError.self) { try await Lane.open(on: fake.mock) }
    #expect(
      error?.description.contains("is no Understudy mock: GET /__admin/version was answered with 200") == true)
  }
}
