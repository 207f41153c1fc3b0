/// Results for pairs of schemas, which may be recursive.
///
/// A pair inside itself is assumed to have no difference, since a value that shows one is finite. A result that rests on
/// such an assumption is final once the outermost pair of the assumption has no difference either.
struct PairCache<Pair: Hashable, Result> {
  private var known: [Pair: Result] = [:]
  /// The positions of the open pairs.
  private var open: [Pair: Int] = [:]
  /// Results without a difference that rest on open pairs, with the lowest position of these.
  private var tentative: [Pair: (result: Result, lowest: Int)] = [:]
  private var order: [Pair] = []
  private var lowest = Int.max
  /// The number of lookups that rested on an open pair.
  private(set) var assumptions = 0

  /// A pair under comparison.
  struct Entry {
    fileprivate let pair: Pair
    fileprivate let position: Int
    fileprivate let lowest: Int
    fileprivate let tentatives: Int
  }

  enum Lookup {
    case known(Result)
    /// The pair is under comparison.
    case assumed
    case new(Entry)
  }

  mutating func enter(_ pair: Pair) -> Lookup {
    if let result = known[pair] { return .known(result) }
    if let position = open[pair] {
      lowest = min(lowest, position)
      assumptions += 1
      return .assumed
    }
    if let (result, position) = tentative[pair] {
      lowest = min(lowest, position)
      assumptions += 1
      return .known(result)
    }
    let entry = Entry(pair: pair, position: open.count, lowest: lowest, tentatives: order.count)
    open[pair] = open.count
    lowest = .max
    return .new(entry)
  }

  /// Leaves a pair without a result.
  mutating func abandon(_ entry: Entry) {
    open[entry.pair] = nil
    lowest = min(entry.lowest, lowest)
  }

  /// - Parameter isFinal: Whether the result rests on no open pair of another cache.
  mutating func leave(_ entry: Entry, with result: Result, isNeutral: Bool, isFinal: Bool = true) {
    open[entry.pair] = nil
    let restsOnOpen = lowest < entry.position
    if isNeutral, restsOnOpen, isFinal {
      tentative[entry.pair] = (result, lowest)
      order.append(entry.pair)
    } else {
      for pair in order[entry.tentatives...] {
        if let inner = tentative.removeValue(forKey: pair), isNeutral, isFinal { known[pair] = inner.result }
      }
      order.removeSubrange(entry.tentatives...)
      if isFinal || !isNeutral { known[entry.pair] = result }
    }
    lowest = min(entry.lowest, restsOnOpen ? lowest : .max)
  }
}

/// Schemas of two sides that are compared, by their identities.
struct SchemaPair: Hashable {
  let a: [NodeID]
  let b: [NodeID]

  init(_ a: [JSON], _ b: [JSON]) {
    self.a = a.map(\.id)
    self.b = b.map(\.id)
  }
}
