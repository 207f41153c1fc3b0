import Testing
import UnderstudyMock

struct FaultConditionTests {
  /// The turns among the first ten at which a fault happens.
  private func turns(_ text: String) throws -> [Int] {
    let plan = try FaultReader.read("reset@\(text)")
    return (0..<10).filter { plan.outcome(seed: "0", key: "", turn: $0, elapsed: .zero) != nil }
  }

  @Test(arguments: [
    ("first:2", [0, 1]), ("after:7", [7, 8, 9]), ("flap:3:2", [3, 4, 8, 9]), ("flap:1:1", [1, 3, 5, 7, 9]),
    ("after:2@first:4", [2, 3]), ("0%", []), ("100%", Array(0..<10)),
  ])
  func `a condition counts requests`(text: String, expected: [Int]) throws {
    #expect(try turns(text) == expected)
  }

  @Test(arguments: [
    ("10s..30s", [10, 20]), ("10s..30s/40s", [10, 20, 50, 60]), ("0s..5s/20s", [0, 20, 40, 60]),
  ])
  func `a window follows the clock`(text: String, expected: [Int]) throws {
    let plan = try FaultReader.read("reset@\(text)")
    let seconds = stride(from: -20, through: 70, by: 10).filter {
      plan.outcome(seed: "0", key: "", turn: 0, elapsed: .seconds($0)) != nil
    }
    #expect(seconds == expected)
  }

  @Test func `a chance is met about as often as it says`() throws {
    let plan = try FaultReader.read("reset@20%")
    let count = (0..<10_000).count { plan.outcome(seed: "0", key: "", turn: $0, elapsed: .zero) != nil }
    #expect(1800...2200 ~= count)
  }
}
