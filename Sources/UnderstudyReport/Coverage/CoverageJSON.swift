/// Coverage as JSON: a part of JSON reports, and the file that `coverage` writes for other jobs.
package enum CoverageJSON {
  package static func value(_ coverage: Coverage) -> JSON {
    ["rows": .array(coverage.rows.map(value)), "undocumented": .array(coverage.undocumented.map(value))]
  }

  private static func value(_ row: Coverage.Row) -> JSON {
    let marks = Coverage.Mark.allCases.filter(row.marks.contains).map { JSON.string($0.rawValue) }
    return .object(
      ("contract", .string(row.contract)), ("operation", .string(row.operation)), ("method", .string(row.method)),
      ("path", .string(row.path)), ("requestType", row.requestType.map(JSON.string)), ("status", .string(row.status)),
      ("meaning", row.meaning.map(JSON.string)), ("responseType", row.responseType.map(JSON.string)),
      ("deprecated", JSON(booleanLiteral: row.isDeprecated)), ("marks", .array(marks)), ("tried", .integer(row.tried)),
      ("seen", .integer(row.seen)))
  }

  private static func value(_ item: Coverage.Undocumented) -> JSON {
    .object(
      ("contract", item.contract.map(JSON.string)), ("method", .string(item.method)), ("path", .string(item.path)),
      ("status", .integer(item.status)), ("count", .integer(item.count)))
  }

  /// Reads what `value` wrote.
  package static func coverage(_ node: JSON) throws(RecordProblem) -> Coverage {
    let record = try JSONRecord(node)
    var coverage = Coverage()
    coverage.rows = try record.list("rows", row)
    coverage.undocumented = try record.list("undocumented", undocumented)
    return coverage
  }

  private static func row(_ node: JSON) throws(RecordProblem) -> Coverage.Row {
    let record = try JSONRecord(node)
    let marks = try record.list("marks") { (node: JSON) throws(RecordProblem) in
      guard let mark = Coverage.Mark.allCases.first(where: { node.isString($0.rawValue) }) else {
        let names = Coverage.Mark.allCases.map { "`\($0.rawValue)`" }
        throw RecordProblem("expected one of \(names.joined(separator: ", "))", at: node)
      }
      return mark
    }
    return Coverage.Row(
      contract: try record.text("contract"), operation: try record.text("operation"),
      method: try record.text("method"), path: try record.text("path"),
      requestType: try record.textIfPresent("requestType"), status: try record.text("status"),
      meaning: try record.textIfPresent("meaning"), responseType: try record.textIfPresent("responseType"),
      isDeprecated: try record.flag("deprecated"), marks: Set(marks), tried: try record.count("tried"),
      seen: try record.count("seen"))
  }

  private static func undocumented(_ node: JSON) throws(RecordProblem) -> Coverage.Undocumented {
    let record = try JSONRecord(node)
    return Coverage.Undocumented(
      contract: try record.textIfPresent("contract"), method: try record.text("method"),
      path: try record.text("path"), status: try record.count("status"), count: try record.count("count"))
  }
}
