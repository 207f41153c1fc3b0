/// `json-pointer` (RFC 6901), `relative-json-pointer`, and `uuid` (RFC 4122).
extension Format {
  static func isJSONPointer(_ text: Text) -> Bool {
    guard !text.isEmpty else { return true }
    guard text.first == UInt8(ascii: "/") else { return false }
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~"), rest.first != UInt8(ascii: "0"), rest.first != UInt8(ascii: "1") { return false }
    }
    return true
  }

  static func isRelativeJSONPointer(_ text: Text) -> Bool {
    guard var rest = afterNumber(text) else { return false }
    // Which element beside that one; in drafts of the format since 2019, and accepted for all dialects.
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      guard rest.dropFirst().first != 48, let behind = afterNumber(rest.dropFirst()) else { return false }
      rest = behind
    }
    return rest.elementsEqual("#".utf8) || isJSONPointer(rest)
  }

  /// The text behind a number without leading zeros.
  private static func afterNumber(_ text: Text) -> Text? {
    let digits = text.prefix { 48...57 ~= $0 }
    guard !digits.isEmpty, digits.count == 1 || digits.first != 48 else { return nil }
    return text.dropFirst(digits.count)
  }

  static func isUUID(_ text: Text) -> Bool {
    guard text.count == 36 else { return false }
    for (position, byte) in text.enumerated() {
      switch position {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default: guard PercentEncoding.hexValue(byte) != nil else { return false }
      }
    }
    return true
  }
}
