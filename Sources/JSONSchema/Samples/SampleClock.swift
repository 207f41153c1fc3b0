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
    let isAhead = NameHints.words(of: name).contains(where: Self.future.contains)
    let moved = today + (isAhead ? day : -day)
    let date = Timestamp.text(seconds: moved * 86_400, milliseconds: 0).utf8.prefix(10)
    return String(decoding: Array(date) + bytes[10...], as: UTF8.self)
  }
}
