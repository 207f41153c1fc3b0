/// The form of a time in a template, always in UTC: a name, a pattern as in `strftime` (`%d.%m.%Y`), or one of letters as in
/// Java and Unicode (`dd.MM.yyyy`).
struct TimeFormat: Sendable {
  private let pieces: [Piece]

  private enum Piece: Sendable {
    case text(String)
    case field(Field)
  }

  enum Field: Sendable {
    case year, shortYear, month, plainMonth, monthName, fullMonthName, day, plainDay, weekday, fullWeekday
    case hour, plainHour, halfHour, plainHalfHour, half, minute, second, millisecond, epoch, epochMilliseconds, offset
    case zone, percent
  }

  /// The conversions of POSIX, and Ruby's `%L` and `%Q`: milliseconds of the second and since 1970.
  private static let conversions: KeyValuePairs<String, Field> = [
    "Y": .year, "y": .shortYear, "m": .month, "d": .day, "H": .hour, "M": .minute, "S": .second, "L": .millisecond,
    "a": .weekday, "b": .monthName, "s": .epoch, "Q": .epochMilliseconds, "%": .percent,
  ]

  /// The fields of Java and of Unicode Technical Standard 35, part 4.
  private static let letters: [String: Field] = [
    "yyyy": .year, "yy": .shortYear, "y": .year, "MM": .month, "M": .plainMonth, "MMM": .monthName,
    "MMMM": .fullMonthName, "dd": .day, "d": .plainDay, "EEE": .weekday, "EEEE": .fullWeekday, "HH": .hour,
    "H": .plainHour, "hh": .halfHour, "h": .plainHalfHour, "a": .half, "mm": .minute, "ss": .second,
    "SSS": .millisecond, "X": .zone, "XXX": .zone, "Z": .offset,
  ]

  private static let named: KeyValuePairs = [
    "date-time": "%Y-%m-%dT%H:%M:%S.%LZ",
    "date": "%Y-%m-%d",
    "time": "%H:%M:%S",
    // IMF-fixdate (RFC 9110, section 5.6.7).
    "http": "%a, %d %b %Y %H:%M:%S GMT",
    "epoch": "%s",
    "epoch-ms": "%Q",
  ]

  static let names = named.map(\.key)
  static let conversionList = conversions.map { "%\($0.key)" }.joined(separator: " ")

  /// RFC 3339 with milliseconds.
  static let dateTime = TimeFormat(named: "date-time")
  static let epoch = TimeFormat(named: "epoch")

  /// The times that can be written, in microseconds since 1970: the years 0 to 9999.
  static let years = -62_167_219_200_000_000..<253_402_300_800_000_000

  private init(named name: String) { pieces = TimeFormat(name)?.pieces ?? [] }

  /// `nil` for an unknown name, or a pattern without a field or with an unknown one.
  init?(_ text: String) {
    let pattern = Self.named.first { $0.key.utf8Equals(text) }?.value ?? text
    guard let pieces = pattern.utf8.contains(UInt8(ascii: "%")) ? Self.conversions(pattern) : Self.letters(pattern)
    else { return nil }
    self.pieces = pieces
  }

  private static func conversions(_ pattern: String) -> [Piece]? {
    var pieces: [Piece] = []
    var scalars = pattern.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%" else {
        pieces.append(.text(String(scalar)))
        continue
      }
      guard let next = scalars.popFirst(), let field = conversions.first(where: { $0.key.utf8Equals(String(next)) })
      else { return nil }
      pieces.append(.field(field.value))
    }
    return pieces
  }

  /// Letters are fields, and text between apostrophes stands for itself.
  private static func letters(_ pattern: String) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = pattern.unicodeScalars[...]
    while let first = rest.first {
      if first == "'" {
        let text = rest.dropFirst().prefix { $0 != "'" }
        guard text.endIndex < rest.endIndex else { return nil }
        pieces.append(.text(text.isEmpty ? "'" : String(text)))
        rest = rest[text.endIndex...].dropFirst()
      } else if first.properties.isAlphabetic {
        let run = rest.prefix { $0 == first }
        guard let field = letters[String(run)] else { return nil }
        pieces.append(.field(field))
        rest = rest[run.endIndex...]
      } else {
        pieces.append(.text(String(first)))
        rest = rest.dropFirst()
      }
    }
    let hasField = pieces.contains { if case .field = $0 { true } else { false } }
    return hasField ? pieces : nil
  }

  /// - Parameter time: Microseconds since 1970.
  func text(_ time: Int) -> String {
    let moment = Moment(time)
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field): moment.text(field)
      }
    }.joined()
  }

  /// Reads a time of the form, in microseconds since 1970; `nil` for any other string.
  func time(of text: String) -> Int? {
    var reader = TimeReader(text)
    for piece in pieces {
      switch piece {
      case .text(let text): guard reader.take(text) else { return nil }
      case .field(let field): guard reader.take(field) else { return nil }
      }
    }
    return reader.time
  }

  /// Reads a time: RFC 3339, a date, a date of an HTTP field, seconds or milliseconds since 1970.
  static func time(_ text: String) -> Int? {
    if let number = Int(text) {
      // More than eleven digits are milliseconds, which for seconds would be a year after 5000.
      let (time, isOver) = number.multipliedReportingOverflow(
        by: number.magnitude < 100_000_000_000 ? 1_000_000 : 1_000)
      return !isOver && years.contains(time) ? time : nil
    }
    return Timestamp.microseconds(text.utf8) ?? Timestamp.microseconds((text + "T00:00:00Z").utf8)
      ?? Timestamp.microseconds(http: text.utf8)
  }
}
