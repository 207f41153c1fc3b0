/// What was recorded of one operation.
struct OperationRecording: Sendable {
  /// An answer by its status and its position in the cell.
  struct AnswerID: Hashable, Sendable {
    var status: Int
    var index: Int
  }

  let operation: CompiledOperation
  let volatile: VolatileOperation
  var cells: [Int: RecordedCell] = [:]
  /// The answers of every request, each once, in the order of the first.
  private(set) var requests: [(summary: RequestSummary, answers: [AnswerID])] = []
  private var positions: [RequestSummary: Int] = [:]
  /// The last answers, by the positions of their requests.
  private var lastAnswers: [Int: LastAnswer] = [:]
  /// The answers in their order, with the number of repetitions.
  private(set) var sequence: [(answer: AnswerID, times: Int)] = []

  /// Further requests do not count for `when`.
  static let requestLimit = 2000
  /// Further answers do not count for scenarios.
  static let stepLimit = 10_000

  /// - Parameter existing: The fixtures that the operation has.
  init(_ operation: CompiledOperation, existing: [Fixture], volatile: VolatileOperation) {
    self.operation = operation
    self.volatile = volatile
    // The default of a cell stands for its shape before a fixture with the same body for certain requests.
    let isDefault: (Fixture) -> Bool = { $0.name == nil && $0.when == nil }
    for fixture in existing.filter(isDefault) + existing.filter({ !isDefault($0) }) {
      guard case .code(let status) = fixture.status else { continue }
      cells[status, default: RecordedCell()].add(
        existing: fixture, shape: operation.shape(of: fixture, status: status, volatile: volatile[status]))
    }
  }

  /// A body without what is volatile: equal for answers that say the same.
  func stable(_ bytes: [UInt8], status: Int, type: MediaRange?) -> [UInt8] {
    let pointers = volatile[status]
    guard !pointers.isEmpty else { return bytes }
    guard type?.syntax == .json, let root = try? JSONParser.parse(bytes).root else {
      return pointers[""] == .value ? [] : bytes
    }
    return pointers.masked(root, operation.schema(ofAnswer: status, type: type))
  }

  /// The answer of a cell with the same body, beside what is volatile.
  ///
  /// - Parameter masksValues: Whether ids and times do not count either.
  func index(
    ofBody body: [UInt8], status: Int, type: MediaRange?, masksValues: Bool, in cell: RecordedCell
  ) -> Int? {
    func stable(_ bytes: [UInt8]) -> [UInt8] {
      let bytes = self.stable(bytes, status: status, type: type)
      return masksValues ? VolatileText.maskedValues(bytes) : bytes
    }
    let own = stable(body)
    return cell.kept.firstIndex { kept in
      guard kept.shape.mediaType == (body.isEmpty ? "" : type?.essence ?? "application/octet-stream") else {
        return false
      }
      guard let other = kept.body else { return false }
      return other == body || stable(other) == own
    }
  }

  /// What a request got last.
  private struct LastAnswer {
    /// The hash of its body without ids and times.
    var masked: Int
    /// The number of changes by the client until then.
    var changes: Int
  }

  /// Whether the client has changed something since it got another answer to the same request.
  ///
  /// - Parameters:
  ///   - masked: The hash of the body of the new answer, without ids and times.
  ///   - changes: The number of changes by the client so far.
  func isChanged(_ request: RequestSummary, masked: Int, changes: Int) -> Bool {
    guard let last = positions[request].flatMap({ lastAnswers[$0] }) else { return false }
    return last.changes < changes && last.masked != masked
  }

  mutating func see(_ request: RequestSummary, _ answer: AnswerID, masked: Int, changes: Int) {
    if let position = positions[request] {
      if !requests[position].answers.contains(answer) { requests[position].answers.append(answer) }
    } else if requests.count < Self.requestLimit {
      positions[request] = requests.count
      requests.append((request, [answer]))
    }
    if let position = positions[request] { lastAnswers[position] = LastAnswer(masked: masked, changes: changes) }
    if let last = sequence.last, last.answer == answer {
      sequence[sequence.count - 1].times = min(last.times + 1, ScenarioSequence.timesLimit)
    } else if sequence.count < Self.stepLimit {
      sequence.append((answer, 1))
    }
  }

  /// `200`, `200.empty`
  func label(_ answer: AnswerID) -> String {
    "\(answer.status)" + (cells[answer.status]?.kept[answer.index].name.map { ".\($0)" } ?? "")
  }

  /// The answer of a request for which nothing else is decided: the default of the lowest 2xx.
  private var defaultAnswer: AnswerID? {
    let status = operation.successCode
    return cells[status]?.defaultIndex.map { AnswerID(status: status, index: $0) }
  }

  /// The conditions of the answers that are not the default one.
  func matchers() -> [AnswerID: RequestMatcher] {
    var found: [AnswerID: RequestMatcher] = [:]
    for (status, cell) in cells {
      for index in cell.kept.indices {
        let id = AnswerID(status: status, index: index)
        guard id != defaultAnswer, cell.kept[index].answer != nil else { continue }
        // A request with several answers decides for none of them.
        let own = requests.filter { $0.answers == [id] }.map(\.summary)
        let others = requests.filter { $0.answers != [id] }.map(\.summary)
        guard !own.isEmpty else { continue }
        found[id] = MatcherInference(own: own, others: others).matcher
      }
    }
    return found
  }

  /// The fixtures to write, in the order of their names.
  func fixtures(_ matchers: [AnswerID: RequestMatcher]) -> [PlannedFixture] {
    var planned: [PlannedFixture] = []
    for (status, cell) in cells.sorted(by: { $0.key < $1.key }) {
      for (index, kept) in cell.kept.enumerated() {
        guard let answer = kept.answer else { continue }
        let when = matchers[AnswerID(status: status, index: index)]
        var fixture = PlannedFixture(operation: operation, status: status, name: kept.name, answer: answer)
        if kept.name != nil {
          fixture.when = when
          planned.append(fixture)
          continue
        }
        // The default of a cell answers requests for its status; a fixture of its own answers the others.
        planned.append(fixture)
        guard let when, let condition = when.conditions.first else { continue }
        fixture.sharesBody = fixture.bodyFile != nil
        fixture.name = cell.free(VariantName.of(condition))
        fixture.when = when
        planned.append(fixture)
      }
    }
    return planned
  }

  /// Whether the same requests would get other answers from the fixtures alone.
  func needsScenario(_ matchers: [AnswerID: RequestMatcher]) -> Bool {
    requests.contains { request in
      guard let answer = request.answers.first, request.answers.count == 1 else { return true }
      let hasWhen = cells[answer.status]?.answersByWhen(answer.index) == true
      return answer != defaultAnswer && matchers[answer] == nil && !hasWhen
    }
  }

  /// `[200.empty, "200*2"]`, as the steps of a scenario.
  var steps: [String] { sequence.map { label($0.answer) + ($0.times > 1 ? "*\($0.times)" : "") } }
}

extension CompiledOperation {
  /// The status of the mock's own refusal of a bad request.
  func ownStatus(for violation: Violation) -> Int {
    if case .status(let mapped)? = violations[violation] { return mapped }
    return violation.statuses.first { operation.response(for: $0) != nil } ?? violation.statuses[0]
  }
}
