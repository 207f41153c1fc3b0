/// Which cells of which contracts have a fixture, have a valid one, were served and were asserted.
package struct Coverage: Sendable, Equatable {
  /// In the order of the contracts: one row for each pair of media types of request and response.
  package var rows: [Row] = []
  /// Statuses that were seen and that no contract documents. They do not count in shares.
  package var undocumented: [Undocumented] = []

  package init() {}

  /// One operation x media type of the request x status x media type of the response.
  package struct Row: Sendable, Equatable {
    package var contract: String
    /// The operation's id.
    package var operation: String
    package var method: String
    /// The path template.
    package var path: String
    /// `nil` if no body is documented.
    package var requestType: String?
    /// `200`, `4XX`, `default`.
    package var status: String
    package var meaning: String?
    /// `nil` if no body is documented.
    package var responseType: String?
    package var isDeprecated: Bool
    package var marks: Set<Mark>
    /// The number of requests that reached the operation with this media type.
    package var tried: Int
    /// The number of responses that belong to this row.
    package var seen: Int
  }

  /// What is known of a row. The marks are independent of each other.
  package enum Mark: String, CaseIterable, Sendable {
    /// A fixture or an example of the contract answers it.
    case fixture
    /// Every fixture and example of it keeps the contract, or violates exactly what it declares.
    case valid
    /// A response of it was sent.
    case served
    /// An exchange with it was validated and found valid.
    case asserted
  }

  /// A status of an operation, or an operation, that no contract documents.
  package struct Undocumented: Sendable, Hashable {
    package var contract: String?
    package var method: String
    /// The path template, or the path if no template matches.
    package var path: String
    package var status: Int
    package var count: Int
  }

  /// How many answers have a mark.
  package struct Share: Sendable, Equatable {
    package var count: Int
    package var total: Int

    /// Whole percents, rounded down: 99.9 is not 100. `nil` if there are no answers.
    package var percent: Int? { total == 0 ? nil : count * 100 / total }
  }

  // MARK: - Numbers

  /// The units of numbers and gates: all rows of one operation, request type and status together. The server chooses
  /// among the documented types of a response, and most servers send only one.
  package var answers: [Row] { Self.answers(of: rows) }

  static func answers(of rows: [Row]) -> [Row] {
    rows.grouped { [$0.contract, $0.operation, $0.requestType ?? "", $0.status] }.map { _, rows in
      var answer = rows[0]
      if rows.count > 1 { answer.responseType = nil }
      answer.marks = rows.reduce(into: []) { $0.formUnion($1.marks) }
      if rows.contains(where: { $0.marks.contains(.fixture) && !$0.marks.contains(.valid) }) {
        answer.marks.remove(.valid)
      }
      answer.tried = rows.map(\.tried).max() ?? 0
      answer.seen = rows.reduce(0) { $0 + $1.seen }
      return answer
    }
  }

  package func share(of mark: Mark) -> Share {
    let answers = answers
    return Share(count: answers.count { $0.marks.contains(mark) }, total: answers.count)
  }

  /// `served 12 (60 %), asserted 4 (20 %)`
  package func shares(of marks: [Mark]) -> String {
    marks.map { mark in
      let share = share(of: mark)
      return "\(mark.rawValue) \(share.count) (\(share.percent ?? 0) %)"
    }.joined(separator: ", ")
  }

  /// Documented answers that no request asked for.
  package var neverTried: [Row] { answers.filter { $0.tried == 0 } }

  /// Documented answers that requests asked for and never got.
  package var neverSeen: [Row] { answers.filter { $0.tried > 0 && $0.seen == 0 } }

  /// The coverage without deprecated operations.
  package var withoutDeprecated: Coverage {
    var coverage = self
    coverage.rows.removeAll(where: \.isDeprecated)
    return coverage
  }

  // MARK: - Merging

  /// The coverage of several runs: marks are joined, counts are added. The order of the runs makes no difference, so
  /// rows are sorted.
  package static func merge(_ parts: [Coverage]) -> Coverage {
    guard parts.count > 1 else { return parts.first ?? Coverage() }
    func sorted<Element>(_ elements: [Element], by key: (Element) -> [String]) -> [[Element]] {
      elements.grouped(by: key).sorted { a, b in
        a.key.lexicographicallyPrecedes(b.key) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }.map(\.elements)
    }
    var merged = Coverage()
    merged.rows = sorted(parts.flatMap(\.rows), by: \.key).map { rows in
      rows.dropFirst().reduce(into: rows[0]) { $0.join($1) }
    }
    merged.undocumented = sorted(parts.flatMap(\.undocumented), by: \.key).map { items in
      var item = items[0]
      item.count = items.reduce(0) { $0 + $1.count }
      return item
    }
    return merged
  }
}

extension Coverage.Row {
  /// `POST /queue (application/json) 203 penaltyFirst text/plain`
  package var title: String {
    let sent = requestType.map { " (\($0))" } ?? ""
    let meaning = meaning.flatMap { $0.utf8Equals(status) ? nil : " \($0)" } ?? ""
    return "\(method) \(path)\(sent) \(status)\(meaning)" + (responseType.map { " \($0)" } ?? "")
  }

  /// The same in every run. An absent media type differs from an empty one.
  fileprivate var key: [String] {
    let (sent, received) = (requestType.map { " \($0)" } ?? "", responseType.map { " \($0)" } ?? "")
    return [contract, path, method, operation, sent, status, received]
  }

  fileprivate mutating func join(_ other: Coverage.Row) {
    marks.formUnion(other.marks)
    tried += other.tried
    seen += other.seen
    isDeprecated = isDeprecated || other.isDeprecated
    meaning = [meaning, other.meaning].compactMap(\.self).min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension Coverage.Undocumented {
  fileprivate var key: [String] { [contract ?? "", path, method, String(status)] }
}
