import HoursClient
import UnderstudyTesting
import XCTest

/// The tests of a module that still uses XCTest.
final class HoursClientXCTests: XCTestCase {
  private var lane: Lane!

  override func setUp() async throws { lane = try await Lane.open(on: .start("specs/hours.yaml")) }

  override func tearDown() async throws { try await lane.close() }

  func testADayOffHasNoHours() async throws {
    try await lane.reply(to: "readHours", 404)
    let hours = try await HoursClient(baseURL: lane.baseURL).hours(on: "sunday")
    XCTAssertNil(hours)
    try await lane.expect("readHours", times: 1)
  }
}
