/// The direction of a character in a host name (RFC 5893).
///
/// The standard library has no bidirectional classes; Unicode blocks determine those of the characters in a label.
enum BidiClass {
  case left, right, europeanDigit, arabicDigit, mark, neutral

  init(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: self = .mark
    default:
      switch scalar.value {
      case 0x30...0x39, 0x6F0...0x6F9: self = .europeanDigit
      case 0x660...0x669: self = .arabicDigit
      case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: self = .right
      case 0x2D, 0xB7, 0x375, 0x30FB, 0x200C, 0x200D: self = .neutral
      default: self = .left
      }
    }
  }

  var isRightToLeft: Bool { self == .right || self == .arabicDigit }

  /// The six conditions of section 2.
  static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    let classes = label.map(BidiClass.init)
    guard let first = classes.first, let last = classes.last(where: { $0 != .mark }) else { return false }
    switch first {
    case .right:
      return !classes.contains(.left) && last != .neutral
        && !(classes.contains(.europeanDigit) && classes.contains(.arabicDigit))
    case .left: return !classes.contains(where: \.isRightToLeft) && (last == .left || last == .europeanDigit)
    default: return false
    }
  }
}
