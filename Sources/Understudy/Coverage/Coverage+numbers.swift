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

  /// How many rows of a scope have a mark.
  package struct Share: Sendable, Equatable {
    package var count: Int
    package var total: Int

    /// Whole percents, rounded down: 99.9 is not all. `nil` where there is nothing to have it.
    package var percent: Int? { total == 0 ? nil : count * 100 / total }
  }

  /// How many rows have a mark. What is documented nowhere is no row, so it never counts.
  package func share(of mark: Mark) -> Share {
    Share(count: rows.count { $0.marks.contains(mark.marks) }, total: rows.count)
  }

  /// Documented, and no request ever reached the operation with this media type.
  package var neverTried: [Row] { rows.filter { $0.tried == 0 } }

  /// Requests came, and none was answered so.
  package var neverSeen: [Row] { rows.filter { $0.tried > 0 && $0.seen == 0 } }

  /// Rows of one operation and status together, whatever their media types; in the order of the rows.
  package static func cells(of rows: [Row]) -> [[Row]] {
    var cells: [[Row]] = []
    var places: [[String]: Int] = [:]
    for row in rows {
      let key = [row.contract, row.operation, row.status]
      if let place = places[key] {
        cells[place].append(row)
      } else {
        places[key] = cells.count
        cells.append([row])
      }
    }
    return cells
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
    let meaning = meaning.flatMap { $0.isSpelled(status) ? nil : " \($0)" } ?? ""
    return "\(method) \(path)\(sent) \(status)\(meaning)" + (responseType.map { " \($0)" } ?? "")
  }
}
