import UnderstudySystem

/// Recognizes generated text among words, names and numbers.
package enum Entropy {
  /// The documented bounds of `redact.entropy`.
  static let minimumLength = 30
  static let maximumLength = 512
  /// Bits a character.
  static let threshold = 3.7

  /// Whether an unnamed text looks generated. `bytes` is one run of letters, digits, `+`, `/`, `-`, `_` and padding.
  static func looksGenerated(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard minimumLength...maximumLength ~= bytes.count, !isHex(bytes), !isUUID(bytes) else { return false }
    let counts = Counts(bytes)
    guard counts.upper > 0, counts.lower > 0, counts.digits >= 2, counts.changes * 5 >= (bytes.count - 1) * 2 else {
      return false
    }
    return shannon(bytes) >= threshold
  }

  /// Whether the value of an ambiguously named field looks generated: a lower bound, since the name is a hint.
  package static func looksGenerated(weaklyNamed bytes: ArraySlice<UInt8>) -> Bool {
    guard 8...4096 ~= bytes.count, bytes.allSatisfy(isOpaque) else { return false }
    if isHex(bytes) { return bytes.count >= 32 }
    let counts = Counts(bytes)
    let kinds = [counts.upper, counts.lower, counts.digits].count { $0 > 0 }
    if bytes.last == UInt8(ascii: "="), bytes.count >= 16, bytes.count.isMultiple(of: 4), kinds >= 2 { return true }
    return bytes.count >= 16 && kinds >= 2 && counts.digits > 0 && counts.changes * 4 >= bytes.count - 1
      && shannon(bytes) >= 3
  }

  /// Whether the value of `?code=` looks like a grant, and not like `DE` or `404`.
  static func looksLikeGrant(_ bytes: ArraySlice<UInt8>) -> Bool {
    let counts = Counts(bytes)
    if bytes.count >= 8, counts.digits >= 6, counts.upper + counts.lower == 0 { return true }
    return bytes.count >= 6 && counts.digits > 0 && counts.upper + counts.lower > 0 || bytes.count >= 20
  }

  /// Bits a character of the distribution of bytes.
  static func shannon(_ bytes: ArraySlice<UInt8>) -> Double {
    guard !bytes.isEmpty else { return 0 }
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    let total = Double(bytes.count)
    return counts.reduce(0) { sum, count in
      guard count > 0 else { return sum }
      let share = Double(count) / total
      return sum - share * log2(share)
    }
  }

  static func isHex(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { PercentEncoding.hexValue($0) != nil }
  }

  /// RFC 9562, section 4.
  static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { position, byte in
      [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : PercentEncoding.hexValue(byte) != nil
    }
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool { 48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte }

  /// A byte of a key or token in any usual encoding.
  static func isOpaque(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/=".utf8.contains(byte) }

  struct Counts {
    private(set) var upper = 0
    private(set) var lower = 0
    private(set) var digits = 0
    private(set) var others = 0
    /// The neighbours that are of different kinds.
    private(set) var changes = 0

    init(_ bytes: ArraySlice<UInt8>) {
      var last = -1
      for byte in bytes {
        let kind: Int
        switch byte {
        case 65...90: (kind, upper) = (0, upper + 1)
        case 97...122: (kind, lower) = (1, lower + 1)
        case 48...57: (kind, digits) = (2, digits + 1)
        default: (kind, others) = (3, others + 1)
        }
        if last >= 0, kind != last { changes += 1 }
        last = kind
      }
    }
  }
}
