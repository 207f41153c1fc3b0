/// The first entry of a recording that shows a finding.
struct RecordedExchange {
  let entry: HAREntry
  /// `nil` for a request that reaches none.
  let operation: Operation?
  /// The body that the finding may be about.
  let body: RecordedBody
  /// `nil` for a recording that only this program reads.
  let file: String?

  /// Adds the entry and a reproduction to a finding, and removes the secrets of the request: a message may quote its path,
  /// or an answer that repeats them. One request does not repeat what several prove.
  func complete(_ finding: inout Report.Finding, _ redactor: Redactor) {
    var redactor = redactor
    let command = entry.curl(&redactor, of: operation)
    let isOfBody = finding.location?.pointer?.hasPrefix("/body") == true
    finding.diagnostic = finding.diagnostic.redacted(by: redactor.hidingKnown)
    guard let file else { return }
    if !finding.diagnostic.rule.isAboutSequences { finding.reproduction = command }
    let place = Location(path: file, line: entry.line, column: entry.column, pointer: entry.pointer)
    let time = entry.startedDateTime.isEmpty ? "" : ", \(entry.startedDateTime)"
    finding.notes.append(.init("first seen in entry \(entry.index)\(time)", at: place))
    if case .rebuilt = body, isOfBody {
      finding.notes.append(.init("the body was rebuilt from `postData.params`"))
    }
  }
}
