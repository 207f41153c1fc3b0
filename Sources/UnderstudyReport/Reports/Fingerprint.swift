/// Identifies a finding by 16 hex digits that survive edits elsewhere in its files.
package enum Fingerprint {
  /// The fingerprint of a finding in a file depends on rule, subject, file name, pointers and message. It omits lines
  /// and columns, and the folder, which differs between machines.
  ///
  /// The fingerprint of a finding in an exchange depends on its cause. It omits the message, because the values in it
  /// differ from run to run.
  package static func of(_ diagnostic: Diagnostic, about subject: Report.Subject) -> String {
    let notes = diagnostic.notes.map(\.location)
    let location = diagnostic.location
    // The message of a check has times and counts, which differ from run to run.
    if diagnostic.rule.isAboutSequences { return of(diagnostic.rule, about: subject, at: "") }
    if let pointer = location?.pointer, location?.path == nil {
      // The line of the contract without its folder, else the place in the exchange.
      let contract = notes.lazy.compactMap(\.self).first
      let place = contract.map { "\(Path.name(of: $0.path ?? ""))#\($0.pointer ?? "")" } ?? general(pointer)
      return of(diagnostic.rule, about: subject, at: place)
    }
    return of(
      [
        diagnostic.rule.id, subject.contract, subject.operation ?? "", subject.status ?? "",
        Path.name(of: location?.path ?? ""), location?.pointer ?? "", diagnostic.message,
      ] + notes.map { $0?.pointer ?? "" })
  }

  /// The fingerprint of a cause.
  static func of(_ rule: Rule, about subject: Report.Subject, at place: String) -> String {
    of([
      rule.id, subject.contract, subject.operation ?? "\(subject.method ?? "") \(subject.path ?? "")",
      subject.status ?? "", place,
    ])
  }

  /// A path or pointer in which numbers and identifiers are not distinguished: `/pets/{}`.
  package static func general(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      let digits = segment.count { 48...57 ~= $0 }
      let isIdentifier = digits > 0 && (digits == segment.count || segment.count >= 16)
      return isIdentifier ? "{}" : String(decoding: segment.prefix(80), as: UTF8.self)
    }
    .prefix(20).joined(separator: "/")
  }

  package static func of(_ parts: [String]) -> String {
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// Numbers findings with equal fingerprints, for platforms that keep only one of them.
struct FingerprintNumbers {
  private var seen: [String: Int] = [:]

  /// From 1.
  mutating func number(of fingerprint: String) -> Int {
    seen[fingerprint, default: 0] += 1
    return seen[fingerprint] ?? 1
  }
}
