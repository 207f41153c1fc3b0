/// The first entry of a recording that shows a finding.
struct RecordedSighting {
  let entry: HAREntry
  /// The body that the finding may be about.
  let body: RecordedBody
  /// `nil` for a recording that only this program reads.
  let file: String?

  /// Adds the entry and a reproduction to a finding. One request does not repeat what several prove.
  func complete(_ finding: inout Report.Finding, _ diagnostic: Diagnostic, _ redactor: Redactor) {
    guard let file else { return }
    if !diagnostic.rule.isAboutSequences { finding.reproduction = entry.curl(redactor) }
    let pointer = diagnostic.location?.pointer ?? ""
    var place = Report.Place(file: file, line: entry.line, pointer: entry.pointer)
    place.column = entry.column
    let time = entry.startedDateTime.isEmpty ? "" : ", \(entry.startedDateTime)"
    finding.notes.append(.init("first seen in entry \(entry.index)\(time)", at: place))
    if case .rebuilt = body, pointer.hasPrefix("/body") {
      finding.notes.append(.init("the body was rebuilt from `postData.params`"))
    }
  }
}
