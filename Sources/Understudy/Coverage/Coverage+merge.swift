extension Coverage {
  /// What several runs saw together: marks are joined, counts are added. The order of the runs makes no difference.
  ///
  /// Rows come out sorted, since parts of one contract have no order between them.
  package static func merge(_ parts: [Coverage]) -> Coverage {
    guard parts.count > 1 else { return parts.first ?? Coverage() }
    var rows: [[String]: Row] = [:]
    var undocumented: [[String]: Undocumented] = [:]
    for part in parts {
      for row in part.rows {
        if let known = rows[row.key] { rows[row.key] = known.joined(with: row) } else { rows[row.key] = row }
      }
      for item in part.undocumented {
        undocumented[item.key, default: item.none].count += item.count
      }
    }
    var merged = Coverage()
    merged.rows = rows.sorted { precedes($0.key, $1.key) }.map(\.value)
    merged.undocumented = undocumented.sorted { precedes($0.key, $1.key) }.map(\.value)
    return merged
  }

  private static func precedes(_ a: [String], _ b: [String]) -> Bool {
    a.lexicographicallyPrecedes(b) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension Coverage.Row {
  /// What is the same for a row in every run.
  fileprivate var key: [String] {
    // An absent media type is not the same as an empty one.
    [
      contract, path, method, operation, requestType.map { " \($0)" } ?? "", status,
      responseType.map { " \($0)" } ?? "",
    ]
  }

  fileprivate func joined(with other: Coverage.Row) -> Coverage.Row {
    var row = self
    row.marks.formUnion(other.marks)
    row.tried += other.tried
    row.seen += other.seen
    row.isDeprecated = isDeprecated || other.isDeprecated
    row.meaning = [meaning, other.meaning].compactMap(\.self).min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return row
  }
}

extension Coverage.Undocumented {
  fileprivate var key: [String] { [contract ?? "", path, method, String(status)] }

  fileprivate var none: Coverage.Undocumented {
    var none = self
    none.count = 0
    return none
  }
}
