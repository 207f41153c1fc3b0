/// Coverage as JSON and back: a part of JSON reports, and the file that `coverage` writes for other jobs.
package enum CoverageJSON {
  /// Marks by name, in the order in which they are written.
  private static let names: [(mark: Coverage.Marks, name: String)] = [
    (.fixture, "fixture"), (.valid, "valid"), (.served, "served"), (.asserted, "asserted"),
  ]

  package static func value(_ coverage: Coverage) -> JSON {
    [
      "rows": .array(coverage.rows.map(value)),
      "undocumented": .array(coverage.undocumented.map(value)),
    ]
  }

  private static func value(_ row: Coverage.Row) -> JSON {
    var members: [(String, JSON)] = [
      ("contract", .string(row.contract)), ("operation", .string(row.operation)), ("method", .string(row.method)),
      ("path", .string(row.path)),
    ]
    if let type = row.requestType { members.append(("requestType", .string(type))) }
    members.append(("status", .string(row.status)))
    if let meaning = row.meaning { members.append(("meaning", .string(meaning))) }
    if let type = row.responseType { members.append(("responseType", .string(type))) }
    let marks = names.filter { row.marks.contains($0.mark) }.map { JSON.string($0.name) }
    members += [
      ("deprecated", JSON(booleanLiteral: row.isDeprecated)), ("marks", .array(marks)),
      ("tried", JSON(integerLiteral: row.tried)), ("seen", JSON(integerLiteral: row.seen)),
    ]
    return .object(members)
  }

  private static func value(_ item: Coverage.Undocumented) -> JSON {
    let contract = item.contract.map { [("contract", JSON.string($0))] } ?? []
    return .object(
      contract + [
        ("method", .string(item.method)), ("path", .string(item.path)), ("status", JSON(integerLiteral: item.status)),
        ("count", JSON(integerLiteral: item.count)),
      ])
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
      guard let known = names.first(where: { node.isString($0.name) }) else {
        throw RecordProblem("expected one of \(names.map { "`\($0.name)`" }.joined(separator: ", "))", at: node)
      }
      return known.mark
    }
    return Coverage.Row(
      contract: try record.text("contract"), operation: try record.text("operation"),
      method: try record.text("method"), path: try record.text("path"),
      requestType: try record.textIfPresent("requestType"), status: try record.text("status"),
      meaning: try record.textIfPresent("meaning"), responseType: try record.textIfPresent("responseType"),
      isDeprecated: try record.flag("deprecated"), marks: Coverage.Marks(marks), tried: try record.count("tried"),
      seen: try record.count("seen"))
  }

  private static func undocumented(_ node: JSON) throws(RecordProblem) -> Coverage.Undocumented {
    let record = try JSONRecord(node)
    return Coverage.Undocumented(
      contract: try record.textIfPresent("contract"), method: try record.text("method"),
      path: try record.text("path"), status: try record.count("status"), count: try record.count("count"))
  }
}
