/// Asks a server for the values that requests need, before anything else: what its lists have, and what it creates.
///
/// Every request is one of the plan, sent earlier, and one at a time: what is known afterwards does not depend on the
/// number of workers.
struct Harvest: Sendable {
  let subjects: [LiveOperation]
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  private(set) var known: KnownValues
  private var failures = 0
  /// By the index of the operation.
  private(set) var exchanges: [Int: [HarvestedExchange]] = [:]

  init(
    _ subjects: [LiveOperation], settings: LiveSettings, client: LiveClient, progress: LiveProgress
  ) {
    self.subjects = subjects
    self.settings = settings
    self.client = client
    self.progress = progress
    known = KnownValues(settings.values, secrets: subjects.prefix(1).map(\.compiled.secrets))
    for subject in subjects { known.learn(fromFixturesOf: subject) }
  }

  /// Sends the requests, lists before creations, and outer resources before inner ones.
  mutating func run() async {
    guard settings.phases != [.examples] else { return }
    let order = subjects.indices.compactMap { index in rank(subjects[index].operation).map { (rank: $0, index: index) }
    }
    for (_, index) in order.sorted(by: { ($0.rank, $0.index) < ($1.rank, $1.index) }) {
      let subject = subjects[index]
      guard progress.reasonToStop == nil, failures < LiveProgress.operationLimit else { return }
      let isCreating = subject.operation.method == "PUT"
      guard isCreating || known.knowsPath(of: subject.operation) else { continue }
      await ask(subject)
    }
  }

  /// The depth of a path, then lists, creations, and replacements, which may create as well; `nil` for any other operation.
  private func rank(_ operation: Operation) -> Int? {
    guard let method = ["GET", "POST", "PUT"].firstIndex(of: operation.method) else { return nil }
    let depth = PathTemplate(operation.path).names.count
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
    return KnownValues.isSearch(path)
      || subjects.contains { $0.operation.path.hasPrefix(path + "/{") }
  }

  /// Whether an operation deletes what another one creates.
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
    var wanted = isDeleted(subject.operation) ? 2 : 1
    if wanted > 1 { calls.append(valid.call(isPost ? 2 : 3)) }
    var sent: Set<WireRequest> = []
    var isAccepted = false
    for call in calls.compactMap(\.self) {
      // The same POST creates another thing; what was refused is refused again.
      guard sent.insert(call.wire).inserted || (isPost && isAccepted) else { continue }
      let answer: LiveAnswer
      do throws(UpstreamFailure) { answer = try await client.send(call.wire) } catch {
        failures += 1
        return progress.noteFailure(error)
      }
      if await progress.credentialsStopped(at: call, answer, of: subject, client) { return }
      progress.noteAnswer(call, answer, of: subject)
      exchanges[subject.index, default: []].append(HarvestedExchange(call: call, answer: answer))
      known.learn(from: call, answer, of: subject)
      guard 200...299 ~= answer.status else { continue }
      isAccepted = true
      wanted -= 1
      if wanted == 0 { return }
    }
  }
}

/// A request of a harvest, with its answer.
struct HarvestedExchange: Sendable {
  let call: LiveCall
  let answer: LiveAnswer
}
