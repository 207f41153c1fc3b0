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
    let digits = text.prefix { 48...57 ~= $0 }
    guard !digits.isEmpty, digits.count == 1 || digits.first != 48 else { return false }
    let rest = text.dropFirst(digits.count)
    return rest.elementsEqual("#".utf8) || isJSONPointer(rest)
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
