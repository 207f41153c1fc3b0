import Testing
import UnderstudyMock

struct FaultPlanTests {
  @Test(arguments: [("reset", true), ("delay:2s+html", true), ("reset@first:1", false), ("delay:1s..2s", false)])
  func `a plan without conditions and chance needs no state`(text: String, isFixed: Bool) throws {
    #expect((try FaultReader.read(text).fixed != nil) == isFixed)
  }

  @Test func `the same seed, key and turn give the same outcome`() throws {
    let plan = try FaultReader.read("delay:lognormal:200ms:0.5+reset@50%")
    func outcomes(_ seed: String, _ key: String) -> [FaultPlan.Outcome?] {
      (0..<50).map { plan.outcome(seed: seed, key: key, turn: $0, elapsed: .zero) }
    }
    #expect(outcomes("1", "a") == outcomes("1", "a"))
    #expect(outcomes("1", "a") != outcomes("2", "a"))
    #expect(outcomes("1", "a") != outcomes("1", "b"))
  }

  @Test func `an outcome has the delay and the fault`() throws {
    let outcome = try FaultReader.read("delay:2s+html@first:1").outcome(seed: "0", key: "", turn: 0, elapsed: .zero)
    #expect(outcome == FaultPlan.Outcome(delay: .seconds(2), fault: .html))
  }
}
