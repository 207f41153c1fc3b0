// The UI test of docs/ios.md. Other platforms have no XCUIApplication; there the compiler checks the syntax.
#if os(iOS)
import UnderstudyClient
import XCTest

final class SignUpTests: XCTestCase {
  @MainActor func testAnUnregisteredUserIsSentToTheForm() async throws {
    let lane = try await Lane.open("sign-up", force: ["readUser": 406])
    let app = XCUIApplication()
    app.launch(with: lane, path: "v1")  // API_BASE_URL
    XCTAssertTrue(app.textFields["nickname"].waitForExistence(timeout: 5))
    try await lane.expect("readUser", times: 1)
    try await lane.close()
  }
}
#endif
