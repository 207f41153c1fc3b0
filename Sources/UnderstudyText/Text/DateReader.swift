/// Reads the parts of a date from left to right.
struct DateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some Sequence<UInt8>) { bytes = Array(text.prefix(64)) }

  mutating func number(_ width: Int) -> Int? {
    guard position + width <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + width] {
      guard 48...57 ~= byte else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += width
    return value
  }

  /// Steps over one of some characters; returns whether one was next.
  mutating func take(_ wanted: Unicode.Scalar...) -> Bool {
    guard position < bytes.count, wanted.contains(Unicode.Scalar(bytes[position])) else { return false }
    position += 1
    return true
  }

  /// Steps over one of some texts; returns its position among them.
  mutating func take(oneOf texts: [String]) -> Int? {
    let rest = bytes[position...]
    guard let index = texts.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
    position += texts[index].utf8.count
    return index
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The microseconds after a point; finer digits are dropped.
  mutating func fraction() -> Int {
    guard take(".", ",") else { return 0 }
    var (value, unit) = (0, 100_000)
    while position < bytes.count, 48...57 ~= bytes[position] {
      value += Int(bytes[position] - 48) * unit
      unit /= 10
      position += 1
    }
    return value
  }

  /// Minutes east of UTC; `nil` for anything but an offset up to the end of the text.
  mutating func offset() -> Int? {
    if position == bytes.count { return 0 }
    if take("Z", "z") { return position == bytes.count ? 0 : nil }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2) else { return nil }
    _ = take(":")
    guard let minutes = number(2), position == bytes.count, hours < 24, minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
