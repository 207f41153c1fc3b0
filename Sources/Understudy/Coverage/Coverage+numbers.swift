extension Coverage {
  /// A mark by the name that people use.
  package enum Mark: String, CaseIterable, Sendable {
    case fixture, valid, served, asserted

    package var marks: Marks {
      switch self {
      case .fixture: .fixture
      case .valid: .valid
      case .served: .served
      case .asserted: .asserted
      }
    }
  }

  /// How many answers have a mark.
  package struct Share: Sendable, Equatable {
    package var count: Int
    package var total: Int

    /// Whole percents, rounded down: 99.9 is not all. `nil` where there is nothing to have it.
    package var percent: Int? { total == 0 ? nil : count * 100 / total }
  }

  /// What numbers and gates count: the rows of one operation, request type and status as one. Which of the documented types
  /// an answer has is the server's choice, and most servers send one only.
  package var answers: [Row] {
    Self.grouped(rows) { [$0.contract, $0.operation, $0.requestType ?? "", $0.status] }.compactMap { rows in
      guard var answer = rows.first else { return nil }
      if rows.count > 1 { answer.responseType = nil }
      answer.marks = rows.reduce([]) { $0.union($1.marks) }
      if rows.contains(where: { $0.marks.isDisjoint(with: .valid) && $0.marks.contains(.fixture) }) {
        answer.marks.remove(.valid)
      }
      answer.tried = rows.map(\.tried).max() ?? 0
      answer.seen = rows.reduce(0) { $0 + $1.seen }
      return answer
    }
  }

  /// How many answers have a mark. What is documented nowhere is none, so it never counts.
  package func share(of mark: Mark) -> Share {
    let answers = answers
    return Share(count: answers.count { $0.marks.contains(mark.marks) }, total: answers.count)
  }

  /// `served 12 (60 %), asserted 4 (20 %)`
  package func shares(of marks: [Mark]) -> String {
    marks.map { mark in
      let share = share(of: mark)
      return "\(mark.rawValue) \(share.count) (\(share.percent ?? 0) %)"
    }.joined(separator: ", ")
  }

  /// Documented, and no request ever reached the operation with this media type.
  package var neverTried: [Row] { answers.filter { $0.tried == 0 } }

  /// Requests came, and none was answered so.
  package var neverSeen: [Row] { answers.filter { $0.tried > 0 && $0.seen == 0 } }

  /// Rows with the same key together, in the order of their firsts.
  package static func grouped(_ rows: [Row], by key: (Row) -> [String]) -> [[Row]] {
    var groups: [[Row]] = []
    var places: [[String]: Int] = [:]
    for row in rows {
      let key = key(row)
      if let place = places[key] {
        groups[place].append(row)
      } else {
        places[key] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  /// Without the operations that nobody should use any more.
  package var withoutDeprecated: Coverage {
    var coverage = self
    coverage.rows.removeAll(where: \.isDeprecated)
    return coverage
  }
}

extension Coverage.Row {
  /// `POST /queue (application/json) 203 penaltyFirst text/plain`: how people find it in the contract.
  package var title: String {
    let sent = requestType.map { " (\($0))" } ?? ""
    let meaning = meaning.flatMap { $0.utf8Equals(status) ? nil : " \($0)" } ?? ""
    return "\(method) \(path)\(sent) \(status)\(meaning)" + (responseType.map { " \($0)" } ?? "")
  }
}
