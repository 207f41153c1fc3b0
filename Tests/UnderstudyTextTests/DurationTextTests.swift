import Testing
import UnderstudyText

struct DurationTextTests {
  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("1.5s", .milliseconds(1_500)), ("2m", .seconds(120)),
    ("2min", .seconds(120)),
    ("7", .milliseconds(7)), ("0", .zero), ("60m", .seconds(3_600)),
  ])
  func `a length has a number and a unit`(text: String, duration: Duration) {
    #expect(Duration(text: text) == duration)
  }

  @Test(arguments: [
    "", "s", ".5s", "-1s", "1h", "61m", "1 s", "1..2s", "1e3", "NaN", String(repeating: "9", count: 400),
  ])
  func `any other text is not a duration`(text: String) {
    #expect(Duration(text: text) == nil)
  }

  @Test(arguments: [
    (Duration.zero, 0), (.microseconds(7), 7), (.nanoseconds(7_999), 7), (.nanoseconds(-7_999), -7),
    (.microseconds(Int64.max - 1_000_000), Int.max - 1_000_000), (.microseconds(Int64.max), .max),
    (.seconds(Int64.max), .max), (.seconds(Int64.min), -.max), (.seconds(1e20), .max), (.seconds(-1e20), -.max),
  ])
  func `microseconds beyond the range of a number are its limit`(duration: Duration, microseconds: Int) {
    #expect(duration.wholeMicroseconds == microseconds)
    #expect(duration.wholeMilliseconds == microseconds / 1_000)
  }

  @Test(arguments: [
    (Duration.zero, "0.0 ms"), (.microseconds(149), "0.1 ms"), (.microseconds(9_999), "9.9 ms"),
    (.milliseconds(10), "10 ms"),
    (.microseconds(10_900), "10 ms"), (.seconds(3), "3000 ms"),
  ])
  func `tenths are shown only below ten milliseconds`(duration: Duration, text: String) {
    #expect(duration.shortText == text)
  }
}
