/// The tags of a template for times near an exchange, which keep their distance from it, and so from each other.
struct ClockTags {
  /// The time of the exchange, in microseconds since 1970.
  let time: Int

  /// Times further from the exchange than this are data, such as a birthday.
  static let window = 31 * day
  private static let day = 86_400 * 1_000_000

  /// The tag for a date, or for a date with a time (RFC 3339) and up to nine digits of a fraction. A time without an offset
  /// is one of the server's zone.
  func tag(for text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.count == 10 { return date(bytes) }
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      let moment = Timestamp.microseconds(bytes), abs(moment - time) <= Self.window
    else { return nil }
    let rest = bytes[19...]
    let hasFraction = rest.first == UInt8(ascii: ".")
    let digits = hasFraction ? rest.dropFirst().prefix { 48...57 ~= $0 } : []
    let zone = String(decoding: hasFraction ? rest.dropFirst(1 + digits.count) : rest, as: UTF8.self)
    guard digits.isEmpty ? !hasFraction : 3...9 ~= digits.count,
      zone.isEmpty || zone == "Z" || zone.wholeMatch(of: /[+-]\d\d:?\d\d/) != nil,
      let local = Timestamp.microseconds(bytes.dropLast(zone.utf8.count))
    else { return nil }
    let move = offset(local, milliseconds: hasFraction)
    if zone == "Z", digits.count == 3, bytes[10] == UInt8(ascii: "T") { return "{{now\(move)}}" }
    let fraction = hasFraction ? ".%L" + String(repeating: "0", count: digits.count - 3) : ""
    let separator = Unicode.Scalar(bytes[10])
    return "{{now\(move) format='%Y-%m-%d\(separator)%H:%M:%S\(fraction)\(zone)'}}"
  }

  private func date(_ bytes: [UInt8]) -> String? {
    guard let moment = Timestamp.microseconds(bytes + Array("T00:00:00Z".utf8)) else { return nil }
    let days = moment / Self.day - time / Self.day
    guard abs(days) * Self.day <= Self.window else { return nil }
    return days == 0 ? "{{now format=date}}" : "{{now \(days < 0 ? "-" : "+")\(abs(days))d format=date}}"
  }

  /// The tag for seconds or milliseconds since 1970.
  func tag(forNumber text: String) -> String? {
    guard VolatileText.isEpoch(text), let number = Int(text) else { return nil }
    let isMilliseconds = text.utf8.count == 13
    let moment = number * (isMilliseconds ? 1000 : 1_000_000)
    guard abs(moment - time) <= Self.window else { return nil }
    return "{{now\(offset(moment, milliseconds: isMilliseconds)) format=\(isMilliseconds ? "epoch-ms" : "epoch")}}"
  }

  /// ` -1d2h`, relative to the exchange.
  private func offset(_ moment: Int, milliseconds: Bool) -> String {
    let difference = moment - time
    let unit = milliseconds ? 1000 : 1_000_000
    var rest = Int((Double(abs(difference)) / Double(unit)).rounded()) * (milliseconds ? 1 : 1000)
    guard rest > 0 else { return "" }
    var text = difference < 0 ? " -" : " +"
    for (name, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] where rest >= size
    {
      text += "\(rest / size)\(name)"
      rest %= size
    }
    return text
  }
}
