/// A set of Unicode scalars, as ranges of their numbers.
struct ScalarSet: Sendable, Equatable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  init() {}

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  private init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

  private init(_ scalars: ClosedRange<Unicode.Scalar>...) {
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

  /// Everything else, surrogates left out: they are no scalars.
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

  private var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The member at a position, counted round and round.
  private func member(_ position: Int) -> Unicode.Scalar? {
    guard count > 0 else { return nil }
    var left = position % count
    for range in ranges {
      if left < range.count { return Unicode.Scalar(range.lowerBound + UInt32(left)) }
      left -= range.count
    }
    return nil
  }

  /// A member that is easy to read, if there is one: letters and digits of ASCII first, then its signs, then Latin.
  func readable(_ position: Int) -> Unicode.Scalar? {
    for kind in Self.readableFirst {
      let common = ScalarSet(kind.flatMap { intersection($0).ranges })
      if let scalar = common.member(position) { return scalar }
    }
    return member(position)
  }

  /// A member of the whole set, signs and foreign letters too; controls only where there is nothing else.
  func any(_ position: Int) -> Unicode.Scalar? {
    let visible = intersection(Self.visible)
    // What excludes a few allows everything else; that is not meant to be seen.
    if visible.count > 5_000 { return intersection(Self.ascii).member(position) ?? readable(position) }
    return visible.member(position) ?? readable(position)
  }

  private static let ascii = ScalarSet("!"..."~")
  private static let visible = ScalarSet([0x20...0x7E, 0xA1...0xAC, 0xAE...0xD7FF, 0xF900...0xFDCF, 0x1F300...0x1FAFF])

  private static let readableFirst = [
    [ScalarSet("a"..."z"), ScalarSet("A"..."Z"), ScalarSet("1"..."9"), ScalarSet("0"..."0")],
    [ScalarSet("!"..."~")], [ScalarSet(" "..." ")], [ScalarSet("\u{A1}"..."\u{FF}")],
  ]

  /// A part of what `\p{...}` names, enough to write strings with; an unknown name counts as letters.
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
