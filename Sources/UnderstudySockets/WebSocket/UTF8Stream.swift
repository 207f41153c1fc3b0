/// Validates UTF-8 that arrives in fragments (Unicode, table 3-7), which may end within a code point.
struct UTF8Stream: Sendable {
  /// The continuation bytes that a code point still needs.
  private var missing = 0
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  var isComplete: Bool { missing == 0 }

  mutating func accepts(_ bytes: [UInt8]) -> Bool {
    for byte in bytes {
      if missing > 0 {
        guard range.contains(byte) else { return false }
        missing -= 1
        range = 0x80...0xBF
      } else if byte >= 0x80 {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, range) = (2, 0xA0...0xBF)
        case 0xED: (missing, range) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, range) = (3, 0x90...0xBF)
        case 0xF4: (missing, range) = (3, 0x80...0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
      }
    }
    return true
  }
}
