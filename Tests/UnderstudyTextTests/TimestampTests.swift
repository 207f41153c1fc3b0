import Testing
import UnderstudyText

struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 500_000), ("1969-12-31T23:59:59.999999Z", -1),
      ("2009-07-24T19:20:30.45+01:00", 1_248_459_630_450_000), ("2009-07-24T19:20:30.45+0100", 1_248_459_630_450_000),
      ("2024-02-29T12:00:00-05:30", 1_709_227_800_000_000), ("2000-03-01T00:00", 951_868_800_000_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
    ])
  func `a date is read to the microsecond with any offset`(_ text: String, _ expected: Int) {
    #expect(Timestamp.microseconds(text.utf8) == expected)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
  ]) func `a date of HTTP is read to the second`(_ text: String, _ expected: Int) {
    #expect(Timestamp.microseconds(http: text.utf8) == expected * 1_000_000)
  }

  @Test(arguments: [
    "", "10", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 00 Nov 1994 08:49:37 GMT",
  ]) func `any other text is not a date of HTTP`(_ text: String) {
    #expect(Timestamp.microseconds(http: text.utf8) == nil)
  }

  @Test(
    arguments: [
      "", "now", "2009-07-24", "2009-13-24T19:20:30Z", "2009-07-24T19:20:30+01:0", "2009-07-24T19:20:30Zulu",
      "2009-07-24T19:61:30Z", "+2009-07-24T19:20:30Z", "2009-07-24T19:20:30+99:00",
    ])
  func `any other text is not a date`(_ text: String) {
    #expect(Timestamp.microseconds(text.utf8) == nil)
  }
}

struct TimeOffsetTests {
  @Test(arguments: [
    ("-17y", "2026-11-29T15:40:12.500Z", "2009-11-29T15:40:12.500Z"),
    ("+1y", "2027-02-28T00:00:00.000Z", "2028-02-28T00:00:00.000Z"),
    ("-1y", "2028-02-29T00:00:00.000Z", "2027-03-01T00:00:00.000Z"),
    ("-100y", "2026-11-29T00:00:00.000Z", "1926-11-29T00:00:00.000Z"),
    ("-1d12h", "2026-11-29T12:00:00.000Z", "2026-11-28T00:00:00.000Z"),
    ("-0d", "2026-11-29T12:00:00.000Z", "2026-11-29T12:00:00.000Z"),
    ("17y", "2026-11-29T00:00:00.000Z", nil), ("-101y", "2026-11-29T00:00:00.000Z", nil),
    ("-y", "2026-11-29T00:00:00.000Z", nil), ("-1y2d", "2026-11-29T00:00:00.000Z", nil),
  ])
  func `an offset moves a time by years of the calendar or by units of fixed length`(
    offset: String, time: String, moved: String?
  ) throws {
    let start = try #require(Timestamp.microseconds(time.utf8))
    #expect(TimeOffset.moved(start, by: offset) == moved.flatMap { Timestamp.microseconds($0.utf8) })
  }
}
