/// A set of Unicode scalars, as ranges of their numbers.
struct ScalarSet: Sendable, Equatable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  init() {}

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

  init(_ scalars: ClosedRange<Unicode.Scalar>...) {
    ranges = scalars.map { $0.lowerBound.value...$0.upperBound.value }
  }

  static let digits = ScalarSet("0"..."9")
  static let word = ScalarSet("a"..."z", "A"..."Z", "0"..."9", "_"..."_")
  static let space = ScalarSet([0x20...0x20, 0x09...0x0D, 0xA0...0xA0, 0x2028...0x2029, 0xFEFF...0xFEFF])
  static let dot = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted

  mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  mutating func formUnion(_ other: ScalarSet) { ranges += other.ranges }

  var onlyMember: UInt32? {
    guard ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
    return range.lowerBound
  }

  /// All other scalars, without surrogates.
  var inverted: ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in (ranges + [0xD800...0xDFFF]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return ScalarSet(result)
  }

  func intersection(_ other: ScalarSet) -> ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    for a in ranges {
      for b in other.ranges where a.overlaps(b) { result.append(a.clamped(to: b)) }
    }
    return ScalarSet(result)
  }

  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Some members of a Unicode property for samples; letters for an unknown name.
  static func category(_ name: String) -> ScalarSet {
    let value = name.split(separator: "=").last.map(String.init) ?? name
    return switch value {
    case "Lu", "Uppercase_Letter", "Uppercase", "Lu&": ScalarSet("A"..."Z")
    case "Ll", "Lowercase_Letter", "Lowercase": ScalarSet("a"..."z")
    case "N", "Nd", "Number", "Decimal_Number", "digit": ScalarSet("0"..."9")
    case "P", "Punctuation", "punct", "Po": ScalarSet("!"..."#", ","..."/")
    case "Pd", "Dash_Punctuation": ScalarSet("-"..."-")
    case "S", "Symbol", "Sm", "Math_Symbol": ScalarSet("+"..."+", "<"...">")
    case "Sc", "Currency_Symbol": ScalarSet("$"..."$", "\u{20AC}"..."\u{20AC}")
    case "Z", "Zs", "Separator", "Space_Separator": ScalarSet(" "..." ")
    case "C", "Cc", "Control": ScalarSet([0...0x1F, 0x7F...0x9F])
    case "M", "Mn", "Mark": ScalarSet([0x300...0x36F])
    case "Greek": ScalarSet([0x3B1...0x3C1])
    case "Cyrillic": ScalarSet([0x430...0x44F])
    case "Han": ScalarSet([0x4E00...0x4E20])
    case "Hiragana": ScalarSet([0x3041...0x3096])
    case "Katakana": ScalarSet([0x30A1...0x30FA])
    case "Any", "ASCII": ScalarSet([0...0x7F])
    default: ScalarSet("a"..."z", "A"..."Z")
    }
  }
}
