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
}
