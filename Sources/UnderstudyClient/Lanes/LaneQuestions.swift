import Foundation

// What a test asks its lane.
extension Lane {
  /// The requests so far, in the order of their arrival.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation; all requests without it.
  ///   - sourceLocation: The line of the test, for failures.
  public func calls(
    _ operation: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Call] {
    try await ask("calls", at: sourceLocation, needing: Self.arrivals) { lane, admin in
      try await lane.requireEveryRequest(admin)
      return try await lane.recorded(by: admin, operation, showingSecrets: lane.mock.transport.showsSecrets)
    }
  }

  /// The next request of an operation: each is returned once, at its arrival, those that have arrived first. The response may
  /// be late; then the call has no status yet.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation; any request without it.
  ///   - limit: How long to wait.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: When none arrives; the failure lists those that did.
  @discardableResult
  public func next(
    _ operation: String? = nil, within limit: Duration = .seconds(2),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Call {
    let call = "next(\"\(operation ?? "")\")"
    let found = try await ask(call, at: sourceLocation, needing: Self.arrivals) { lane, admin in
      try await lane.following(operation, within: limit, by: admin)
    }
    if let found { return found }
    try requireOpen(call, at: sourceLocation)
    throw issues.failure(
      .silent, "no request\(operation.map { " to `\($0)`" } ?? "") arrived within \(limit.text); \(await overview())",
      at: sourceLocation)
  }

  /// Requires the number of requests to an operation so far.
  public func expect(
    _ operation: String, times: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(operation, "\(Self.counted(times))", at: sourceLocation) { $0 == times }
  }

  /// Requires some requests to an operation so far.
  public func expect(
    _ operation: String, atLeast times: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(operation, "at least \(Self.counted(times))", at: sourceLocation) { $0 >= times }
  }

  /// Limits the number of requests to an operation so far.
  public func expect(
    _ operation: String, atMost times: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(operation, "at most \(Self.counted(times))", at: sourceLocation) { $0 <= times }
  }

  /// What the client did so far.
  public func verdict(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Verdict {
    try await ask("verdict", at: sourceLocation) { lane, admin in
      try await lane.settle(admin)
      return try await lane.verdict(by: admin)
    }
  }

  /// The push messages that the scenario has sent so far, the oldest first.
  public func pushes(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [Push] {
    try await ask("pushes", at: sourceLocation) { lane, admin in
      (try await admin.send("GET", lane.path)["pushes"]?.array ?? []).map(Push.init)
    }
  }

  // MARK: - Parts

  private static func counted(_ count: Int) -> String { "\(count) \(count == 1 ? "request" : "requests")" }

  private func expect(
    _ operation: String, _ expected: String, at sourceLocation: SourceLocation, _ isMet: (Int) -> Bool
  ) async throws {
    let count = try await ask("expect(\"\(operation)\")", at: sourceLocation) { lane, admin in
      try await lane.requireEveryRequest(admin)
      return try await lane.count(by: admin, operation)
    }
    guard !isMet(count) else { return }
    throw issues.failure(
      .failed, "expected \(expected) to `\(operation)`, found \(count); \(await overview())", at: sourceLocation)
  }

  /// Fails for an operation that no contract has.
  func require(_ operation: String, at sourceLocation: SourceLocation) async throws {
    let ids = try await ask(operation, at: sourceLocation) { lane, _ in
      try await MockOperation.all(of: lane.mock).map(\.id)
    }
    guard !ids.contains(operation) else { return }
    let near = ids.filter { $0.caseInsensitiveCompare(operation) == .orderedSame || $0.hasPrefix(operation.prefix(5)) }
    throw issues.failure(
      .refused(status: 409),
      "the mock has no operation `\(operation)`\n  help: it has \((near.isEmpty ? ids : near).joined(separator: ", "))",
      at: sourceLocation)
  }

  func verdict(by admin: AdminClient) async throws -> Verdict {
    Verdict(try await admin.send("GET", path)["verdict"] ?? .null)
  }

  /// The number of requests that have arrived.
  func count(by admin: AdminClient, _ operation: String? = nil) async throws -> Int {
    let features = try await MockHandshake.of(mock).features
    let open = features.contains(Self.arrivals) ? [(name: "open", value: "0")] : []
    let answer = try await admin.send("GET", "requests/count", query: query(operation) + open)
    return (answer["count"]?.int ?? 0) + (answer["open"]?.int ?? 0)
  }

  /// The feature of a mock that lists requests from their arrival.
  static let arrivals = "arrivals"

  func recorded(
    by admin: AdminClient, _ operation: String? = nil, showingSecrets showsSecrets: Bool = false
  ) async throws -> [Call] {
    let list = try await admin.send(
      "GET", "requests/details", query: query(operation) + Self.secrets(showsSecrets) + [("open", "0")])
    let templates = try await MockOperation.templates(of: mock)
    return Arrival.all(in: list).map { Call($0.detail, templates: templates) }
  }

  /// The maximum number of requests that the mock lists at once.
  private static let listLimit = 10_000

  private func query(_ operation: String?) -> [(name: String, value: String)] {
    [("lane", name), ("limit", "\(Self.listLimit)")] + (operation.map { [("operation", $0)] } ?? [])
  }

  private static func secrets(_ areShown: Bool) -> [(name: String, value: String)] {
    areShown ? [("secrets", "shown")] : []
  }

  /// The longest time that the mock lets one question wait.
  private static let longestWait = Duration.seconds(50)

  private func following(_ operation: String?, within limit: Duration, by admin: AdminClient) async throws -> Call? {
    let end = ContinuousClock.now + limit
    let key = operation ?? ""
    while true {
      let rest = max(.zero, end - .now)
      let wait = min(rest, Self.longestWait)
      let known = notes.withLock { $0.returned[key] } ?? Arrival.Returned()
      var query = query(operation) + Self.secrets(mock.transport.showsSecrets)
      query += [("after", "\(known.last)"), ("open", "\(known.lastOpen)")]
      if wait > .zero { query.append(("wait", wait.text)) }
      let arrivals = Arrival.all(in: try await admin.send("GET", "requests/details", query: query, wait: wait))
      let next = notes.withLock { $0.returned[key, default: Arrival.Returned()].take(from: arrivals) }
      if let next { return Call(next.detail, templates: try await MockOperation.templates(of: mock)) }
      try Task.checkCancellation()
      if rest == .zero || notes.withLock(\.isClosed) { return nil }
    }
  }

  /// Waits until the mock lists every request that its lane has seen: a request is listed a moment later.
  ///
  /// - Returns: The number of requests that the lane has seen, and of those that the mock lists.
  @discardableResult
  private func settle(_ admin: AdminClient) async throws -> (seen: Int, listed: Int) {
    var (seen, listed) = (0, 0)
    for attempt in 0..<6 {
      (seen, listed) = (try await verdict(by: admin).requests, try await count(by: admin))
      if listed >= seen { break }
      try await Task.sleep(for: .milliseconds(1 << attempt))
    }
    return (seen, listed)
  }

  /// Settles, and fails where the mock has dropped requests of the lane: what is left would look like all of them.
  private func requireEveryRequest(_ admin: AdminClient) async throws {
    let (seen, listed) = try await settle(admin)
    guard listed < seen else { return }
    let meta = try await admin.send("GET", "requests", query: [("limit", "1")])["meta"]
    guard listed >= Self.listLimit || meta?["dropped"]?.int ?? 0 > 0 else { return }
    throw UnderstudyError(
      .misused,
      "the mock lists \(listed) of the \(seen) requests of the lane: newer requests replaced the others",
      help: "ask while the lane has few requests; `verdict()` covers all of them")
  }

  private static let shown = 10

  /// What arrived, for a message: `the client sent readUser (GET /v1/user)`.
  func overview() async -> String {
    let calls = (try? await recorded(by: AdminClient(mock: mock))) ?? []
    return calls.isEmpty
      ? "the client sent none at all\n  help: its base URL must be \(baseURL.absoluteString), and it must be awaited"
      : Self.overview(of: calls)
  }

  static func overview(of calls: [Call]) -> String {
    guard !calls.isEmpty else { return "the client sent nothing" }
    let names = calls.prefix(Self.shown).map { call in
      (call.operation.map { "\($0) (" } ?? "") + "\(call.method) \(call.path)" + (call.operation == nil ? "" : ")")
    }
    return "the client sent \(names.joined(separator: ", "))"
      + (calls.count > Self.shown ? " and \(calls.count - Self.shown) more" : "")
  }
}
