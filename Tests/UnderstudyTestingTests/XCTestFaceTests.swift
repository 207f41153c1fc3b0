import Foundation
import UnderstudyTestSupport
import UnderstudyTesting
import XCTest

/// The tests of a module that still uses XCTest.
final class XCTestFaceTests: XCTestCase {
  private var lane: Lane!

  override func setUp() async throws {
    lane = try await Lane.open(hasOwnPort: true, on: .start("specs/slp.yaml", fixtures: "fixtures"))
  }

  override func tearDown() async throws { try await lane.close() }

  func testA401IsRetried() async throws {
    try await lane.reply(to: "readUser", 401, 200)
    let port = try XCTUnwrap(lane.baseURL.port)
    for status in [401, 200] {
      let client = try RawClient(port: port)
      try client.get("/v1/user", "idtoken: t\r\n")
      XCTAssertEqual(try client.response().status, status)
    }
    try await lane.expect("readUser", times: 2)
  }
}
