import Testing
import UnderstudyMock

struct LatencyTests {
  /// Many delays, in order of their length.
  private func delays(_ text: String) throws -> [Duration] {
    let plan = try FaultReader.read("delay:\(text)")
    return (0..<4000).compactMap { plan.outcome(seed: "0", key: "", turn: $0, elapsed: .zero)?.delay }.sorted()
  }

  @Test func `a fixed delay is always the same`() throws {
    #expect(Set(try delays("250ms")) == [.milliseconds(250)])
  }

  @Test func `a range has every delay between its bounds`() throws {
    let delays = try delays("100ms..2s")
    #expect(delays.allSatisfy { .milliseconds(100)...(.seconds(2)) ~= $0 })
    #expect(.milliseconds(980)...(.milliseconds(1120)) ~= delays[2000])
    #expect(try #require(delays.first) < .milliseconds(110))
    #expect(try #require(delays.last) > .milliseconds(1990))
  }

  @Test func `a lognormal delay has its median and its spread`() throws {
    let delays = try delays("lognormal:200ms:0.5")
    #expect(.milliseconds(190)...(.milliseconds(210)) ~= delays[2000])
    // One standard deviation of the logarithm above the median: 200 ms times e to the 0.5, at 84.1 %.
    #expect(.milliseconds(310)...(.milliseconds(350)) ~= delays[3365])
  }

  @Test func `a spread of 0 is the median`() throws {
    #expect(Set(try delays("lognormal:1s:0")) == [.seconds(1)])
  }

  @Test func `no delay is longer than an hour`() throws {
    #expect(try delays("lognormal:30m:5").last == .seconds(3600))
  }
}
