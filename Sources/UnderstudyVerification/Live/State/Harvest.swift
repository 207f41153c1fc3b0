/// Asks a server for the values that requests need: what its lists have, and what it creates. Every request is one of
/// the plan, sent earlier and alone: what is known afterwards does not depend on the number of workers.
struct Harvest: Sendable {
  let subjects: [LiveOperation]
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  private(set) var known: KnownValues
  /// The operations without an answer while no other was ever answered.
  private var unclear = 0
  /// The results by the index of the operation.
  private(set) var harvested: [Int: HarvestedOperation] = [:]

  init(
    _ subjects: [LiveOperation], settings: LiveSettings, client: LiveClient, progress: LiveProgress
  ) {
    self.subjects = subjects
    self.settings = settings
    self.client = client
    self.progress = progress
    known = KnownValues(settings.values, secrets: subjects.prefix(1).map(\.compiled.secrets))
    known.learn(pathsOf: subjects)
    for subject in subjects { known.learn(fromFixturesOf: subject) }
  }

  /// Sends the requests, lists before creations, and outer resources before inner ones.
  mutating func run() async {
    guard settings.phases != [.examples] else { return }
    let order = subjects.indices.compactMap { index in rank(subjects[index].operation).map { (rank: $0, index: index) }
    }
    for (_, index) in order.sorted(by: { ($0.rank, $0.index) < ($1.rank, $1.index) }) {
      let subject = subjects[index]
      guard progress.reasonToStop == nil, unclear < LiveProgress.operationLimit else { return }
      let isCreating = subject.operation.method == "PUT"
      guard subject.danger == .none, isCreating || known.knowsPath(of: subject.operation) else { continue }
      await ask(subject)
    }
    await askListsAgain()
  }

  /// Asks lists again for what was created in them since, before unusual requests add what cannot be read.
  private mutating func askListsAgain() async {
    for subject in subjects where subject.operation.method == "GET" {
      let created = subjects.contains { other in
        other.operation.method == "POST" && other.operation.path.utf8Equals(subject.operation.path)
          && harvested[other.index]?.exchanges.contains { 200...299 ~= $0.answer.status } == true
      }
      guard created, progress.reasonToStop == nil,
        let call = harvested[subject.index]?.exchanges.first(where: { 200...299 ~= $0.answer.status })?.call
      else { continue }
      await send([call], of: subject)
    }
  }

  /// The depth of a path, then lists, creations, and replacements, which may create as well; `nil` for any other operation.
  private func rank(_ operation: Operation) -> Int? {
    guard let method = ["GET", "POST", "PUT"].firstIndex(of: operation.method) else { return nil }
    let depth = operation.template.names.count
    // What is deep in a path is asked for below what was found.
    switch operation.method {
    case "PUT": return depth == 0 ? nil : (depth - 1) * 4 + method
    case "POST": return isCollection(operation) ? depth * 4 + method : nil
    default: return depth * 4 + method
    }
  }

  /// Whether other paths name what is below this one, or whether it searches.
  private func isCollection(_ operation: Operation) -> Bool {
    let path = operation.path.hasSuffix("/") ? String(operation.path.dropLast()) : operation.path
    // A list of the same path shows what the operation creates.
    return KnownValues.isSearch(path)
      || subjects.contains { $0.operation.method == "GET" && $0.operation.path.utf8Equals(operation.path) }
      || subjects.contains { $0.operation.path.hasPrefix(path + "/{") }
  }

  private func isDeleted(_ operation: Operation) -> Bool {
    let path = operation.path.hasSuffix("/") ? String(operation.path.dropLast()) : operation.path
    return subjects.map(\.operation).contains { other in
      guard other.method == "DELETE" else { return false }
      switch operation.method {
      case "PUT": return other.path.utf8Equals(operation.path)
      case "POST":
        let rest = other.path.utf8.dropFirst(path.utf8.count + 1)
        return other.path.hasPrefix(path + "/{") && !rest.contains(UInt8(ascii: "/"))
      default: return false
      }
    }
  }

  /// Sends the smallest valid request; if that is refused, the contract's example and a request with all optional parts.
  private mutating func ask(_ subject: LiveOperation) async {
    let valid = ValidRequests(subject: subject, count: settings.count, known: known)
    var calls = [valid.call(1)]
    if !subject.isSafe {
      var example = valid.firstExample()
      example?.phase = .examples
      calls += [example, valid.call(0)]
    }
    let isPost = subject.operation.method == "POST"
    // Unusual requests of a DELETE may delete the first already.
    let wanted = isDeleted(subject.operation) ? 2 : 1
    if wanted > 1 { calls.append(valid.call(isPost ? 2 : 3)) }
    // What is there already is not overwritten before it was read.
    let last = subject.operation.template.names.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let own = calls.compactMap(\.self).filter { call in
      call.draft.method != "PUT" || !known.known(inPathOf: call.draft, subject.operation).contains(last)
        || known.created(lastOf: call.draft, subject.operation)
    }
    await send(own, of: subject, wanted: wanted)
  }

  /// Sends requests until some were accepted.
  private mutating func send(_ calls: [LiveCall], of subject: LiveOperation, wanted: Int = 1) async {
    let isPost = subject.operation.method == "POST"
    var wanted = wanted
    var sent: Set<WireRequest> = []
    var isAccepted = false
    var pending = calls[...]
    var wasRefused = false
    while true {
      // What an earlier run created may be in the way, or the form of a name.
      if pending.isEmpty, wasRefused, !isAccepted, !subject.isSafe, let first = calls.first {
        wasRefused = false
        let fresh = FreshValues(subject: subject, run: settings.run, usesPlainNames: true)
        pending = fresh.calls(like: first, number: 0)[...]
      }
      guard let call = pending.popFirst() else { return }
      // The same POST creates another thing; what was refused is refused again.
      guard sent.insert(call.wire).inserted || (isPost && isAccepted) else { continue }
      guard
        settings.operationTime.map({ harvested[subject.index, default: HarvestedOperation()].duration <= $0 }) ?? true
      else { return }
      let start = ContinuousClock.now
      let received = await send(call, of: subject)
      harvested[subject.index, default: HarvestedOperation()].duration += start.duration(to: .now)
      guard let answer = received else { return }
      if await progress.credentialsStopped(at: call, answer, of: subject, client) { return }
      progress.noteAnswer(call, answer, of: subject)
      harvested[subject.index, default: HarvestedOperation()].exchanges.append(
        (call, answer))
      known.learn(from: call, answer, of: subject)
      guard await silenceCheck.isAlive(after: call, answer, of: subject) else { return }
      await progress.checkAccess(after: answer, of: subject, client)
      guard 200...299 ~= answer.status else {
        wasRefused = wasRefused || Refusals.mayBeConflict(answer.status)
        continue
      }
      isAccepted = true
      wanted -= 1
      if wanted == 0 { return }
    }
  }

  private var silenceCheck: SilenceCheck { SilenceCheck(client: client, progress: progress) }

  /// The answer to a request; a failure is noted.
  private mutating func send(_ call: LiveCall, of subject: LiveOperation) async -> Exchange.Response? {
    let failure: UpstreamFailure
    do throws(UpstreamFailure) { return try await client.send(call, of: subject) } catch { failure = error }
    progress.noteFailure(failure)
    // The operation itself finds out.
    guard !failure.isDefect else { return nil }
    let silence = await silenceCheck.silence(after: failure, at: call, of: subject, isFirst: true)
    switch silence {
    case .answered(let answer): return answer
    case .unclear:
      unclear += 1
      return nil
    case .ofRequest, .ofServer: break
    }
    harvested[subject.index, default: HarvestedOperation()].failures.append((call, failure, silence))
    return nil
  }
}

/// What the preparation of a run knows of an operation.
struct HarvestedOperation: Sendable {
  var exchanges: [(call: LiveCall, answer: Exchange.Response)] = []
  var failures: [(call: LiveCall, failure: UpstreamFailure, silence: Silence)] = []
  /// Of all its requests together.
  var duration = Duration.zero
}
