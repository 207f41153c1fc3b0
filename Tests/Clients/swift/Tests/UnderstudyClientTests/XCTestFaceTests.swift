import UnderstudyClient
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A suite that still uses XCTest, with a `setUp` that is not asynchronous.
final class XCTestFaceTests: XCTestCase {
  private var lane: Lane!

  override func setUpWithError() throws {
    try XCTSkipIf(Program.path == nil, "no program: `make test` builds it, UNDERSTUDY names it")
    lane = try openLane("xctest", force: ["readUser": 406], on: .tests)
  }

  func testALaneIsDirectedByBlockingCalls() throws {
    let lane: Lane = lane
    try blocking { try await lane.reply(to: "readUser", 401) }
    let status = try blocking { try await AppClient(lane).get("/v1/user").status }
    XCTAssertEqual(status, 401)
    try blocking { try await lane.expect("readUser", times: 1) }
  }

  func testALaneIsDirectedByAsynchronousCalls() async throws {
    let lane: Lane = lane
    let answer = try await AppClient(lane).get("/v1/user")
    XCTAssertEqual(answer.status, 406)
    try await lane.expect("readUser", times: 1)
  }
}
