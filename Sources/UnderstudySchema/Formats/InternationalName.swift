/// Host names with Unicode in them (IDNA 2008: RFC 5890 to 5893).
enum InternationalName {
  /// The full stops of all scripts (RFC 3490, section 3.1).
  private static let separators: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  /// Bytes of a name and of a label in their ASCII forms (RFC 1035, section 2.3.4).
  private static let longestName = 253
  private static let longestLabel = 63

  static func isHostname(_ text: Format.Text) -> Bool {
    // A label's ASCII form is no shorter than itself, and a scalar has four bytes at most.
    guard text.count <= longestName * 4 else { return false }
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var total = -1
    var labels: [[Unicode.Scalar]] = []
    for part in scalars.split(omittingEmptySubsequences: false, whereSeparator: separators.contains) {
      let label = Array(part)
      guard let (unicode, length) = decoded(label) else { return false }
      total += length + 1
      labels.append(unicode)
    }
    guard total <= longestName else { return false }
    let isBidirectional = labels.contains { $0.contains { BidiClass($0).isRightToLeft } }
    return !isBidirectional || labels.allSatisfy(BidiClass.isValid)
  }

  /// Whether an ASCII label is either not encoded or encoded correctly.
  static func isValidIfEncoded(_ label: Format.Text) -> Bool {
    guard hasPrefix(Array(label)) else { return true }
    guard let (unicode, _) = decoded(label.map { Unicode.Scalar($0) }) else { return false }
    return !unicode.contains { BidiClass($0).isRightToLeft } || BidiClass.isValid(unicode)
  }

  /// The Unicode form of a label and the length of its ASCII form; `nil` for an invalid label.
  private static func decoded(_ label: [Unicode.Scalar]) -> ([Unicode.Scalar], Int)? {
    guard label.count <= longestLabel else { return nil }
    guard label.allSatisfy(\.isASCII) else {
      guard isValid(label), let encoded = Punycode.encode(label), encoded.count + 4 <= longestLabel else { return nil }
      return (label, encoded.count + 4)
    }
    let bytes = label.map { UInt8(truncatingIfNeeded: $0.value) }
    guard bytes.withUnsafeBufferPointer({ HostSyntax.isLabel($0[...]) }) else { return nil }
    guard hasPrefix(bytes) else { return (label, label.count) }
    let rest = bytes.dropFirst(4).map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
    guard let unicode = Punycode.decode(rest), unicode.contains(where: { !$0.isASCII }), isValid(unicode),
      Punycode.encode(unicode) == rest
    else { return nil }
    return (unicode, label.count)
  }

  private static func hasPrefix(_ label: [UInt8]) -> Bool {
    label.prefix(4).map { 65...90 ~= $0 ? $0 | 0x20 : $0 } == Array("xn--".utf8)
  }

  /// A label with Unicode in it (RFC 5891, section 4.2).
  private static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    guard let first = label.first, first != "-", label.last != "-" else { return false }
    if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
    switch first.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: break
    }
    let hasArabicDigits = label.contains { 0x660...0x669 ~= $0.value }
    let hasExtendedDigits = label.contains { 0x6F0...0x6F9 ~= $0.value }
    guard !(hasArabicDigits && hasExtendedDigits) else { return false }
    return label.indices.allSatisfy { isAllowed(label, at: $0) }
  }

  /// RFC 5892: checks a code point and its neighbours.
  private static func isAllowed(_ label: [Unicode.Scalar], at position: Int) -> Bool {
    let before = position > 0 ? label[position - 1] : nil
    let after = position + 1 < label.count ? label[position + 1] : nil
    switch label[position].value {
    case 0xB7: return before == "l" && after == "l"
    case 0x375: return after.map(Script.isGreek) ?? false
    case 0x5F3, 0x5F4: return before.map(Script.isHebrew) ?? false
    case 0x30FB: return label.contains(where: Script.isJapanese)
    case 0x200C: return before?.properties.canonicalCombiningClass == .virama || joins(label, at: position)
    case 0x200D: return before?.properties.canonicalCombiningClass == .virama
    default: return isAllowed(label[position])
    }
  }

  /// Whether a zero-width non-joiner separates two letters that would otherwise join (RFC 5892, appendix A.1).
  private static func joins(_ label: [Unicode.Scalar], at position: Int) -> Bool {
    func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .nonspacingMark }
    guard let left = label[..<position].last(where: { !isMark($0) }),
      let right = label[(position + 1)...].first(where: { !isMark($0) })
    else { return false }
    return Script.joinsToTheLeft(left) && Script.isCursive(right)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0x2D, 0x30...0x39, 0x61...0x7A: return true
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
    // Old Hangul, and the blocks of marks for symbols.
    case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF, 0x20D0...0x20FF, 0x1D100...0x1D24F: return false
    default: break
    }
    let properties = scalar.properties
    if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint || properties.isWhitespace {
      return false
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
      .spacingMark:
      return true
    default: return false
    }
  }
}
