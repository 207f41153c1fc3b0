/// The line of a file at which a platform shows each finding of a report.
struct ReportAnchors {
  private let report: Report

  init(_ report: Report) { self.report = report }

  /// Every finding with its line, in the order of the run.
  var all: [(finding: Report.Finding, place: Location?)] {
    report.cases.flatMap { item in item.findings.map { ($0, place(of: $0, in: item)) } }
  }

  /// The finding's own place, else that of its notes, else that of its case, else the contract file.
  private func place(of finding: Report.Finding, in item: Report.Case) -> Location? {
    let places = [finding.location] + finding.notes.map(\.location) + [item.place]
    if let place = places.lazy.compactMap(\.self).first(where: { $0.path != nil }) { return place }
    let file = report.run.file(of: finding.subject) ?? report.run.contracts.first?.path
    return file.map { Location(path: $0) }
  }
}
