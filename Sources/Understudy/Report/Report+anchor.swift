import JSONSchema
import SourceText

extension Report {
  /// The line of a file that a platform shows a finding beside: its own place, else the contract's line that it breaks, else
  /// where its case is written, else the contract as a whole.
  package func anchor(of finding: Finding, in item: Case) -> Place? {
    let places = [finding.place] + finding.notes.map(\.place) + [item.place]
    if let place = places.lazy.compactMap(\.self).first(where: { $0.file != nil }) { return place }
    return contractFile(of: finding.subject).map { Place(file: $0) }
  }

  /// Every finding with its anchor, in the order of the run.
  package var anchored: [(finding: Finding, place: Place?)] {
    cases.flatMap { item in item.findings.map { ($0, anchor(of: $0, in: item)) } }
  }

  private func contractFile(of subject: Subject) -> String? {
    run.contracts.first { Path.stem(of: $0).utf8Equals(subject.contract) } ?? run.contracts.first
  }
}

extension Report.Finding {
  /// The message, behind the pointer of what no file holds: a line of the contract alone does not say which value it was.
  package var placedMessage: String {
    guard place?.file == nil, let pointer = place?.pointer, !pointer.isEmpty else { return message }
    return "\(VisibleText.shortened(pointer, to: 300)): \(message)"
  }
}

/// Numbers findings whose fingerprints are the same, for platforms that keep one of a kind only.
struct FingerprintNumbers {
  private var met: [String: Int] = [:]

  /// From 1.
  mutating func number(of fingerprint: String) -> Int {
    met[fingerprint, default: 0] += 1
    return met[fingerprint] ?? 1
  }
}
