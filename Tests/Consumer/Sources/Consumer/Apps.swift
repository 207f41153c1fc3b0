// The code of docs/ios.md. Other platforms have no XCUIApplication; there the compiler checks the syntax.
#if os(iOS)
import Foundation
import XCTest

enum Backend {
  /// `-baseURL http://localhost:4010/v1`, in the scheme or in a test, replaces the real server.
  static let baseURL = URL(
    string: UserDefaults.standard.string(forKey: "baseURL") ?? "https://api.example.com/v1")
}

final class SignInTests: XCTestCase {
  @MainActor func testAnUnregisteredUserIsSentToTheForm() {
    let app = XCUIApplication()
    let server = ProcessInfo.processInfo.environment["UNDERSTUDY_BASE_URL"] ?? "http://localhost:4010"
    app.launchArguments = ["-baseURL", "\(server)/v1"]
    app.launch()
    XCTAssertTrue(app.textFields["nickname"].waitForExistence(timeout: 5))
  }
}
#endif
