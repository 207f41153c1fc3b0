/// Reads findings that another process wrote as JSON.
package enum DiagnosticReader {
  /// Reads the members of `Diagnostic.JSONFormat.report`.
  package static func diagnostic(_ node: JSON) throws(RecordProblem) -> Diagnostic {
    let record = try JSONRecord(node)
    let severity = try record.choice("severity", of: Severity.allCases)
    let owner = try record.choice("owner", of: Owner.allCases)
    let id = try record.text("rule")
    let notes = try record.listIfPresent("notes") { (node) throws(RecordProblem) in
      let record = try JSONRecord(node)
      return Diagnostic.Note(try record.text("message"), at: try record.ifPresent("place", place))
    }
    // Another version may have other rules.
    var diagnostic = Diagnostic(
      Rule.named(id) ?? Rule(id, severity, owner: owner, "", help: ""), try record.text("message"),
      at: try record.ifPresent("place", place), severity: severity, notes: notes,
      help: try record.textIfPresent("help"))
    diagnostic.owner = owner
    return diagnostic
  }

  package static func place(_ node: JSON) throws(RecordProblem) -> Location {
    let record = try JSONRecord(node)
    return Location(
      path: try record.textIfPresent("file"), line: try record.countIfPresent("line", from: 1),
      column: try record.countIfPresent("column", from: 1), endLine: try record.countIfPresent("endLine", from: 1),
      endColumn: try record.countIfPresent("endColumn", from: 1), pointer: try record.textIfPresent("pointer"),
      excerpt: try record.ifPresent("excerpt", excerpt))
  }

  /// A part of a line and a mark in it. The numbers are limited, because the mark is printed after as many blanks.
  private static func excerpt(_ node: JSON) throws(RecordProblem) -> Excerpt {
    let record = try JSONRecord(node)
    return Excerpt(
      text: try record.text("text"), offset: try record.count("offset", to: 1_000),
      length: try record.count("length", from: 1, to: 1_000))
  }
}
