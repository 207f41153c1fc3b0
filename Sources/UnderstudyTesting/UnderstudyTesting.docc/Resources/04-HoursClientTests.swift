import HoursClient
import UnderstudyTesting

@Suite(.understudy("specs/hours.yaml"))
struct HoursClientTests {
  @Test func `the hours of a day are read`() async throws {
    let lane = try #require(Lane.current)
    let hours = try await HoursClient(baseURL: lane.baseURL).hours(on: "tuesday")
    #expect(hours?.opens == "09:30")
    #expect(try await lane.calls("readHours").map { $0.parameter("day") } == ["tuesday"])
  }

  @Test func `a shop that moves has no hours until it is back`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readHours", .meaning("moving"), 200)
    let client = HoursClient(baseURL: lane.baseURL)
    await #expect(throws: HoursClient.Unavailable(status: 503)) { try await client.hours(on: "monday") }
    #expect(try await client.hours(on: "monday") != nil)
  }

  @Test func `a day off has no hours`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readHuors", 404)
    #expect(try await HoursClient(baseURL: lane.baseURL).hours(on: "sunday") == nil)
  }
}
