/// Searches for the shortest string that some regular expressions match and another does not.
struct ProductSearch {
  private let given: [RegularExpression]
  private let accepted: RegularExpression
  /// The maximum number of combined states.
  private static let limit = 4_000
  /// The maximum number of states that the combined states may hold together.
  private static let maximumWork = 400_000
  /// The maximum number of classes of scalars.
  private static let maximumAlphabet = 2_000

  enum Result {
    case included
    case excluded(String)
    case unknown
  }

  private struct Combined: Hashable {
    var given: [Set<Int>?]
    var accepted: Set<Int>?
  }

  init(_ given: [RegularExpression], _ accepted: RegularExpression) {
    self.given = given
    self.accepted = accepted
  }

  func result() -> Result {
    let alphabet = representatives
    guard alphabet.count <= Self.maximumAlphabet else { return .unknown }
    let first = Combined(given: given.map(\.initial), accepted: accepted.initial)
    var queue = [first]
    var origins: [(parent: Int, scalar: UInt32)] = [(-1, 0)]
    var seen: Set<Combined> = [first]
    var position = 0
    var work = 0
    while position < queue.count {
      let current = queue[position]
      if zip(given, current.given).allSatisfy({ $0.accepts($1) }), !accepted.accepts(current.accepted) {
        return .excluded(text(to: position, origins))
      }
      // Nothing that follows is refused.
      if current.accepted != nil {
        for scalar in alphabet {
          let next = Combined(
            given: zip(given, current.given).map { $0.after($1, scalar) },
            accepted: accepted.after(current.accepted, scalar))
          work += next.given.reduce(next.accepted?.count ?? 1) { $0 + ($1?.count ?? 1) }
          guard work <= Self.maximumWork else { return .unknown }
          guard seen.insert(next).inserted else { continue }
          guard queue.count < Self.limit else { return .unknown }
          queue.append(next)
          origins.append((position, scalar))
        }
      }
      position += 1
    }
    return .included
  }

  private func text(to position: Int, _ origins: [(parent: Int, scalar: UInt32)]) -> String {
    var scalars: [Unicode.Scalar] = []
    var current = position
    while current > 0 {
      if let scalar = Unicode.Scalar(origins[current].scalar) { scalars.append(scalar) }
      current = origins[current].parent
    }
    return String(String.UnicodeScalarView(scalars.reversed()))
  }

  /// One scalar of each class of scalars that no set tells apart, letters and digits first.
  private var representatives: [UInt32] {
    var starts: Set<UInt32> = [0, 0xE000]
    for set in (given + [accepted]).flatMap(\.sets) {
      for range in set.ranges {
        starts.insert(range.lowerBound)
        if range.upperBound < 0x10FFFF { starts.insert(range.upperBound + 1) }
      }
    }
    let bounds = starts.filter { !(0xD800..<0xE000 ~= $0) }.sorted()
    return bounds.enumerated().map { index, start in
      let end = index + 1 < bounds.count ? bounds[index + 1] - 1 : 0x10FFFF
      return Self.readable.first { start...end ~= $0 } ?? start
    }
    .sorted { a, b in (Self.readable.contains(a) ? 0 : 1, a) < (Self.readable.contains(b) ? 0 : 1, b) }
  }

  private static let readable: [UInt32] = [0x61, 0x41, 0x30, 0x20]
}
