/// The answers of one cell that are kept, the fixtures that exist already before them.
struct RecordedCell: Sendable {
  struct Kept: Sendable {
    /// `nil` for the default of the cell.
    var name: String?
    var shape: AnswerShape
    /// `nil` for a fixture that exists.
    var answer: RecordedAnswer?
    var existing: Fixture?
    /// The exchanges with an answer of this shape.
    var count = 0

    /// `nil` for a template.
    var body: [UInt8]? {
      if let answer { return answer.body }
      return if case .bytes(let bytes, _)? = existing?.body { bytes } else { nil }
    }

    /// Whether an existing fixture answers by its `when`.
    var hasWhen: Bool { existing?.when != nil }
  }

  private(set) var kept: [Kept] = []
  /// By the hash of status, media type and body.
  private var known: [Int: Int] = [:]

  /// Answers beyond this number are counted as seen: a cell with more shapes has data for names.
  static let limit = 200
  /// Contents beyond this number are compared by shape.
  static let knownLimit = 10_000

  mutating func add(existing fixture: Fixture, shape: AnswerShape) {
    kept.append(Kept(name: fixture.name, shape: shape, existing: fixture))
  }

  /// The answer with exactly this content.
  func index(ofContent content: Int) -> Int? { known[content] }

  mutating func count(_ index: Int) { kept[index].count += 1 }

  /// The answer that stands for a shape; `nil` if it is a new one.
  ///
  /// - Parameter sameBody: The answer with the same body.
  func index(of shape: AnswerShape, _ keep: RecordingSettings.Keep, sameBody: @autoclosure () -> Int?) -> Int? {
    guard hasDefault else { return nil }
    if kept.count >= Self.limit { return kept.firstIndex { $0.shape.isLike(shape) } ?? defaultIndex }
    switch keep {
    case .all: return sameBody()
    case .first: return defaultIndex
    case .shapes:
      if let same = kept.firstIndex(where: { $0.shape == shape }) { return same }
      let alike = kept.indices.filter { kept[$0].shape.isLike(shape) }
      guard let first = alike.first else { return nil }
      // In lists, only something that no other answer has makes a difference.
      let inner = alike.reduce(into: Set<BodyShape.Fact>()) { $0.formUnion(kept[$1].shape.body?.inner ?? []) }
      return shape.body?.inner.isSubset(of: inner) ?? true ? first : nil
    }
  }

  /// Keeps an answer: as the default if there is none, else under the name of what differs from it.
  mutating func keep(_ answer: RecordedAnswer, _ shape: AnswerShape) -> Int {
    kept.append(Kept(name: hasDefault ? name(for: shape) : nil, shape: shape, answer: answer))
    return kept.count - 1
  }

  mutating func remember(content: Int, as index: Int) {
    if known.count < Self.knownLimit { known[content] = index }
  }

  /// Whether an existing fixture gives this answer by its `when`: itself, or one with the body of the default.
  func answersByWhen(_ index: Int) -> Bool { kept.contains { $0.hasWhen && $0.shape == kept[index].shape } }

  var hasDefault: Bool { kept.contains { $0.name == nil && !$0.hasWhen } }

  /// The answer that is served when the request prefers no name.
  var defaultIndex: Int? { kept.firstIndex { $0.name == nil && !$0.hasWhen } }

  private func name(for shape: AnswerShape) -> String {
    let base = defaultIndex.map { kept[$0].shape } ?? shape
    return free(base == shape ? "other" : VariantName.of(shape, beside: base))
  }

  /// A name that no other answer has, not even in another case: some file systems do not distinguish them.
  func free(_ name: String) -> String {
    let taken = Set(kept.compactMap { $0.name?.lowercased() })
    guard taken.contains(name.lowercased()) else { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.lowercased()) } ?? name
  }
}
