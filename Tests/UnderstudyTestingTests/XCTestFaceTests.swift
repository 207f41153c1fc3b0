import Foundation
import UnderstudyTestSupport
import UnderstudyTesting
import XCTest

/// The tests of a module that still uses XCTest.
final class XCTestFaceTests: XCTestCase {
  private var api: Understudy!

  override func setUp() async throws {
    api = try await Understudy.start("specs/slp.yaml", fixtures: "fixtures")
  }

  override func tearDown() async throws { try await api.stop() }

  func testA401IsRetried() throws {
    api.reply(to: "readUser", 401, 200)
    let port = try XCTUnwrap(api.baseURL.port)
    for status in [401, 200] {
      let client = try RawClient(port: port)
      try client.get("/v1/user", "idtoken: t\r\n")
      XCTAssertEqual(try client.response().status, status)
    }
    try api.expect("readUser", times: 2)
  }
}
