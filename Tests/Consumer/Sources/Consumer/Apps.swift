// The code of docs/ios.md and docs/testing.md. Other platforms have no XCUIApplication; there the compiler checks the
// syntax.
#if os(iOS)
import Foundation
import XCTest

enum Backend {
  /// `API_BASE_URL`, from a test or from the scheme, replaces the real server.
  static let baseURL = URL(string: ProcessInfo.processInfo.environment["API_BASE_URL"] ?? "https://api.example.com/v1")
}

final class SignInTests: XCTestCase {
  private let mock = ProcessInfo.processInfo.environment["UNDERSTUDY_BASE_URL"] ?? "http://127.0.0.1:4010"

  @MainActor func testAnUnregisteredUserIsSentToTheForm() async throws {
    var lane = URLRequest(url: try XCTUnwrap(URL(string: "\(mock)/__admin/lanes")))
    lane.httpMethod = "POST"
    lane.httpBody = Data(#"{"name": "unregistered", "force": {"readUser": 406}}"#.utf8)
    _ = try await URLSession.shared.data(for: lane)

    let app = XCUIApplication()
    app.launchEnvironment["API_BASE_URL"] = "\(mock)/~unregistered/v1"
    app.launch()
    XCTAssertTrue(app.textFields["nickname"].waitForExistence(timeout: 5))
  }
}
#endif
