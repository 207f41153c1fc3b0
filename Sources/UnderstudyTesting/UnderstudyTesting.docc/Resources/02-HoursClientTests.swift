import HoursClient
import UnderstudyTesting

@Suite(.understudy("specs/hours.yaml"))
struct HoursClientTests {
  @Test func `the hours of a day are read`() async throws {
    let api = try #require(Understudy.current)
    let hours = try await HoursClient(baseURL: api.baseURL).hours(on: "tuesday")
    #expect(hours?.opens == "09:30")
    #expect(api.calls("readHours").map { $0.parameter("day") } == ["tuesday"])
  }
}
