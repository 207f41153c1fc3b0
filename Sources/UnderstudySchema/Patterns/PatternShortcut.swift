/// A simple pattern that comparing bytes decides: `^x-`, `^abc$`, `^[a-z0-9_]+$`.
///
/// Large contracts have such patterns on many members, and calling the regular expression engine costs more than the
/// rest of the validation of a member.
struct PatternShortcut {
  enum Form {
    case prefix([UInt8])
    case whole([UInt8])
    /// A number of these ASCII characters.
    case run(Set<UInt8>, ClosedRange<Int>)
  }

  let form: Form

  /// `nil` for other patterns.
  init?(_ pattern: String) {
    var rest = Array(pattern.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "^") else { return nil }
    if rest.first == UInt8(ascii: "[") {
      rest.removeFirst()
      guard let set = Self.set(&rest), let lengths = Self.lengths(&rest), rest.elementsEqual("$".utf8) else {
        return nil
      }
      form = .run(set, lengths)
      return
    }
    var text: [UInt8] = []
    while let byte = rest.first, byte != UInt8(ascii: "$") {
      guard let literal = Self.literal(&rest) else { return nil }
      text.append(literal)
    }
    // A quantifier is not a literal.
    if rest.isEmpty {
      form = .prefix(text)
    } else {
      guard rest.count == 1 else { return nil }
      form = .whole(text)
    }
  }

  /// One literal character, escaped or not.
  private static func literal(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    if byte == UInt8(ascii: "\\") {
      guard let escaped = rest.popFirst(), isPunctuation(escaped) else { return nil }
      return escaped
    }
    return Format.isAlphanumeric(byte) || "-_/:@#, ".utf8.contains(byte) ? byte : nil
  }

  private static func set(_ rest: inout ArraySlice<UInt8>) -> Set<UInt8>? {
    var set: Set<UInt8> = []
    while let byte = rest.first, byte != UInt8(ascii: "]") {
      if byte == UInt8(ascii: "\\"), let name = rest.dropFirst().first, let known = named(name) {
        rest.removeFirst(2)
        set.formUnion(known)
        // `\w-x` is not a range.
        if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") { return nil }
        continue
      }
      guard let low = member(&rest) else { return nil }
      if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") {
        rest.removeFirst()
        guard let high = member(&rest), low <= high else { return nil }
        set.formUnion(low...high)
      } else {
        set.insert(low)
      }
    }
    return rest.popFirst() == nil || set.isEmpty ? nil : set
  }

  private static func member(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let byte = rest.popFirst(), 0x20..<0x7F ~= byte else { return nil }
    if byte == UInt8(ascii: "\\") {
      guard let escaped = rest.popFirst(), isPunctuation(escaped) else { return nil }
      return escaped
    }
    return byte == UInt8(ascii: "^") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") ? nil : byte
  }

  private static func named(_ name: UInt8) -> Set<UInt8>? {
    switch name {
    case UInt8(ascii: "d"): Set(48...57)
    case UInt8(ascii: "w"): Set((0..<128).filter { Format.isAlphanumeric($0) || $0 == UInt8(ascii: "_") })
    default: nil
    }
  }

  private static func lengths(_ rest: inout ArraySlice<UInt8>) -> ClosedRange<Int>? {
    switch rest.first {
    case UInt8(ascii: "+"):
      rest.removeFirst()
      return 1...Int.max
    case UInt8(ascii: "*"):
      rest.removeFirst()
      return 0...Int.max
    case UInt8(ascii: "{"):
      guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
      let parts = rest[(rest.startIndex + 1)..<end].split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      rest = rest[(end + 1)...]
      guard parts.count <= 2, let low = parts.first.flatMap(number) else { return nil }
      guard parts.count == 2 else { return low...low }
      if parts[1].isEmpty { return low...Int.max }
      guard let high = number(parts[1]), high >= low else { return nil }
      return low...high
    default: return 1...1
    }
  }

  /// A number of digits only: braces with a sign are not a quantifier.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool { 0x21..<0x7F ~= byte && !Format.isAlphanumeric(byte) }
}
