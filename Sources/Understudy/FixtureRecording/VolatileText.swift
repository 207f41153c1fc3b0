/// Texts that differ in every run: ids, times, hashes.
enum VolatileText {
  /// Whether a value of a request cannot decide which answer it gets.
  static func isValue(_ text: String) -> Bool {
    isUUID(text) || isTime(text) || isHash(text)
  }

  /// Whether the name of a member is data, so that its object is a map.
  static func isKey(_ name: String) -> Bool {
    isUUID(name) || isHash(name) || !name.isEmpty && name.utf8.allSatisfy { 48...57 ~= $0 }
  }

  /// 8-4-4-4-12 hexadecimal digits (RFC 9562, 4).
  static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
      }
  }

  /// A date with a time (RFC 3339), or seconds or milliseconds since 1970 of this century.
  static func isTime(_ text: String) -> Bool { isEpoch(text) || Timestamp.microseconds(text.utf8) != nil }

  static func isEpoch(_ text: String) -> Bool {
    (text.utf8.count == 10 || text.utf8.count == 13) && text.utf8.allSatisfy { 48...57 ~= $0 }
      && text.utf8.first == UInt8(ascii: "1")
  }

  /// At least 16 hexadecimal digits, some of them digits: a hash, a trace id, an object id.
  static func isHash(_ text: String) -> Bool {
    text.utf8.count >= 16 && text.utf8.allSatisfy(isHexadecimal) && text.utf8.contains { 48...57 ~= $0 }
      && !text.utf8.allSatisfy { 48...57 ~= $0 }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
    default: false
    }
  }
}
