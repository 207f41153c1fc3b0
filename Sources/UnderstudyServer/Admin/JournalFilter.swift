import HTTPTypes
import UnderstudyMock
import UnderstudySockets

/// The requests of the journal that the parameters of an admin request choose.
struct JournalFilter {
  /// The parameters, as `specs/admin.yaml` describes them.
  static let parameters = [
    "limit", "after", "since", "operation", "status", "method", "path", "header", "body", "lane", "findings",
    "wait", "open", "sent",
  ]

  private static let listLimit = 1...10_000
  /// The numbers of exchanges and messages.
  static let numbers = ServerSentEvent.numbers

  let limit: Int
  let after: Int
  /// Microseconds since 1970.
  let since: Int?
  let operation: String?
  let status: Int?
  let method: String?
  let path: String?
  let header: Field?
  let body: Field?
  let lane: String?
  let hasFindings: Bool?
  /// Whether requests that the mock has sent, to receivers of callbacks, are shown as well.
  let showsSent: Bool
  /// The number of the last known open exchange; `nil` where exchanges that have not ended are left out.
  private let lastOpen: Int?
  /// How long to wait for the first of them.
  let wait: Duration
  var waits: Bool { wait > .zero }

  /// The longest wait for a request.
  private static let waitLimit: Duration = .seconds(60)

  /// A name or pointer, and the value if the filter asks for one.
  struct Field {
    let name: String
    let value: String?

    init(_ text: String, separator: Character) {
      let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      name = String(parts[0])
      value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : nil
    }
  }

  /// Reads the parameters; refuses unknown ones, and operations that the contracts do not have.
  ///
  /// - Parameter more: The parameters that the resource has besides.
  init(_ admin: AdminRequest, besides more: [String] = []) throws(LaneProblem) {
    try admin.requireParameters(Self.parameters + more)
    lastOpen = try admin.number("open", in: Self.numbers)
    limit = try admin.number("limit", in: Self.listLimit) ?? 1_000
    after = try admin.number("after", in: Self.numbers) ?? 0
    status = try admin.number("status", in: 0...999)
    (method, path, lane) = (admin.text("method")?.uppercased(), admin.text("path"), admin.text("lane"))
    operation = try admin.text("operation").map { text throws(LaneProblem) in try Self.operation(text, admin.mock) }
    header = admin.text("header").map { Field($0, separator: ":") }
    body = try admin.text("body").map { text throws(LaneProblem) in
      let field = Field(text, separator: "=")
      guard JSONPointer(field.name) != nil else {
        throw LaneProblem(
          .invalid, "`body=\(VisibleText.shortened(text, to: 40))` has no JSON pointer",
          help: "expected a pointer, perhaps with a value, as in body=/chat or body=/chat=hello")
      }
      return field
    }
    since = try admin.text("since").map { text throws(LaneProblem) in
      guard let time = Timestamp.microseconds(text.utf8) else {
        throw LaneProblem(
          .invalid, "`\(VisibleText.shortened(text, to: 40))` is not a time for `since`",
          help: "expected a date with a time, as in 2026-01-31T12:00:00Z")
      }
      return time
    }
    wait = try Self.wait(admin)
    showsSent =
      try admin.text("sent").map { text throws(LaneProblem) in
        guard text == "true" else {
          throw LaneProblem(
            .invalid, "`sent` is true, or absent", help: "sent=true also lists the requests of callbacks")
        }
        return true
      } ?? false
    hasFindings = try admin.text("findings").map { text throws(LaneProblem) in
      guard ["true", "false"].contains(text) else {
        throw LaneProblem(.invalid, "`findings` is true or false", help: "findings=true lists requests with findings")
      }
      return text == "true"
    }
  }

  /// The time to wait; zero if it is absent.
  static func wait(_ admin: AdminRequest) throws(LaneProblem) -> Duration {
    guard let text = admin.text("wait") else { return .zero }
    guard let time = ScenarioDuration.read(text), time <= waitLimit else {
      throw LaneProblem(
        .invalid, "`\(VisibleText.shortened(text, to: 40))` is not a time for `wait`",
        help: "expected a time of at most a minute, as in wait=5s")
    }
    return time
  }

  private static func operation(_ text: String, _ mock: Mock) throws(LaneProblem) -> String {
    guard text != "*", let operation = mock.operations.first(where: { $0.compiled.isNamed(text) }) else {
      if let sent = mock.sent.first(where: { $0.name.utf8Equals(text) }) { return sent.name }
      throw LaneProblem(
        .unknown, "no operation is called `\(VisibleText.shortened(text, to: 40))`",
        help: MockOperation.suggestion(for: text, among: mock.operations) ?? "`understudy routes` lists them")
    }
    return operation.id
  }

  /// The chosen requests, the newest first.
  func entries(of journal: Journal) -> [JournalEntry] {
    Array(journal.entries(after: after).reversed().lazy.filter(matches).prefix(limit))
  }

  /// The chosen requests.
  struct Found: Sendable {
    /// The newest first.
    var entries: [JournalEntry] = []
    /// The requests that have not ended, the newest first; `nil` where they are left out. Sockets are requests once they are
    /// closed.
    var open: [OpenStream]?

    var isEmpty: Bool { entries.isEmpty && open?.isEmpty ?? true }
  }

  /// The chosen requests of this process that have not ended, the newest first; `nil` where they are left out.
  func open(in journal: Journal) -> [OpenStream]? { found(in: journal) { _ in true }.open }

  private func found(in journal: Journal, _ isMeant: (JournalEntry) -> Bool) -> Found {
    // Read before the entries, so that an exchange that ends meanwhile is in at least one of the lists.
    let streams = lastOpen.map { last in journal.streams.filter { $0.number > last } }
    let entries = entries(of: journal).filter(isMeant)
    let ended = Set(entries.compactMap(\.served.openNumber))
    let open = streams?.reversed().filter { stream in
      guard !ended.contains(stream.number) else { return false }
      let entry = JournalEntry(number: stream.number, stream.current)
      return entry.served.transcript == nil && matches(entry) && isMeant(entry)
    }
    return Found(entries: entries, open: open)
  }

  /// The chosen requests, as soon as there is one, or none after the time to wait.
  ///
  /// The wait ends with the lane of the filter, as with the mock.
  func awaited(in host: MockHost, where isMeant: (JournalEntry) -> Bool = { _ in true }) async -> Found {
    let (journal, end) = (host.journal, ContinuousClock.now + wait)
    let name = lane.flatMap { try? LaneName($0) }
    while true {
      let found = found(in: journal, isMeant)
      guard found.isEmpty, ContinuousClock.now < end, !journal.isClosed else { return found }
      if let name, host.closed.problem(of: name) != nil { return found }
      // Polling costs a mock nothing while no client waits, unlike a list of waiting clients in the journal.
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return Found() }
    }
  }

  private func matches(_ entry: JournalEntry) -> Bool {
    let exchange = entry.served
    guard showsSent || !exchange.reply.isOfReceiver || operation != nil,
      operation == nil || entry.operation == operation, status == nil || (exchange.status ?? 0) == status,
      method == nil || exchange.method == method, since.map({ exchange.startedAt >= $0 }) ?? true,
      lane == nil || (exchange.reply.lane ?? LaneName.unnamed.text) == lane,
      hasFindings == nil || exchange.reply.diagnostics.isEmpty != hasFindings
    else { return false }
    return path.map { isPath($0, of: exchange.target) } ?? true && header.map { hasHeader($0, exchange) } ?? true
      && body.map { hasValue($0, exchange) } ?? true
  }

  /// Whether a request is for a path, with or without its base path and its lane.
  func isPath(_ path: String, of target: String) -> Bool {
    let sent = target.prefix { $0 != "?" }
    return sent == path || path.utf8.first == UInt8(ascii: "/") && sent.hasSuffix(path)
  }

  private func hasHeader(_ header: Field, _ exchange: ServedRequest) -> Bool {
    guard let request = exchange.request else { return false }
    // `Host` is the authority of an `HTTPRequest`.
    if FieldSyntax.equalIgnoringCase(header.name.utf8, "host".utf8), let authority = request.authority {
      return header.value.map { authority.utf8.elementsEqual($0.utf8) } ?? true
    }
    return request.headerFields.contains { field in
      FieldSyntax.equalIgnoringCase(field.name.rawName.utf8, header.name.utf8)
        && (header.value.map { field.value.utf8.elementsEqual($0.utf8) } ?? true)
    }
  }

  private func hasValue(_ field: Field, _ exchange: ServedRequest) -> Bool {
    exchange.body.map { hasValue(field, in: $0) } ?? false
  }

  func hasValue(_ field: Field, in body: [UInt8]) -> Bool {
    guard let root = MessageBody(body).root, let value = JSONPointer(field.name).flatMap({ root[$0] })
    else { return false }
    guard let wanted = field.value else { return true }
    let text = value.isString ? value.text : JSONWriter.text(value)
    return text.utf8.elementsEqual(wanted.utf8)
  }
}
