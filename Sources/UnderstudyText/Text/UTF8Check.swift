/// Checks whether bytes are UTF-8.
package enum UTF8Check {
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package static func firstProblem(in bytes: [UInt8]) -> TextProblem? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return TextProblem(.encoding, "the text is UTF-16; expected UTF-8", at: 0..<2, help: "save it as UTF-8")
    }
    guard let offset = bytes.withUnsafeBufferPointer(firstInvalid) else { return nil }
    let hex = String(bytes[offset], radix: 16, uppercase: true)
    return TextProblem(
      .encoding, "the byte 0x\(hex.count < 2 ? "0" : "")\(hex) is not valid UTF-8 here", at: offset..<offset + 1,
      help: "save the file as UTF-8")
  }

  package static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.withUnsafeBufferPointer(firstInvalid) == nil }

  /// The code point at an offset of well-formed text, in backticks.
  package static func quoted(at offset: Int, in bytes: some RandomAccessCollection<UInt8>) -> String {
    let range = character(at: offset, in: bytes)
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    return "`\(String(decoding: bytes[start...].prefix(range.count), as: UTF8.self))`"
  }

  /// The bytes of the code point that starts at an offset of well-formed text; empty at its end.
  package static func character(at offset: Int, in bytes: some RandomAccessCollection<UInt8>) -> Range<Int> {
    guard offset < bytes.count else { return bytes.count..<bytes.count }
    let start = bytes.index(bytes.startIndex, offsetBy: offset)
    // Continuation bytes (10xxxxxx) belong to the code point before them.
    return offset..<offset + 1 + bytes[start...].dropFirst().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
  }

  /// The offset of the first byte that does not start a well-formed sequence (Unicode, table 3-7).
  private static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset < bytes.count {
      if offset + 8 <= bytes.count,
        raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
        continue
      }
      let lead = bytes[offset]
      if lead < 0x80 {
        offset += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: length = 4
      default: return offset
      }
      guard offset + length <= bytes.count else { return offset }
      for position in 1..<max(length, 1) {
        let allowed = position == 1 ? second : 0x80...0xBF
        guard allowed ~= bytes[offset + position] else { return offset }
      }
      offset += length
    }
    return nil
  }
}
