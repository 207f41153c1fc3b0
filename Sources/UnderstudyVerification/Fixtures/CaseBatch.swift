/// The cases of one part of the work, and the parts that could not be validated, by reason.
struct CaseBatch: Sendable {
  var cases: [Report.Case] = []
  private(set) var notValidated: [Report.NotValidated] = []

  /// Adds a case, unless nothing was checked in it.
  mutating func add(_ result: ValidationResult, about subject: Report.Subject, _ name: String, at place: Location) {
    for item in result.notValidated { notValidated.add(item.reason) }
    guard result.checked > 0 else { return }
    cases.append(Report.Case(subject, name, checked: result.checked, at: place, reporting: result.findings))
  }
}

extension Report {
  mutating func add(_ batch: CaseBatch) {
    cases += batch.cases
    for item in batch.notValidated { notValidated.add(item.reason, count: item.count) }
  }
}
