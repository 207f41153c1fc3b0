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

  @Test func `a shop that moves has no hours until it is back`() async throws {
    let api = try #require(Understudy.current)
    api.reply(to: "readHours", .meaning("moving"), 200)
    let client = HoursClient(baseURL: api.baseURL)
    await #expect(throws: HoursClient.Unavailable(status: 503)) { try await client.hours(on: "monday") }
    #expect(try await client.hours(on: "monday") != nil)
  }

  @Test func `a day off has no hours`() async throws {
    let api = try #require(Understudy.current)
    api.reply(to: "readHours", 404)
    #expect(try await HoursClient(baseURL: api.baseURL).hours(on: "sunday") == nil)
  }

  @Test(arguments: Understudy.cells("specs/hours.yaml", operation: "readHours"))
  func `every documented status is a value or an error`(cell: Cell) async throws {
    let api = try #require(Understudy.current)
    api.reply(with: cell)
    let client = HoursClient(baseURL: api.baseURL)
    switch cell.status {
    case 200: #expect(try await client.hours(on: "monday") != nil)
    case 404: #expect(try await client.hours(on: "monday") == nil)
    default: await #expect(throws: HoursClient.Unavailable.self) { try await client.hours(on: "monday") }
    }
  }

  @Test func `no answer is swallowed, and none crashes`() async throws {
    let api = try #require(Understudy.current)
    let client = HoursClient(baseURL: api.baseURL)
    let sweep = try await api.sweep(inChildProcesses: true) { try await client.hours(on: "monday") }
    sweep.expect(
      .noCrash, .noHang, .nothingSwallowed, .throwsFor(500...599), .throwsFor("required-null", "required-missing"),
      .returnsFor("additional-member", "drip"))
  }
}
