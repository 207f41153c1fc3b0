package import SourceText

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

  /// What makes what is wrong in many exchanges one cause: the line of the contract that is broken, wherever its file lies, else
  /// the place in the exchange, in which numbers and identifiers are not told apart.
  package static func place(of diagnostic: Diagnostic) -> String {
    if let contract = diagnostic.notes.lazy.compactMap(\.location).first {
      return "\(Path.name(of: contract.path ?? ""))#\(contract.pointer ?? "")"
    }
    return general(diagnostic.location?.pointer ?? "")
  }

  /// A path or pointer in which numbers and identifiers are not told apart: `/pets/{}`.
  package static func general(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      let digits = segment.count { 48...57 ~= $0 }
      let isIdentifier = digits > 0 && (digits == segment.count || segment.count >= 16)
      return isIdentifier ? "{}" : String(decoding: segment.prefix(80), as: UTF8.self)
    }
    .prefix(20).joined(separator: "/")
  }

  private static func digits(_ parts: [String]) -> String {
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
