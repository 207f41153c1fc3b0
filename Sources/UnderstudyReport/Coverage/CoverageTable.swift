/// The coverage of one contract as a table: operations down, statuses across.
struct CoverageTable {
  let contract: String
  /// Codes in ascending order, then ranges, then `default`.
  let statuses: [String]
  let lines: [Line]

  /// An operation with a cell for each status of the table.
  struct Line {
    let method: String
    let path: String
    let isDeprecated: Bool
    let cells: [Cell]

    /// `GET /pets`
    var title: String { "\(method) \(path)" }
  }

  enum Cell {
    /// A status that the operation does not document and that was not seen.
    case empty
    /// A documented status: one row for each pair of media types.
    case documented([Coverage.Row])
    /// A status that was seen, but is not documented.
    case stray(Coverage.Undocumented)
  }

  /// The tables of a coverage, in the order of its contracts.
  static func all(_ coverage: Coverage) -> [CoverageTable] {
    coverage.rows.grouped(by: \.contract).map { contract, rows in
      CoverageTable(contract, rows, coverage.undocumented.filter { $0.contract?.utf8Equals(contract) == true })
    }
  }

  private init(_ contract: String, _ rows: [Coverage.Row], _ undocumented: [Coverage.Undocumented]) {
    let operations = rows.grouped(by: \.operation).map(\.elements)
    let strays = operations.map { rows in
      undocumented.filter { $0.path.utf8Equals(rows[0].path) && $0.method.utf8Equals(rows[0].method) }
    }
    let statuses = Self.ordered(rows.map(\.status) + strays.joined().map { String($0.status) })
    self.contract = contract
    self.statuses = statuses
    lines = zip(operations, strays).map { rows, strays in
      let documented = Dictionary(grouping: rows, by: \.status)
      let cells = statuses.map { status -> Cell in
        if let rows = documented[status] { return .documented(rows) }
        return strays.first { String($0.status) == status }.map(Cell.stray) ?? .empty
      }
      return Line(method: rows[0].method, path: rows[0].path, isDeprecated: rows[0].isDeprecated, cells: cells)
    }
  }

  private static func ordered(_ statuses: [String]) -> [String] {
    func rank(_ status: String) -> Int { Int(status) != nil ? 0 : status == "default" ? 2 : 1 }
    return Set(statuses).sorted { (rank($0), $0) < (rank($1), $1) }
  }
}

/// How many of the media types of a request have a mark in one cell.
enum MarkState {
  case none, some, all

  /// - Parameter answers: The answers of one cell, one for each media type of the request.
  init(_ mark: Coverage.Mark, in answers: [Coverage.Row]) {
    let count = answers.count { $0.marks.contains(mark) }
    self = count == 0 ? .none : count == answers.count ? .all : .some
  }

  /// `F` for all, `f` for some, the glyph for none.
  func letter(of mark: Coverage.Mark, missing: String) -> String {
    let letter = mark.rawValue.prefix(1)
    return switch self {
    case .none: missing
    case .some: String(letter)
    case .all: letter.uppercased()
    }
  }
}

extension Coverage {
  /// The number of cells: operations x documented statuses.
  package var cells: Int { rows.map { [$0.contract, $0.operation, $0.status] }.unique().count }

  /// Why the numbers count more answers than the contracts have cells; `nil` if they do not.
  package var answersNote: String? {
    let (answers, cells) = (answers.count, cells)
    return answers == cells
      ? nil : "\(answers.counted("answer")) in \(cells.counted("cell")): one for each media type of a request"
  }
}
