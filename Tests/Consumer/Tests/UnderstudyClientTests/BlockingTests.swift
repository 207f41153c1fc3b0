import Foundation
import UnderstudyClient
import XCTest

/// Asynchronous calls in tests that are not asynchronous; no mock is needed.
final class BlockingTests: XCTestCase {
  func testTheValueOfTheWorkIsReturned() throws { XCTAssertEqual(try blocking { 42 }, 42) }

  func testTheErrorOfTheWorkIsThrown() {
    XCTAssertThrowsError(try blocking { throw URLError(.cancelled) }) {
      XCTAssertEqual(($0 as? URLError)?.code, .cancelled)
    }
  }

  func testWorkWithoutAnEndFailsAtItsLimitAndNamesItsLine() {
    let line = #line + 2
    XCTAssertThrowsError(
      try blocking(within: .milliseconds(20)) { try await Task.sleep(for: .seconds(3_600)) }
    ) { error in
      XCTAssertEqual(
        "\(error)",
        """
        `blocking` at UnderstudyClientTests/BlockingTests.swift:\(line) has not ended within 20ms
          help: write the test as `async throws`, or pass a longer limit: `blocking(within: .seconds(300))`
        """)
    }
  }

  func testTheWorkMayUseTheMainActor() throws {
    XCTAssertEqual(try blocking(within: .seconds(5)) { await MainActor.run { 42 } }, 42)
  }
}
