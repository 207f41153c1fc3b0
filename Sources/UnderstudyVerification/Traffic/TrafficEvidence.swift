/// The first entry of a recording that shows a finding.
struct TrafficEvidence {
  let entry: Exchange
  /// `nil` for a request that reaches none.
  let operation: Operation?
  /// The body that the finding may be about.
  let body: ExchangeBody
  /// `nil` for a recording that only this program reads.
  let file: String?

  /// Adds the entry and a reproduction to a finding, and removes the secrets of the request: a message may quote its path,
  /// or an answer that repeats them. One request does not repeat what several prove.
  func complete(_ finding: inout Report.Finding, _ redactor: Redactor) {
    var redactor = redactor
    let request = Exchange(entry.request, body: entry.requestBody)
    let command = redactor.redact(request, of: operation).curl
    let isOfBody = finding.location?.pointer?.hasPrefix("/body") == true
    finding.diagnostic = redactor.hidingKnown(in: finding.diagnostic).value
    guard let file else { return }
    if !finding.diagnostic.rule.isAboutSequences { finding.reproduction = command.value }
    let position = entry.position
    let place = Location(path: file, line: position.line, column: position.column, pointer: position.pointer)
    let time = entry.startedAt.map { ", \(Timestamp.text(microseconds: $0))" } ?? ""
    finding.notes.append(.init("first seen in entry \(position.index)\(time)", at: place))
    if case .rebuilt = body, isOfBody {
      finding.notes.append(.init("the body was rebuilt from `postData.params`"))
    }
  }
}
