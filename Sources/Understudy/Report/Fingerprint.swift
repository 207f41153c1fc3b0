/// Names a finding in a way that survives edits elsewhere in its files.
package enum Fingerprint {
  /// 16 hex digits over rule, subject, the file's name, pointers and message; lines and columns are left out, and the folder,
  /// which is another on every machine.
  package static func of(_ finding: Report.Finding) -> String {
    let parts =
      [
        finding.rule, finding.subject.contract, finding.subject.operation ?? "", finding.subject.status ?? "",
        Path.name(of: finding.place?.file ?? ""), finding.place?.pointer ?? "", finding.message,
      ] + finding.notes.map { $0.place?.pointer ?? "" }
    return digits(parts)
  }

  /// Of a cause that many exchanges share: the values that were met differ from run to run, so the message is no part of it.
  /// - Parameter place: the line of the contract, or the place in the exchange.
  package static func of(rule: String, _ subject: Report.Subject, place: String) -> String {
    digits([
      rule, subject.contract, subject.operation ?? "\(subject.method ?? "") \(subject.path ?? "")",
      subject.status ?? "", place,
    ])
  }

  private static func digits(_ parts: [String]) -> String {
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
