/// Names a finding in a way that survives edits elsewhere in its files: 16 hex digits.
package enum Fingerprint {
  /// The fingerprint of a finding in a file depends on rule, subject, the file's name, pointers and message. Lines and columns
  /// are left out, and so is the folder, which differs between machines.
  ///
  /// The fingerprint of a finding in an exchange depends on its cause: the values that are seen differ from run to run, so
  /// the message is no part of it.
  package static func of(_ diagnostic: Diagnostic, about subject: Report.Subject) -> String {
    let notes = diagnostic.notes.map(\.location)
    let location = diagnostic.location
    if let pointer = location?.pointer, location?.path == nil {
      // The line of the contract that is broken, wherever its file lies, else the place in the exchange.
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

  /// The digits of some texts.
  package static func of(_ parts: [String]) -> String {
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// Numbers findings whose fingerprints are the same, for platforms that keep one of a kind only.
struct FingerprintNumbers {
  private var seen: [String: Int] = [:]

  /// From 1.
  mutating func number(of fingerprint: String) -> Int {
    seen[fingerprint, default: 0] += 1
    return seen[fingerprint] ?? 1
  }
}
