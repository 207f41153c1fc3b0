import UnderstudyClient
import UnderstudyClientTestSupport
import XCTest

/// A suite that still uses XCTest, with a `setUp` that is not asynchronous.
final class XCTestFaceTests: XCTestCase {
  override func invokeTest() {
    guard SharedMock.isNamed else { return print("skipped: \(name): no mock") }
    super.invokeTest()
  }

  // docs/ios.md has these lines.
  private var lane: Lane!

  override func setUpWithError() throws { lane = try openLane("sign-in", force: ["readUser": 406]) }

  func testARefusedTokenIsShown() throws {
    let lane: Lane = lane
    try blocking { try await lane.reply(to: "readUser", 401) }
    let answer = try blocking { try await AppClient(lane).get("/v1/user") }
    XCTAssertEqual(answer.status, 401)
  }

  func testALaneIsDirectedByAsynchronousCalls() async throws {
    let lane: Lane = lane
    let answer = try await AppClient(lane).get("/v1/user")
    XCTAssertEqual(answer.status, 406)
    try await lane.expect("readUser", times: 1)
  }
}
