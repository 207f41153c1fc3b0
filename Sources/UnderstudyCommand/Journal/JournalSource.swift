import UnderstudyMock
import UnderstudyStore
import UnderstudyVerification

/// Exchanges to read: a file that `serve --journal` wrote, or a store of `serve --store`.
enum JournalSource {
  case file(JournalFile)
  case store(any StoredExchanges)

  /// - Parameter address: The path of a file, or the address of a database.
  init(_ address: String) throws {
    if let store = Self.store(address) {
      do throws(LaneProblem) {
        let exchanges = try store.openExchanges()
        self = .store(exchanges)
        guard case .file(let path) = store, try exchanges.exchanges(of: nil, after: 0, limit: 1).isEmpty else { return }
        throw LaneProblem(
          .store,
          "\(VisibleText.line(path)) has lanes and no exchanges: a mock with a store in a file keeps its journal in memory",
          help: "`serve --store \(VisibleText.line(path)) --journal FILE` writes the exchanges to a file")
      } catch {
        throw CommandFailure(.notLoadable, error.message, help: error.help)
      }
    } else {
      self = .file(
        try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in try JournalFile(reading: address) })
    }
  }

  /// The store at an address; `nil` for a journal, and for a file that does not exist.
  private static func store(_ address: String) -> StoreAddress? {
    guard let store = try? StoreAddress(address) else { return nil }
    if case .file(let path) = store, !StoreAddress.isStore(path) { return nil }
    return store
  }

  /// Whether an address names a database server, and no file.
  static func isServer(_ address: String) -> Bool { StoreAddress.isServer(address) }

  /// The name of a recording in messages and reports, without a password.
  static func name(of address: String) -> String {
    isServer(address) ? (try? StoreAddress(address))?.name ?? "a PostgreSQL store" : address
  }

  /// Gets each request as the admin API shows it, the oldest first.
  func forEach(_ filter: JournalFile.Filter, _ body: (JSON) -> Void) throws {
    switch self {
    case .file(let file):
      try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in try file.forEach(filter, body) }
    case .store(let store):
      do throws(LaneProblem) {
        try Self.forEach(in: store, filter, body)
      } catch {
        throw CommandFailure(.notLoadable, error.message, help: error.help)
      }
    }
  }

  /// The number of exchanges that are read at a time.
  private static let pageSize = 500

  private static func forEach(
    in store: any StoredExchanges, _ filter: JournalFile.Filter, _ body: (JSON) -> Void
  ) throws(LaneProblem) {
    var newest: [JSON] = []
    var position = filter.number.map { $0 - 1 } ?? 0
    while true {
      let page = try store.exchanges(of: filter.lane, after: position, limit: filter.number == nil ? pageSize : 1)
      for exchange in page {
        guard let detail = exchange.detail, filter.accepts(detail),
          filter.number ?? exchange.position == exchange.position
        else { continue }
        guard let limit = filter.limit, filter.number == nil else {
          body(detail)
          continue
        }
        newest.append(detail)
        if newest.count >= 2 * limit { newest.removeFirst(newest.count - limit) }
      }
      guard let last = page.last, page.count == pageSize else { break }
      position = last.position
    }
    if let limit = filter.limit { newest.suffix(limit).forEach(body) }
  }
}

extension JournalFile.Filter {
  /// Whether an exchange is read; its lane and number are known to be right.
  fileprivate func accepts(_ detail: JSON) -> Bool {
    func count(_ name: String) -> Int { detail[name].flatMap { Int($0.text) } ?? 0 }
    if let operation, detail["operation"]?.string?.utf8Equals(operation) != true { return false }
    if let status, detail["status"].flatMap({ Int($0.text) }) != status { return false }
    if let method, detail["method"]?.string?.utf8Equals(method) != true { return false }
    if onlyFindings, count("errors") + count("warnings") == 0 { return false }
    return !onlyUnmatched || detail["operation"] == nil
  }
}

extension StoredExchange {
  /// The exchange as the admin API shows it, under its position in the store; `nil` for a string of a later version.
  ///
  /// The string is an entry of a HAR file, with the rest as a member `_entry`.
  fileprivate var detail: JSON? {
    guard let entry = try? JSONParser.parse(Array(text.utf8)).root, let rest = entry["_entry"] else { return nil }
    let har = entry.members.filter { $0.name != "_entry" }.map { ($0.name, $0.value) }
    return .object(
      [("id", .integer(position))] + rest.members.filter { $0.name != "sent" }.map { ($0.name, $0.value) }
        + (har.isEmpty ? [] : [("exchange", .object(har))]))
  }
}
