import HTTPTypes
import UnderstudyMock

/// The requests of all replicas that the parameters of an admin request choose, from the store that they share.
struct SharedRequests: Sendable {
  let replicas: ReplicaGroup
  let filter: JournalFilter

  /// The chosen requests, and the total number of stored requests.
  struct Found: Sendable {
    /// The newest first.
    var entries: [StoredEntry] = []
    var total = 0
  }

  /// The number of exchanges that are read at a time.
  private static let pageSize = 1_000
  /// The time between two questions to the store while a client waits for a request.
  private static let pollInterval: Duration = .milliseconds(50)

  /// The chosen requests, as soon as there is one, or none after the time to wait.
  func awaited(
    in host: MockHost, where isMeant: @escaping @Sendable (StoredEntry) -> Bool
  ) async -> Result<Found, LaneProblem> {
    let end = ContinuousClock.now + filter.wait
    var flushes = true
    while true {
      let isFirst = flushes
      let result = await replicas.wait { () throws(LaneProblem) in try found(flushing: isFirst, where: isMeant) }
      flushes = false
      guard case .success(let found) = result, found.entries.isEmpty, ContinuousClock.now < end, !host.journal.isClosed
      else { return result }
      if let name = filter.lane.flatMap({ try? LaneName($0) }), host.closed.problem(of: name) != nil { return result }
      guard (try? await Task.sleep(for: Self.pollInterval)) != nil else { return .success(Found()) }
    }
  }

  private func found(
    flushing flushes: Bool, where isMeant: (StoredEntry) -> Bool
  ) throws(LaneProblem) -> Found {
    if flushes { _ = try replicas.flushAll() }
    var position = max(filter.after, try replicas.clearedPosition())
    var found = Found()
    while true {
      let page = try replicas.entries(of: filter.lane, after: position, limit: Self.pageSize)
      guard let last = page.last else { break }
      position = last.number
      found.total += page.count
      found.entries += page.filter { filter.matches($0) && isMeant($0) }
      if found.entries.count > filter.limit { found.entries.removeFirst(found.entries.count - filter.limit) }
    }
    found.entries.reverse()
    return found
  }

  /// The exchange at a position; `nil` if the store has none there.
  func entry(_ number: Int) throws(LaneProblem) -> StoredEntry? {
    guard number > 0 else { return nil }
    _ = try replicas.flushAll()
    return try replicas.entries(of: nil, after: number - 1, limit: 1).first { $0.number == number }
  }
}

extension JournalFilter {
  func matches(_ entry: StoredEntry) -> Bool {
    guard showsSent || !entry.isSent || operation != nil,
      operation == nil || entry["operation"]?.text == operation,
      status == nil || (entry["status"].flatMap { Int($0.text) } ?? 0) == status,
      method == nil || entry["method"]?.text == method,
      since.map({ since in (entry["time"].flatMap { Timestamp.microseconds($0.text.utf8) } ?? 0) >= since }) ?? true,
      lane == nil || entry.lane == lane, hasFindings == nil || entry.hasFindings == hasFindings
    else { return false }
    return path.map { isPath($0, of: entry["target"]?.text ?? "") } ?? true
      && header.map { hasHeader($0, entry) } ?? true && body.map { hasValue($0, entry) } ?? true
  }

  private func hasHeader(_ header: Field, _ entry: StoredEntry) -> Bool {
    guard let headers = entry.exchange?["request"]?["headers"] else { return false }
    return headers.elements.contains { field in
      FieldSyntax.equalIgnoringCase((field["name"]?.text ?? "").utf8, header.name.utf8)
        && (header.value.map { (field["value"]?.text ?? "").utf8.elementsEqual($0.utf8) } ?? true)
    }
  }

  private func hasValue(_ field: Field, _ entry: StoredEntry) -> Bool {
    guard let data = entry.exchange?["request"]?["postData"], data["encoding"] == nil, let text = data["text"]?.text
    else { return false }
    return hasValue(field, in: Array(text.utf8))
  }
}

extension StoredEntry {
  fileprivate var hasFindings: Bool { self["findings"].map { $0.count > 0 } ?? false }
}

/// The responses of `/__admin/requests` for a mock with replicas.
struct SharedRequestRoutes {
  private let admin: AdminRequest
  private let replicas: ReplicaGroup

  init(_ admin: AdminRequest, _ replicas: ReplicaGroup) { (self.admin, self.replicas) = (admin, replicas) }

  /// Shows the requests that the parameters choose, off the event loop.
  func filtered(
    besides more: [String] = [], where isMeant: @escaping @Sendable (StoredEntry) -> Bool = { _ in true },
    _ show: @escaping @Sendable (AdminRequest, SharedRequests.Found) -> JSON
  ) throws(LaneProblem) -> Reply {
    let filter = try JournalFilter(admin, besides: more)
    let requests = SharedRequests(replicas: replicas, filter: filter)
    return admin.answer(waitsForEvents: filter.waits) { [admin] in
      switch await requests.awaited(in: admin.host, where: isMeant) {
      case .success(let found): admin.answer(show(admin, found))
      case .failure(let problem): problem.reply
      }
    }
  }

  func list(
    besides more: [String] = [], where isMeant: @escaping @Sendable (StoredEntry) -> Bool = { _ in true },
    _ show: @escaping @Sendable (StoredEntry) -> JSON
  ) throws(LaneProblem) -> Reply {
    let filter = try JournalFilter(admin, besides: more)
    return try filtered(besides: more, where: isMeant) { admin, found in
      let open = filter.open(in: admin.host.journal)
      let printer = open.map { _ in admin.host.printer() }
      return .object(
        ("requests", .array(found.entries.map(show))),
        ("open", open.map { .array($0.compactMap { printer?.summary($0).value }) }),
        (
          "meta",
          .object(("total", .integer(found.total)), ("held", .integer(found.total)), ("bytes", 0), ("dropped", 0))
        ))
    }
  }

  func har() throws(LaneProblem) -> Reply {
    try filtered(besides: ["secrets"]) { _, found in
      let head = JSON.object(
        ("version", "1.2"), ("creator", creator), ("entries", .array(found.entries.reversed().compactMap(\.exchange))))
      return .object([("log", head)])
    }
  }

  private var creator: JSON { .object(("name", "understudy"), ("version", .string(ServerVersion.current))) }

  /// The exchange that the path names.
  func read() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["secrets"])
    guard let number = Int(admin.path[1]),
      let entry = try SharedRequests(replicas: replicas, filter: try JournalFilter(admin, besides: ["secrets"])).entry(
        number)
    else {
      throw LaneProblem(
        .unknown, "the store holds no request `\(VisibleText.shortened(admin.path[1], to: 40))`",
        help: "GET \(admin.root)/requests lists those that it holds")
    }
    return admin.answer(entry.detail)
  }
}
