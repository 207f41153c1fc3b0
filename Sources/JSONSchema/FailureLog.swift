/// The failures of one value, up to a limit, and the number of those beyond it.
struct FailureLog {
  private(set) var failures: [SchemaFailure] = []
  /// The parts that were not validated, with the reasons.
  private(set) var remarks: [SchemaFailure] = []
  /// Failures that are put into words.
  let limit: Int
  /// Failures beyond the limit.
  private var omitted = 0
  /// Failures beyond the limit that are counted at most.
  private let countLimit: Int
  private var known: Set<Identity> = []

  private static let remarkLimit = 20

  /// The keyword and the value of a failure.
  private struct Identity: Hashable {
    let keyword: String
    let schema: NodeID
    let value: Int

    init(_ failure: SchemaFailure) {
      (keyword, schema, value) = (failure.keyword, failure.schema.id, failure.value.index)
    }
  }

  /// - Parameter counts: Whether failures beyond the limit are counted.
  init(limit: Int, counts: Bool) {
    self.limit = limit
    countLimit = counts ? 1_000 : 0
  }

  /// An empty log with the same limits.
  var emptied: FailureLog { FailureLog(limit: limit, counts: countLimit > 0) }

  /// Whether no further failure would be put into words or counted.
  var isFull: Bool { failures.count >= limit && omitted >= countLimit }

  /// Whether similar names are still suggested: with many failures they are not worth their cost.
  var suggests: Bool { failures.count < 20 }

  /// The most failures of all.
  var capacity: Int { limit + countLimit }

  /// Counts a failure; whether it is to be put into words.
  mutating func admits() -> Bool {
    guard failures.count >= limit else { return true }
    omitted += 1
    return false
  }

  /// Counts a failure that is not put into words.
  mutating func omit() { omitted += 1 }

  /// - Parameter isUnique: Whether to keep one failure of a keyword and a value: parts of `allOf` may lead to one
  ///   keyword in many ways.
  mutating func append(_ failure: SchemaFailure, isUnique: Bool = false) {
    if !isUnique || known.insert(Identity(failure)).inserted { failures.append(failure) }
  }

  mutating func append(_ more: [SchemaFailure]) {
    let room = max(0, limit - failures.count)
    failures += more.prefix(room)
    omitted += max(0, more.count - room)
  }

  var hasRoomForRemarks: Bool { remarks.count < Self.remarkLimit }

  mutating func remark(_ remark: SchemaFailure) {
    if known.insert(Identity(remark)).inserted { remarks.append(remark) }
  }

  mutating func takeRemarks(of other: FailureLog) { remarks = other.remarks }

  /// Puts other failures in place of those that were collected, which it returns.
  mutating func exchange(_ others: [SchemaFailure]) -> [SchemaFailure] {
    defer { failures = others }
    return failures
  }

  /// A closing message where not all failures are listed.
  func closing(_ value: JSON, at schema: JSON, isSpent: Bool) -> SchemaFailure? {
    let message: String
    if omitted > 0 {
      let least = isSpent || omitted >= countLimit ? "at least " : ""
      message = "and \(least)\(Wording.count(omitted, "more failure")), not listed"
    } else if isSpent {
      message = "there may be more failures: the rest costs too much to validate"
    } else {
      return nil
    }
    return SchemaFailure(
      keyword: "", instance: JSONPointer(), value: value, schema: schema, message: message, kind: .more)
  }
}
