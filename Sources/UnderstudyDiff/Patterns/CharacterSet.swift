/// A set of Unicode scalars, as sorted ranges of their numbers.
struct CharacterSet: Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]

  init(_ ranges: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  static let all: [ClosedRange<UInt32>] = [0...0xD7FF, 0xE000...0x10FFFF]
  static let digits = CharacterSet([0x30...0x39])
  static let word = CharacterSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// White space and line ends (ECMA-262, 22.2.2.9).
  static let space = CharacterSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  static let dot = CharacterSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted

  var inverted: CharacterSet {
    var result: [ClosedRange<UInt32>] = []
    for whole in Self.all {
      var next = whole.lowerBound
      for range in ranges where range.upperBound >= whole.lowerBound && range.lowerBound <= whole.upperBound {
        if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
        next = max(next, range.upperBound + 1)
      }
      if next <= whole.upperBound { result.append(next...whole.upperBound) }
    }
    return CharacterSet(result)
  }

  func contains(_ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }

  var only: UInt32? { ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil }
}
