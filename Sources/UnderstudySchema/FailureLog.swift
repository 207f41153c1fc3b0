/// The failures of one value, up to a limit, and the number of those beyond it.
struct FailureLog {
  private(set) var failures: [SchemaFailure] = []
  /// The parts that were not validated, with the reasons.
  private(set) var remarks: [SchemaFailure] = []
  /// The most failures to collect.
  let limit: Int
  /// The number of failures beyond the limit.
  private var omitted = 0
  /// The most failures beyond the limit to count.
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

  /// - Parameter counts: Whether to count failures beyond the limit.
  init(limit: Int, counts: Bool) {
    self.limit = limit
    countLimit = counts ? 1_000 : 0
  }

  /// An empty log with the same limits.
  var emptied: FailureLog { FailureLog(limit: limit, counts: countLimit > 0) }

  /// Whether no further failure would be collected or counted.
  var isFull: Bool { failures.count >= limit && omitted >= countLimit }

  /// Whether to suggest similar names: with many failures they cost too much.
  var suggests: Bool { failures.count < 20 }

  /// The most failures to collect or count.
  var capacity: Int { limit + countLimit }

  /// Counts a failure; returns whether to collect it.
  mutating func admits() -> Bool {
    guard failures.count >= limit else { return true }
    omitted += 1
    return false
  }

  /// Counts a failure that is not collected.
  mutating func omit() { omitted += 1 }

  /// - Parameter isUnique: Whether to keep only one failure of a keyword and a value: parts of `allOf` may lead to the
  ///   same keyword several times.
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

  /// Replaces the collected failures and returns them.
  mutating func exchange(_ others: [SchemaFailure]) -> [SchemaFailure] {
    defer { failures = others }
    return failures
  }

  /// A closing message, if not all failures are listed.
  func closing(_ value: JSON, at schema: JSON, isSpent: Bool) -> SchemaFailure? {
    let message: String
    if omitted > 0 {
      let least = isSpent || omitted >= countLimit ? "at least " : ""
      message = "and \(least)\(Wording.count(omitted, "more failure")), not listed"
    } else if isSpent {
      message = "there may be more failures; validating the rest costs too much"
    } else {
      return nil
    }
    return SchemaFailure(
      keyword: "", instance: JSONPointer(), value: value, schema: schema, message: message, kind: .more)
  }
}
