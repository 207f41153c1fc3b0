/// The form of a time in a template: a name, or a pattern with the conversions of `strftime`, always in UTC.
struct TimeFormat: Sendable {
  private let pieces: [Piece]

  private enum Piece: Sendable {
    case text(String)
    case conversion(Conversion)
  }

  /// Those of POSIX; `%L` and `%Q` are Ruby's milliseconds of the second and since 1970.
  private enum Conversion: Character, CaseIterable, Sendable {
    case year = "Y"
    case shortYear = "y"
    case month = "m"
    case day = "d"
    case hour = "H"
    case minute = "M"
    case second = "S"
    case millisecond = "L"
    case weekday = "a"
    case monthName = "b"
    case epoch = "s"
    case epochMilliseconds = "Q"
    case percent = "%"
  }

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
  static let conversions = Conversion.allCases.map { "%\($0.rawValue)" }.joined(separator: " ")

  /// RFC 3339 with milliseconds.
  static let dateTime = TimeFormat(named: "date-time")
  static let epoch = TimeFormat(named: "epoch")

  private init(named name: String) { pieces = TimeFormat(name)?.pieces ?? [] }

  /// `nil` for an unknown name, or a pattern without a conversion or with an unknown one.
  init?(_ text: String) {
    let pattern = Self.named.first { $0.key.utf8Equals(text) }?.value ?? text
    guard pattern.utf8.contains(UInt8(ascii: "%")) else { return nil }
    var pieces: [Piece] = []
    var scalars = pattern.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "%" {
        guard let next = scalars.popFirst(), let conversion = Conversion(rawValue: Character(next)) else { return nil }
        pieces.append(.conversion(conversion))
      } else {
        pieces.append(.text(String(scalar)))
      }
    }
    self.pieces = pieces
  }

  /// - Parameter time: Microseconds since 1970.
  func text(_ time: Int) -> String {
    let moment = Moment(time)
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .conversion(let conversion): Self.text(conversion, moment)
      }
    }.joined()
  }

  private static func text(_ conversion: Conversion, _ moment: Moment) -> String {
    switch conversion {
    case .year: moment.field(0..<4)
    case .shortYear: moment.field(2..<4)
    case .month: moment.field(5..<7)
    case .day: moment.field(8..<10)
    case .hour: moment.field(11..<13)
    case .minute: moment.field(14..<16)
    case .second: moment.field(17..<19)
    case .millisecond: moment.field(20..<23)
    case .weekday: ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][moment.weekday]
    case .monthName: moment.monthName
    case .epoch: String(moment.seconds)
    case .epochMilliseconds: String(moment.seconds * 1000 + moment.milliseconds)
    case .percent: "%"
    }
  }

  /// The fields of a time, read from its RFC 3339 text.
  private struct Moment {
    let seconds: Int
    let milliseconds: Int
    private let text: [UInt8]

    init(_ time: Int) {
      let (quotient, remainder) = time.quotientAndRemainder(dividingBy: 1_000_000)
      // Times before 1970 round down as well.
      seconds = remainder < 0 ? quotient - 1 : quotient
      milliseconds = (remainder < 0 ? remainder + 1_000_000 : remainder) / 1000
      text = Array(Timestamp.text(seconds: seconds, milliseconds: milliseconds).utf8)
    }

    func field(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    /// Days since a Thursday, modulo 7.
    var weekday: Int {
      let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
      return (days % 7 + 7) % 7
    }

    var monthName: String {
      let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      return Int(field(5..<7)).map { names[$0 - 1] } ?? ""
    }
  }
}
