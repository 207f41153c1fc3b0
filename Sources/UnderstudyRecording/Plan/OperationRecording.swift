struct OperationRecording: Sendable {
  /// An answer by its status and its position in the cell.
  struct AnswerID: Hashable, Sendable {
    var status: Int
    var index: Int
  }

  /// What the fixtures that exist answer a request by their `when`.
  enum Match: Sendable { case nothing, same, other }

  let operation: CompiledOperation
  let volatile: VolatileOperation
  var cells: [Int: RecordedCell] = [:]
  /// The answers of every request, each once, in the order of the first.
  private(set) var requests: [(summary: RequestSummary, answers: [AnswerID], existing: Match)] = []
  private var positions: [RequestSummary: Int] = [:]
  /// The positions of requests that break the contract.
  private var invalid: Set<Int> = []
  /// The requests that the mock refuses by itself, as the server did; no condition of a fixture may hold for them.
  private var refused: [RequestSummary] = []
  /// The last answers, also of refused requests.
  private var lastAnswers: [RequestSummary: LastAnswer] = [:]
  /// The answers in their order, with the number of repetitions.
  private var sequence: [Step] = []
  private var invalidSequence: [Step] = []
  var isEmpty: Bool { requests.isEmpty && !hasInvalid }
  private(set) var hasInvalid = false
  /// Whether the server's response to such a request differs from the mock's own refusal.
  private var hasAcceptedInvalid = false

  /// The number of requests before the first step.
  private var leading = 0

  private typealias Step = (answer: AnswerID, times: Int)

  /// Further requests do not count for `when`.
  static let requestLimit = 2000
  /// Further answers do not count for scenarios.
  static let stepLimit = 10_000

  /// The shapes of the defaults that this recording writes again, by status.
  private var bases: [Int: AnswerShape] = [:]

  /// - Parameters:
  ///   - existing: The fixtures that the operation has.
  ///   - rewritten: Those that this recording writes again.
  init(
    _ operation: CompiledOperation, existing: [Fixture], rewritten: [Fixture] = [], volatile: VolatileOperation
  ) {
    self.operation = operation
    self.volatile = volatile
    for fixture in rewritten where fixture.name == nil && fixture.when == nil {
      guard case .code(let status) = fixture.status else { continue }
      bases[status] = operation.shape(of: fixture, status: status, volatile: volatile[status])
    }
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

  /// Which bodies are the same where they differ in ids and times alone.
  enum Masking { case none, existing, all }

  /// The answer of a cell with the same body, beside what is volatile. Of fixtures that exist, one that has not been met yet
  /// comes first: the ids of this run are other ones.
  func index(ofBody answer: RecordedAnswer, type: MediaRange?, _ masking: Masking, in cell: RecordedCell) -> Int? {
    let (body, status) = (answer.body, answer.status)
    let media = body.isEmpty ? "" : type?.essence ?? "application/octet-stream"
    let alike = cell.kept.indices.filter { index in
      let kept = cell.kept[index]
      return kept.shape.mediaType == media && kept.body != nil && kept.answer?.hasFields(of: answer) ?? true
    }
    let own = stable(body, status: status, type: type)
    let same = alike.first { index in
      cell.kept[index].body.map { $0 == body || stable($0, status: status, type: type) == own } == true
    }
    guard same == nil, masking != .none else { return same }
    let masked = VolatileText.maskedValues(own)
    let candidates = alike.filter { index in
      guard masking == .all || cell.kept[index].existing != nil, let other = cell.kept[index].body else { return false }
      return VolatileText.maskedValues(stable(other, status: status, type: type)) == masked
    }
    let unmet = candidates.first { cell.kept[$0].existing != nil && cell.kept[$0].count == 0 }
    return unmet ?? (masking == .all ? candidates.first : nil)
  }

  private struct LastAnswer {
    var digest: AnswerDigest
    var changes: Int
  }

  /// Whether the operation was asked for nothing like this before, or by another user: its answer may be another one.
  func isNew(_ request: RequestSummary) -> Bool { lastAnswers[request] == nil && !lastAnswers.isEmpty }

  /// Whether the client has made a change, of `changes` so far, since it got another answer to the same request.
  func isChanged(_ request: RequestSummary, _ digest: AnswerDigest, changes: Int) -> Bool {
    guard let last = lastAnswers[request] else { return false }
    return last.changes < changes && last.digest.masked != digest.masked
  }

  /// Returns whether a list is longer than in the last response to an equal request, so that another client has changed it.
  func hasGrown(_ request: RequestSummary, _ digest: AnswerDigest) -> Bool {
    lastAnswers[request].map { $0.digest.elements < digest.elements } ?? false
  }

  mutating func note(_ request: RequestSummary, _ digest: AnswerDigest, changes: Int) {
    guard lastAnswers[request] != nil || lastAnswers.count < Self.requestLimit else { return }
    lastAnswers[request] = LastAnswer(digest: digest, changes: changes)
  }

  /// - Parameter created: The ids that this session created.
  mutating func see(
    _ request: RequestSummary, _ view: RequestView, _ answer: AnswerID, isInvalid: Bool, created: CreatedIDs
  ) {
    if let position = positions[request] {
      requests[position].summary.merge(request)
      if !requests[position].answers.contains(answer) { requests[position].answers.append(answer) }
    } else if requests.count < Self.requestLimit {
      positions[request] = requests.count
      requests.append((request, [answer], match(of: view, with: answer, created)))
    }
    if isInvalid {
      (hasInvalid, hasAcceptedInvalid) = (true, true)
      if let position = positions[request] { invalid.insert(position) }
      Self.append((answer, 1), to: &invalidSequence)
    } else {
      Self.append((answer, 1 + leading), to: &sequence)
      leading = 0
    }
  }

  /// Adds a request whose response becomes no fixture. A replay sends the only or last response to equal requests, and
  /// before any response the first.
  mutating func see(unrecorded request: RequestSummary, isInvalid: Bool) {
    let answers = positions[request].map { requests[$0].answers } ?? []
    let steps = isInvalid ? \Self.invalidSequence : \Self.sequence
    guard let answer = answers.count == 1 ? answers[0] : self[keyPath: steps].last?.answer else {
      if !isInvalid { leading += 1 }
      return
    }
    Self.append((answer, 1), to: &self[keyPath: steps])
  }

  /// Adds the response to a request that the mock refuses in the same way by itself.
  mutating func see(_ request: RequestSummary, refusal answer: AnswerID) {
    hasInvalid = true
    // The mock's own refusal has the default of the cell.
    if cells[answer.status]?.defaultIndex != answer.index { hasAcceptedInvalid = true }
    if refused.count < Self.requestLimit, !refused.contains(request) { refused.append(request) }
    Self.append((answer, 1), to: &invalidSequence)
  }

  /// A generated id stands for that of an earlier session, so that every session needs the same conditions.
  private func match(of view: RequestView, with answer: AnswerID, _ created: CreatedIDs) -> Match {
    var match = Match.nothing
    for (status, cell) in cells {
      for kept in cell.kept {
        guard let when = kept.existing?.when else { continue }
        let isSame = status == answer.status && kept.shape == cell.kept[answer.index].shape
        let isMatch = when.matches(view)
        if isSame, isMatch || when.conditions.allSatisfy({ Self.isAlike($0, view, created) }) { return .same }
        if isMatch { match = .other }
      }
    }
    return match
  }

  /// Whether a request has a generated id in the place of a condition.
  private static func isAlike(
    _ condition: RequestMatcher.Condition, _ view: RequestView, _ created: CreatedIDs
  ) -> Bool {
    guard case .equals(let text) = condition.test else { return false }
    return view.values(condition.part, condition.name).contains { value in
      created.contains(value) || VolatileText.isValue(value) && VolatileText.isValue(text)
    }
  }

  /// Replaces the answers of this recording, in the order of their statuses.
  mutating func replaceAnswers(_ replacement: (RecordedAnswer) -> RecordedAnswer) {
    for (status, cell) in cells.sorted(by: { $0.key < $1.key }) {
      for index in cell.kept.indices {
        guard let old = cell.kept[index].answer ?? cell.kept[index].again else { continue }
        let new = replacement(old)
        let type = new.contentType.flatMap { MediaRange($0) }
        let shape =
          new.body == old.body
          ? nil : operation.shape(of: new.body, status: status, type: type, volatile: volatile[status])
        cells[status]?.replace(index, by: new, shape)
      }
    }
  }

  /// Names answers of one shape after what distinguishes their requests, where that is what was asked for.
  mutating func nameAnswers(by matchers: [AnswerID: RequestMatcher]) {
    for (answer, matcher) in matchers.sorted(by: { ($0.key.status, $0.key.index) < ($1.key.status, $1.key.index) }) {
      guard matcher.conditions.count == 1, let condition = matcher.conditions.first, condition.part != .body else {
        continue
      }
      cells[answer.status]?.rename(answer.index, to: VariantName.of(condition))
    }
  }

  /// Drops answers that have become equal to another one of their cell, and gives the others their names.
  mutating func settleAnswers() {
    let bases = bases
    move { $1.settle(base: bases[$0]) }
  }

  /// Drops alternatives that differ only by values from another one, unless there are few (`keepsFew`).
  mutating func dropAlternatives(keepingFew keepsFew: Bool) { move { $1.dropAlternatives(keepingFew: keepsFew) } }

  /// Changes the cells, and updates the positions of their responses to the positions that `change` returns.
  private mutating func move(_ change: (_ status: Int, _ cell: inout RecordedCell) -> [Int]) {
    for status in cells.keys.sorted() {
      guard var cell = cells.removeValue(forKey: status) else { continue }
      let positions = change(status, &cell)
      cells[status] = cell
      func moved(_ answer: AnswerID) -> AnswerID {
        answer.status == status ? AnswerID(status: status, index: positions[answer.index]) : answer
      }
      for index in requests.indices { requests[index].answers = requests[index].answers.map(moved).unique() }
      func moved(_ steps: [Step]) -> [Step] {
        steps.reduce(into: []) { Self.append((moved($1.answer), $1.times), to: &$0) }
      }
      (sequence, invalidSequence) = (moved(sequence), moved(invalidSequence))
    }
  }

  private static func append(_ step: Step, to sequence: inout [Step]) {
    if let last = sequence.last, last.answer == step.answer {
      sequence[sequence.count - 1].times = min(last.times + step.times, ScenarioSequence.timesLimit)
    } else if sequence.count < stepLimit {
      sequence.append(step)
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
        let kept = cell.kept[index]
        guard id != defaultAnswer, kept.answer != nil || kept.again != nil else { continue }
        // A request with several answers decides for none of them.
        let own = requests.filter { $0.answers == [id] && $0.existing != .same }.map(\.summary)
        let others = requests.filter { $0.answers != [id] }.map(\.summary) + refused
        guard !own.isEmpty else { continue }
        let inference = MatcherInference(own: own, others: others)
        found[id] = inference.matcher ?? inference.matcher(like: cell.kept.compactMap { $0.existing?.when })
      }
    }
    return found
  }

  /// The fixtures to write, in the order of their names.
  func fixtures(_ matchers: [AnswerID: RequestMatcher]) -> [PlannedFixture] {
    var planned: [PlannedFixture] = []
    for (status, cell) in cells.sorted(by: { $0.key < $1.key }) {
      for (index, kept) in cell.kept.enumerated() {
        let when = matchers[AnswerID(status: status, index: index)]
        if let existing = kept.existing {
          guard let again = kept.again, let when, let condition = when.conditions.first else { continue }
          var fixture = PlannedFixture(operation: operation, status: status, answer: again)
          fixture.name = cell.free(VariantName.of(condition))
          fixture.when = when
          fixture.existingBody = bodyFile(of: existing, with: again.body)
          planned.append(fixture)
          continue
        }
        guard let answer = kept.answer else { continue }
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

  /// The file of the body of a fixture that exists, beside it; `nil` unless it has this body, but for ids and times.
  private func bodyFile(of existing: Fixture, with body: [UInt8]) -> String? {
    guard case .bytes(let bytes, _) = existing.body, !body.isEmpty,
      VolatileText.maskedValues(bytes) == VolatileText.maskedValues(body)
    else { return nil }
    let isPlain = !["yaml", "yml"].contains(Path.fileExtension(of: existing.source.path))
    guard let file = isPlain ? existing.source.path : existing.bodyFile else { return nil }
    let folder = Path.folder(of: existing.source.path) + "/"
    return file.utf8.starts(with: folder.utf8) ? String(file.dropFirst(folder.count)) : nil
  }

  /// Whether the same requests would get other answers from the fixtures alone.
  func needsScenario(_ matchers: [AnswerID: RequestMatcher]) -> Bool {
    hasOtherRefusal
      || requests.enumerated().contains { position, request in
        guard let answer = request.answers.first, request.answers.count == 1 else { return true }
        switch request.existing {
        case .same: return false
        case .other: return true
        // The mock refuses an invalid request before its default answers.
        case .nothing: return matchers[answer] == nil && (answer != defaultAnswer || invalid.contains(position))
        }
      }
  }

  /// What a replay of the session cannot give again: `readChat 200`, with the number of exchanges.
  var merged: [(what: String, count: Int)] {
    cells.sorted { $0.key < $1.key }.filter { $0.value.merged > 0 }.map { status, cell in
      (what: "\(operation.id) \(status)", count: cell.merged)
    } + (isCut ? [(what: "\(operation.id), after \(Self.stepLimit) steps", count: 1)] : [])
  }

  private var isCut: Bool { max(sequence.count, invalidSequence.count) >= Self.stepLimit }

  /// Whether a refusal differs from the mock's own.
  private var hasOtherRefusal: Bool {
    invalidSequence.contains { cells[$0.answer.status]?.defaultIndex != $0.answer.index }
  }

  /// `[200.empty, "200*2"]`, as the steps of a scenario.
  var steps: [String] { labels(of: sequence) }

  /// The steps of requests that break the contract; `addsRefusals` adds them even if the mock refuses alike.
  func invalidSteps(addingRefusals addsRefusals: Bool) -> [String] {
    hasAcceptedInvalid || addsRefusals ? labels(of: invalidSequence) : []
  }

  private func labels(of steps: [Step]) -> [String] {
    steps.map { label($0.answer) + ($0.times > 1 ? "*\($0.times)" : "") }
  }
}

extension CompiledOperation {
  /// The status of the mock's own refusal of a bad request.
  func ownStatus(for violation: Violation) -> Int {
    if case .status(let mapped)? = violations[violation] { return mapped }
    return violation.statuses.first { operation.response(for: $0) != nil } ?? violation.statuses[0]
  }
}
