/// What a recording met, beside the fixtures.
package struct RecordingReport: Sendable {
  /// All that were met.
  package var exchanges = 0
  /// Those with an answer of the contract: it became a fixture, was there already, or was compared.
  package var recorded = 0
  /// Answers that a fixture has already.
  package var seen = 0
  package var operations = 0
  /// The fixtures that were written, as `readChat/200.empty`.
  package var written: [String] = []
  package var scenarios: [String] = []
  /// The sockets that a scenario replays, and their messages.
  package var sockets = (count: 0, messages: 0)
  /// The socket messages that the scenario does not replay, by reason.
  package var lostMessages: [(what: String, count: Int)] = []
  /// What the contract does not have: `GET /v1/dogs`, `readChat 418`, with the number of exchanges.
  package var undocumented: [(what: String, count: Int)] = []
  /// The rules that answers break, by fixture.
  package var breaches: [(label: String, finding: Diagnostic)] = []
  /// Requests that the mock refuses, and the server did not refuse in this way, with what they break.
  package var refused: [(what: String, count: Int)] = []
  /// Exchanges that a replay gives another answer of the same shape, by cell.
  package var merged: [(what: String, count: Int)] = []
  /// Responses of the session that a replay does not reproduce: `joinQueue: expected 203, found 200`.
  package var unequal: [(what: String, count: Int)] = []
  /// The fields of responses that no fixture keeps, as the contract does not document them.
  package var lostFields: [(what: String, count: Int)] = []
  /// Exchanges that are not recorded, by reason, with the first of them: `GET /v1/user, exchange 3`.
  package var skipped: [(reason: String, count: Int, first: String?)] = []
  /// Exchanges that belong to no contract, by origin.
  package var ignored: [(origin: String, count: Int)] = []
  /// What each contract lacks, as an overlay; without those that lack nothing.
  package var overlays: [(contract: String, text: String)] = []
  package var redactions = RedactionReport()
  /// The personal data in the files that are written, as far as it is found.
  package var personal: [PersonalScan.Finding] = []
  /// The values that fakes have replaced, by their kinds: `phone`.
  package var replacedPersonal: [(kind: String, count: Int)] = []
  /// The possible secrets in the doubtful files of the plan.
  package var secrets: [FoundSecret] = []
  /// What a second pass found.
  package var comparison = VolatilePlaces()
  /// The places that change from run to run: `readStatus 200 /uptime`.
  package var volatile: [String] = []
  /// Differences from the fixtures, for `--mode diff`.
  package var drifts: [Drift] = []

  package struct FoundSecret: Sendable {
    package var path: String
    package var line: Int
    /// `redact.jwt`
    package var rule: String
    /// `eyJh... (213 bytes)`
    package var excerpt: String
  }

  package struct Drift: Sendable, Hashable {
    /// `readChat 200`
    package var cell: String
    /// What differs, in a clause: ``/nick is missing``.
    package var message: String
  }
}

/// Counts by name, up to a number of names.
struct NameTally: Sendable {
  private var counts: [String: Int] = [:]
  /// What was counted first under a name.
  private(set) var examples: [String: String] = [:]
  static let limit = 1000

  mutating func count(_ name: String, by number: Int = 1, example: @autoclosure () -> String? = nil) {
    let name = counts[name] == nil && counts.count >= Self.limit ? "others" : name
    if counts[name] == nil { examples[name] = example() }
    counts[name, default: 0] += number
  }

  mutating func add(_ other: NameTally) {
    for (name, number) in other.sorted { count(name, by: number) }
  }

  /// The most frequent first.
  var sorted: [(String, Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }
}

/// What is counted of a recording by name.
struct RecordingTallies: Sendable {
  var undocumented = NameTally()
  var skipped = NameTally()
  var ignored = NameTally()
  /// The requests whose path or method no contract has.
  var unrouted = NameTally()
  var lost = NameTally()
  var lostFields = NameTally()
  var refused = NameTally()

  /// - Parameter hidingSecrets: Removes the secrets of the recording from a text.
  func write(to report: inout RecordingReport, _ hidingSecrets: (String) -> String) {
    report.undocumented = undocumented.sorted.map { (what: hidingSecrets($0), count: $1) }
    report.skipped = skipped.sorted.map { reason, count in
      (reason: reason, count: count, first: skipped.examples[reason].map(hidingSecrets))
    }
    report.ignored = ignored.sorted.map { (origin: $0, count: $1) }
    report.lostFields = lostFields.sorted.map { (what: $0, count: $1) }
    report.refused = refused.sorted.map { (what: hidingSecrets($0), count: $1) }
  }
}
