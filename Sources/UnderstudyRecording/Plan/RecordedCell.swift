/// The answers of one cell that are kept, the fixtures that exist already before them.
struct RecordedCell: Sendable {
  struct Kept: Sendable {
    /// `nil` for the default of the cell.
    var name: String?
    var shape: AnswerShape
    /// `nil` for a fixture that exists.
    var answer: RecordedAnswer?
    var existing: Fixture?
    /// What the server sent in this recording for a fixture that exists; `nil` if it sent nothing like it.
    var again: RecordedAnswer?
    /// The operation that changed what the answer shows.
    var change: String?
    /// The exchanges with an answer of this shape.
    var count = 0
    /// The position of the response that represents this response, which differs only by values.
    var original: Int?

    /// `nil` for a template.
    var body: [UInt8]? {
      if let answer { return answer.body }
      return if case .bytes(let bytes, _)? = existing?.body { bytes } else { nil }
    }

    /// What the file of the body has, without the distances of a template from the clock: equal for recordings of one answer.
    fileprivate var content: [UInt8]? {
      switch existing?.body {
      case .bytes(let bytes, _): bytes
      case .template(let template): VolatileText.withoutOffsets(template.text)
      case nil: answer.map { answer in answer.template.map(VolatileText.withoutOffsets) ?? answer.body }
      }
    }

    fileprivate func isEqual(to other: Kept) -> Bool {
      guard shape.mediaType == other.shape.mediaType, content == other.content else { return false }
      guard let answer, let own = other.answer else { return true }
      return answer.hasFields(of: own)
    }

    /// Whether an existing fixture has the name that a recording gives to a default or an alternative.
    fileprivate var isAlternative: Bool {
      existing != nil && !hasWhen && (name ?? RecordedCell.unnamed).hasPrefix(RecordedCell.unnamed)
    }

    /// Whether an existing fixture answers by its `when`.
    var hasWhen: Bool { existing?.when != nil }
  }

  private(set) var kept: [Kept] = []
  /// By the hash of status, media type and body.
  private var known: [Int: Known] = [:]

  /// The answers that were kept because another request, or a change by the client, may have another answer.
  private var changes = 0
  /// Such answers beyond the limit, for which another one of their shape stands.
  private(set) var merged = 0
  /// Whether there are too many alternatives: their values change all the time.
  private var hasManyAlternatives = false

  private struct Known {
    var index: Int
    var digest: AnswerDigest
  }

  /// Answers beyond this number are counted as seen: a cell with more shapes has data for names.
  static let limit = 200
  /// Changes of values alone beyond this number are counted as seen.
  static let changeLimit = 100
  /// The maximum number of responses of a cell that are kept although they differ only by values.
  static let alternativeLimit = 10
  /// Contents beyond this number are compared by shape.
  static let knownLimit = 10_000

  mutating func add(existing fixture: Fixture, shape: AnswerShape) {
    kept.append(Kept(name: fixture.name, shape: shape, existing: fixture))
  }

  /// The answer with exactly this content, and the digest of the content.
  func index(ofContent content: Int) -> (index: Int, digest: AnswerDigest)? {
    known[content].map { ($0.index, $0.digest) }
  }

  mutating func count(_ index: Int) { kept[index].count += 1 }

  /// Adds a response that differs only by values from the response at a position; returns `nil` beyond the limit.
  mutating func keep(_ answer: RecordedAnswer, _ shape: AnswerShape, asAlternativeTo original: Int) -> Int? {
    let number = kept.count { $0.original != nil }
    hasManyAlternatives = hasManyAlternatives || number >= Self.alternativeLimit
    guard !hasManyAlternatives else { return nil }
    kept.append(
      Kept(name: Self.unnamed, shape: shape, answer: answer, original: kept[original].original ?? original))
    return kept.count - 1
  }

  /// Promotes an alternative to a response in its own right.
  private mutating func promote(_ index: Int, after change: String?) {
    guard kept[index].original != nil else { return }
    (kept[index].original, kept[index].change) = (nil, change)
  }

  /// Drops alternatives, with `keepsFew` only if there are too many, and returns the new position of each response.
  mutating func dropAlternatives(keepingFew keepsFew: Bool) -> [Int] {
    let all = kept
    guard !keepsFew || hasManyAlternatives else { return Array(all.indices) }
    kept = []
    var positions = Array(all.indices)
    for (index, item) in all.enumerated() where item.original == nil {
      positions[index] = kept.count
      kept.append(item)
    }
    for (index, item) in all.enumerated() {
      guard let original = item.original else { continue }
      positions[index] = positions[original]
      kept[positions[original]].count += item.count
    }
    return positions
  }

  /// The answer that stands for a shape; `nil` if it is a new one. `mayDiffer` is true for another request, or after a
  /// change by the client; `sameBody` is the response with the same body.
  mutating func index(
    of shape: AnswerShape, _ keep: RecordingSettings.Keep, mayDiffer: Bool = false, after change: String? = nil,
    sameBody: (RecordedCell) -> Int?
  ) -> Int? {
    guard hasDefault else { return nil }
    if kept.count >= Self.limit { return kept.firstIndex { $0.shape.isLike(shape) } ?? defaultIndex }
    switch keep {
    case .all: return sameBody(self)
    case .first: return defaultIndex
    case .shapes:
      let same = kept.indices.filter { kept[$0].shape == shape }
      if mayDiffer {
        if let index = sameBody(self) {
          promote(index, after: change)
          return index
        }
        // Those of an earlier recording stand for the answers of this one in their order: ids of another run are other ones.
        if let next = same.first(where: { kept[$0].existing != nil && !kept[$0].hasWhen && kept[$0].count == 0 }) {
          return next
        }
        if changes < Self.changeLimit {
          changes += 1
          return nil
        }
        merged += 1
      }
      if let first = same.first {
        guard same.count > 1 else { return first }
        // Alternatives of an earlier recording represent the alternatives of this one in their order.
        let next = same.first { kept[$0].isAlternative && kept[$0].count == 0 }
        return sameBody(self) ?? next ?? first
      }
      let alike = kept.indices.filter { kept[$0].shape.isLike(shape) }
      guard let first = alike.first else { return nil }
      // In lists, only something that no other answer has makes a difference.
      let inner = alike.reduce(into: Set<BodyShape.Fact>()) { $0.formUnion(kept[$1].shape.body?.inner ?? []) }
      return shape.body?.inner.isSubset(of: inner) ?? true ? first : nil
    }
  }

  /// Keeps a response as the default, or under the name of its difference, such as the operation that changed it.
  mutating func keep(_ answer: RecordedAnswer, _ shape: AnswerShape, after change: String? = nil) -> Int {
    kept.append(
      Kept(name: hasDefault ? name(for: shape, after: change) : nil, shape: shape, answer: answer, change: change))
    return kept.count - 1
  }

  /// Notes what the server sent for a fixture that exists.
  mutating func note(_ answer: RecordedAnswer, again index: Int) { kept[index].again = answer }

  /// - Parameter shape: The new shape; `nil` if that is the same.
  mutating func replace(_ index: Int, by answer: RecordedAnswer, _ shape: AnswerShape?) {
    guard kept[index].existing == nil else { return note(answer, again: index) }
    kept[index].answer = answer
    if let shape { kept[index].shape = shape }
  }

  /// Drops answers that have become equal to an earlier one, and names the others after what they are now. Returns the
  /// new position of each. `base` is the shape of the default that this recording writes again: clients that ask for
  /// several things at once do so in another order each time.
  mutating func settle(base: AnswerShape?) -> [Int] {
    var order = Array(kept.indices)
    if let base, let own = kept.firstIndex(where: { $0.answer != nil && $0.name == nil }), kept[own].shape != base,
      let again = kept.firstIndex(where: { $0.answer != nil && $0.shape == base })
    {
      order.swapAt(own, again)
      (kept[own].name, kept[again].name) = ("", nil)
    }
    let all = kept
    kept = []
    var positions = order
    for index in order { positions[index] = settle(all[index]) }
    return positions
  }

  private mutating func settle(_ item: Kept) -> Int {
    var item = item
    if item.answer != nil {
      // The default of a cell stays, even if a variant for certain requests is equal.
      if item.name != nil, let same = kept.firstIndex(where: { $0.isEqual(to: item) }) {
        kept[same].count += item.count
        return same
      }
      item.name = hasDefault ? name(for: item.shape, after: item.change) : nil
    }
    kept.append(item)
    return kept.count - 1
  }

  mutating func remember(content: Int, _ digest: AnswerDigest, as index: Int) {
    if known.count < Self.knownLimit { known[content] = Known(index: index, digest: digest) }
  }

  var hasDefault: Bool { kept.contains { $0.name == nil && !$0.hasWhen } }

  /// The answer that is served when the request prefers no name.
  var defaultIndex: Int? { kept.firstIndex { $0.name == nil && !$0.hasWhen } }

  private func name(for shape: AnswerShape, after change: String?) -> String {
    let base = defaultIndex.map { kept[$0].shape } ?? shape
    let difference = base == shape ? change.map { VariantName.after($0) } : VariantName.of(shape, beside: base)
    // What two answers have in common names neither.
    guard let difference, base == shape || free(difference) == difference else { return free(Self.unnamed) }
    return free(difference)
  }

  fileprivate static let unnamed = "other"

  /// Names a new response that differs from others in its values alone.
  mutating func rename(_ index: Int, to name: String) {
    guard kept[index].answer != nil, let old = kept[index].name, old.hasPrefix(Self.unnamed), kept[index].change == nil
    else { return }
    kept[index].name = free(name)
  }

  /// A name that no other answer has, not even in another case: some file systems do not distinguish them.
  func free(_ name: String) -> String {
    let taken = Set(kept.compactMap { $0.name?.lowercased() })
    guard taken.contains(name.lowercased()) else { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.lowercased()) } ?? name
  }
}
