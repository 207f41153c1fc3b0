/// Names a finding in a way that survives edits elsewhere in its files.
package enum Fingerprint {
  /// 16 hex digits over rule, subject, file, pointers and message; lines and columns are left out.
  package static func of(_ finding: Report.Finding) -> String {
    let parts =
      [
        finding.rule, finding.subject.contract, finding.subject.operation ?? "", finding.subject.status ?? "",
        finding.place?.file ?? "", finding.place?.pointer ?? "", finding.message,
      ] + finding.notes.map { $0.place?.pointer ?? "" }
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
