import Testing
import UnderstudyMock

struct ScenarioDurationTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500), "500ms"), ("1.5s", .milliseconds(1500), "1500ms"),
    ("90s", .seconds(90), "90s"), ("90m", .seconds(5400), "90m"), ("60m", .seconds(3600), "1h"),
    ("36h", .seconds(129_600), "36h"), ("2d", .seconds(172_800), "2d"),
  ]) func `a time has a unit, and may be longer than a delay`(text: String, duration: Duration, written: String) {
    #expect(ScenarioDuration.read(text) == duration)
    #expect(ScenarioDuration.text(duration) == written)
  }

  @Test(arguments: ["", "0s", "-1h", "1w", "h", "401d", "99999999999999999999h", "1 h", "soon", "250", "5"])
  func `other texts are not times`(text: String) {
    #expect(ScenarioDuration.read(text) == nil)
  }

  @Test(arguments: [
    ("401d", true), ("400d", false), ("200000h", true), ("9600h", false), ("99999999999999999999ms", true),
    ("1w", false),
    ("h", false), ("soon", false), ("", false),
  ]) func `a time of more than 400 days is too long, other texts are not`(text: String, isTooLong: Bool) {
    #expect(ScenarioDuration.isTooLong(text) == isTooLong)
  }
}
