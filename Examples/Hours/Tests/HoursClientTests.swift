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
    try await lane.reply(to: "readHours", 404)
    #expect(try await HoursClient(baseURL: lane.baseURL).hours(on: "sunday") == nil)
  }

  @Test(arguments: Cell.all(of: "specs/hours.yaml", operation: "readHours"))
  func `every documented status is a value or an error`(cell: Cell) async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(with: cell)
    let client = HoursClient(baseURL: lane.baseURL)
    switch cell.status {
    case 200: #expect(try await client.hours(on: "monday") != nil)
    case 404: #expect(try await client.hours(on: "monday") == nil)
    default: await #expect(throws: HoursClient.Unavailable.self) { try await client.hours(on: "monday") }
    }
  }

  @Test func `no answer is swallowed, and none crashes`() async throws {
    let lane = try #require(Lane.current)
    let sweep = try await lane.sweep(inChildProcesses: true) {
      try await HoursClient(baseURL: $0.baseURL).hours(on: "monday")
    }
    try sweep.expect(
      .noCrash, .noHang, .nothingSwallowed, .throwsFor(500...599), .throwsFor("required-null", "required-missing"),
      .returnsFor("additional-member", "drip"))
  }
}
