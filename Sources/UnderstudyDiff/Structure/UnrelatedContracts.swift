/// Two contracts with nearly no operation in common, which are hardly versions of one API.
struct UnrelatedContracts {
  private let pairs: OperationPairs
  private let old: [Operation]
  private let new: [Operation]

  /// The minimum number of operations that only one side has.
  private static let minimumDifferent = 20
  /// The minimum share of common operations among versions of one API, as one in so many.
  private static let minimumShare = 20

  /// Returns `nil` if the contracts may be versions of one API.
  init?(_ pairs: OperationPairs, _ old: [Operation], _ new: [Operation]) {
    (self.pairs, self.old, self.new) = (pairs, old, new)
    guard !old.isEmpty, !new.isEmpty, pairs.removed.count + pairs.added.count >= Self.minimumDifferent,
      pairs.common.count * Self.minimumShare < min(old.count, new.count)
    else { return nil }
  }

  var message: String {
    let common = pairs.common.isEmpty ? "no operation" : pairs.common.count.counted("operation")
    return "the two contracts have \(common) in common: \(pairs.removed.count) of the old one "
      + "\(pairs.removed.count == 1 ? "was" : "were") removed, \(pairs.added.count) added"
  }

  var help: String {
    guard let (before, after, count) = prefixes else {
      return "check that both are versions of one API; `--strip-prefix` compares paths below two prefixes"
    }
    return "with `--strip-prefix \(before) --strip-prefix \(after)` \(count.counted("operation")) are in common"
  }

  // MARK: - Prefixes

  /// The maximum number of segments of a prefix.
  private static let maximumSegments = 4

  /// The prefixes below which the most operations are in common, if these are half of the smaller contract.
  private var prefixes: (old: String, new: String, count: Int)? {
    var best = (old: "", new: "", count: min(old.count, new.count) / 2)
    for before in Self.prefixes(of: old) {
      for after in Self.prefixes(of: new) where before != after {
        var options = ContractDiff.Options()
        (options.oldPrefix, options.newPrefix) = (before, after)
        let count = OperationPairs(old, new, options).common.count
        if count > best.count { best = (before.isEmpty ? "/" : before, after.isEmpty ? "/" : after, count) }
      }
    }
    return best.old.isEmpty ? nil : best
  }

  /// The starts of the first path, of whole literal segments, the shortest first.
  private static func prefixes(of operations: [Operation]) -> [String] {
    let segments = operations.first?.path.split(separator: "/") ?? []
    let literal = segments.prefix { !$0.contains("{") }.prefix(maximumSegments)
    return (0...literal.count).map { count in literal.prefix(count).map { "/\($0)" }.joined() }
  }
}
