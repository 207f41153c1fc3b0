import HoursClient
import UnderstudyTesting
import XCTest

/// The tests of a module that still uses XCTest.
final class HoursClientXCTests: XCTestCase {
  private var api: Understudy!

  override func setUp() async throws { api = try await Understudy.start("specs/hours.yaml") }

  override func tearDown() async throws { try await api.stop() }

  func testADayOffHasNoHours() async throws {
    api.reply(to: "readHours", 404)
    let hours = try await HoursClient(baseURL: api.baseURL).hours(on: "sunday")
    XCTAssertNil(hours)
    try api.expect("readHours", times: 1)
  }
}
