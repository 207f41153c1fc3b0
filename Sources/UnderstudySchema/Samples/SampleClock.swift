/// The day around which sampled dates lie: servers compare dates with their own clock.
package struct SampleClock: Sendable {
  /// Days since 1970.
  private let today: Int

  /// - Parameter today: Days since 1970.
  package init(today: Int) { self.today = today }

  /// The names of dates that lie ahead: `endsAt`, `expires`, `valid_until`.
  private static let future: Set<String> = [
    "end", "ends", "expire", "expires", "expiry", "expiration", "until", "due", "deadline", "next", "renews",
  ]

  /// A sampled date, alone or with a time, moved to one of the four weeks before today, or behind it if the name asks for
  /// the future; any other text stays as it is.
  func moved(_ text: String, name: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[0] == UInt8(ascii: "2"), let day = Int(String(decoding: bytes[8..<10], as: UTF8.self)), 1...28 ~= day,
      bytes.count == 10 || bytes[10] == UInt8(ascii: "T")
    else { return text }
    let moved = self.day(day, isAhead: NameHints.words(of: name).contains(where: Self.future.contains))
    let date = Timestamp.text(seconds: moved * 86_400, milliseconds: 0).utf8.prefix(10)
    return String(decoding: Array(date) + bytes[10...], as: UTF8.self)
  }

  /// The last words of names of moments: `created_at`, `startTime`.
  private static let moments: Set<String> = [
    "at", "time", "timestamp", "date", "datetime", "epoch", "expires", "expiry", "expiration", "until", "deadline",
  ]
  private static let milliseconds: Set<String> = ["ms", "millis", "milliseconds"]

  /// A moment as a number, in seconds since 1970 unless the name asks for milliseconds: in one of the four weeks before
  /// today, or behind it if the name asks for the future. `nil` for the name of anything else.
  ///
  /// - Parameter day: From 1, at most 28.
  func moment(name: String, day: Int) -> Int? {
    var words = NameHints.words(of: name)
    let isMilliseconds = words.last.map(Self.milliseconds.contains) ?? false
    if isMilliseconds { words.removeLast() }
    guard let last = words.last, Self.moments.contains(last) else { return nil }
    let moved = self.day(day, isAhead: words.contains(where: Self.future.contains))
    return moved * 86_400 * (isMilliseconds ? 1_000 : 1)
  }

  /// In days since 1970.
  private func day(_ day: Int, isAhead: Bool) -> Int { today + (isAhead ? day : -day) }
}
