/// Finds base URLs whose path is wrong: every request gets 404, and another path may not.
struct BasePathCheck: Sendable {
  let settings: LiveSettings
  let client: LiveClient

  private static let usual = ["", "/api", "/v1", "/v2", "/api/v1", "/api/v2", "/api/v3", "/rest"]
  /// So many operations without any other explanation are enough, before all of them were tried.
  private static let enough = 3

  /// A request that got 404.
  private struct Attempt {
    let subject: LiveOperation
    let call: LiveCall

    /// Whether a wrong path alone explains the 404: no data can be missing, and the contract does not have it.
    var isSure: Bool {
      subject.operation.template.names.isEmpty
        && subject.operation.responses.allSatisfy { $0.status != .code(404) }
    }
  }

  /// The finding about the first requests of a run, by the index of the operation.
  func finding(after harvested: [Int: HarvestedOperation], of subjects: [LiveOperation]) async -> Diagnostic? {
    let sent = subjects.flatMap { subject in
      (harvested[subject.index]?.exchanges ?? []).map { (subject: subject, exchange: $0) }
    }
    guard sent.allSatisfy({ $0.exchange.answer.status == 404 }) else { return nil }
    let attempts = sent.map { Attempt(subject: $0.subject, call: $0.exchange.call) }
    let sure = Set(attempts.filter(\.isSure).map(\.subject.index))
    let isSure = !sure.isEmpty && (sure.count == subjects.count || sure.count >= Self.enough)
    return await finding(about: attempts, count: sent.count, isSure: isSure)
  }

  /// The finding about all requests of a run.
  func finding(after results: [OperationResult]) async -> Diagnostic? {
    let tried = results.filter { $0.validCount > 0 }
    guard tried.allSatisfy({ result in result.count { $0 == 404 } == result.validCount }) else { return nil }
    let attempts = tried.compactMap { result in
      result.firstValid.map { Attempt(subject: result.subject, call: $0) }
    }
    let count = tried.reduce(0) { $0 + $1.validCount }
    return await finding(about: attempts, count: count, isSure: attempts.contains(where: \.isSure))
  }

  /// - Parameters:
  ///   - count: The number of requests.
  ///   - isSure: Whether there is a finding although no other path answers.
  private func finding(about attempts: [Attempt], count: Int, isSure: Bool) async -> Diagnostic? {
    let safe = attempts.filter(\.subject.isSafe)
    guard let attempt = safe.first(where: \.isSure) ?? safe.first ?? attempts.first(where: \.isSure) ?? attempts.first
    else { return nil }
    let target = settings.target
    let server = "\(target.scheme)://\(target.authority)"
    var help: String?
    if let (path, status) = await likelyPath(attempt) {
      help =
        "is \(server)\(path) the base URL? There \(attempt.call.wire.request.method.rawValue) "
        + "\(attempt.subject.operation.path) gets \(status)"
    } else if !isSure {
      return nil
    }
    let requests = count == 1 ? "the only request" : "all of \(count) requests"
    return attempt.subject.options.weighed(
      Diagnostic(
        .providerBasePath, "\(requests) got 404 below \(server)\(attempt.subject.writer.base)",
        at: Location(exchange: "/path"), help: help))
  }

  /// Another base path below which the operation answers, with the status.
  private func likelyPath(_ attempt: Attempt) async -> (path: String, status: Int)? {
    let base = attempt.subject.writer.base
    let outer = base.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    var candidates = BasePaths.from(attempt.subject.operation.servers)
    // What changes data is sent nowhere but where the contract has it.
    if attempt.subject.isSafe { candidates += candidates.map { base + $0 } + [outer] + Self.usual }
    for candidate in candidates.unique() where !candidate.utf8Equals(base) {
      guard
        let answer = try? await client.send(
          moved(attempt.call.wire, from: base, to: candidate), LedgerPurpose(.basePath, label: attempt.call.label)),
        isAnswer(answer, of: attempt.subject.operation)
      else { continue }
      return (candidate, answer.status)
    }
    return nil
  }

  /// Whether an answer is one of the operation rather than a page of the site, or of another operation.
  private func isAnswer(_ answer: Exchange.Response, of operation: Operation) -> Bool {
    guard 200...299 ~= answer.status else { return [401, 403].contains(answer.status) }
    let documented = (operation.response(for: answer.status)?.content ?? []).compactMap { MediaRange($0.range) }
    guard let type = answer.fields[.contentType].flatMap({ MediaRange($0) }), !documented.isEmpty else {
      return true
    }
    return documented.contains { $0.matches(type) }
  }

  private func moved(_ wire: WireRequest, from base: String, to other: String) -> WireRequest {
    var moved = wire
    moved.request.path = other + String(decoding: wire.target.utf8.dropFirst(base.utf8.count), as: UTF8.self)
    return moved
  }
}
