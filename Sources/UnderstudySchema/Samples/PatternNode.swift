/// A parsed regular expression of ECMA-262, for writing strings that match it.
struct PatternNode: Sendable {
  indirect enum Kind: Sendable {
    /// One scalar of a set.
    case set(Alphabet)
    case sequence([PatternNode])
    case choice([PatternNode])
    case repetition(PatternNode, atLeast: Int, atMost: Int)
    /// A capturing group with its number and optional name.
    case group(PatternNode, number: Int, name: String?)
    case backreference(String)
    /// A text that must, or must not, follow.
    case lookahead(PatternNode, isNegative: Bool)
    /// `^` and `$`; word boundaries and lookbehinds are `empty`.
    case start, end, empty
  }

  let kind: Kind
  /// The length of the shortest match, in scalars.
  let shortest: Int

  init(_ kind: Kind) {
    self.kind = kind
    shortest =
      switch kind {
      case .set: 1
      case .sequence(let nodes): nodes.reduce(0) { min($0 + $1.shortest, PatternNode.limit) }
      case .choice(let nodes): nodes.map(\.shortest).min() ?? 0
      case .repetition(let node, let least, _):
        min(node.shortest * min(least, PatternNode.limit), PatternNode.limit)
      case .group(let node, _, _): node.shortest
      case .backreference, .lookahead, .start, .end, .empty: 0
      }
  }

  static func set(_ set: ScalarSet) -> PatternNode { PatternNode(.set(Alphabet(set))) }

  /// The limit for the length of a match.
  static let limit = 100_000
}
