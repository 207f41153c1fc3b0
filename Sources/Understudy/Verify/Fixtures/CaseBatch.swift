import SourceText

/// What came of one part of the work: cases, and what could not be judged, by its reason.
struct CaseBatch: Sendable {
  var cases: [Report.Case] = []
  var notJudged: [String] = []
}

extension Report {
  /// Adds the cases of a batch, and counts what it could not judge.
  mutating func add(_ batch: CaseBatch) {
    cases += batch.cases
    for reason in batch.notJudged { skip(reason) }
  }
}

extension Report.Finding {
  /// A finding about a fixture: whatever rule about answers it falls under, the one who wrote the file mends it.
  init(fixture diagnostic: Diagnostic, about subject: Report.Subject) {
    self.init(diagnostic, about: subject)
    owner = .fixture
  }
}
