#if canImport(XCTest) && os(iOS)
import Foundation
public import XCTest

extension XCUIApplication {
  /// Launches the app with the address of a lane in its environment, from which it takes its base URL.
  ///
  /// - Parameters:
  ///   - lane: The lane of the test.
  ///   - path: What the app's base URL has after the address, such as `v1`.
  ///   - variable: The name of the variable that the app reads.
  @MainActor public func launch(with lane: Lane, path: String = "", variable: String = "API_BASE_URL") {
    launchEnvironment[variable] =
      path.isEmpty ? lane.baseURL.absoluteString : lane.baseURL.appendingPathComponent(path).absoluteString
    launch()
  }
}
#endif
