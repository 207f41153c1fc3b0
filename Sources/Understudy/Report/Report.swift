/// What a run saw: the one model that every format is written from, and that a JSON report is read back into.
///
/// Holds plain values only, no source texts: a run over many thousand files keeps no more of them than what it says.
public struct Report: Sendable {
  /// What was run, so that it can be run again.
  package var run: Run
  /// Everything that was held against a contract, in the order of the run; what passed too.
  package var cases: [Case] = []
  /// What was there but could not be validated, by its reason.
  package var notValidated: [NotValidated] = []
  /// Worth saying of the run as a whole: a hook that failed, traffic that was left out and why.
  package var remarks: [String] = []

  /// Which cells were served and asserted, where the run knows.
  package var coverage: Coverage?

  package init(_ run: Run) { self.run = run }

  /// How many things were held against a contract: statuses, headers, bodies, parameters.
  public var checked: Int { cases.reduce(0) { $0 + $1.checked } }

  /// Every finding, in the order of the run.
  package var findings: [Finding] { cases.flatMap(\.findings) }

  /// Counts a thing that could not be validated under its reason.
  package mutating func skip(_ reason: String, count: Int = 1) { notValidated.add(reason, count: count) }

  /// What was run, and how far it came.
  package struct Run: Sendable, Equatable {
    /// `verify fixtures`, `verify live`, `verify traffic`, `coverage`.
    package var command: String
    /// The version of the program that ran, where it is known.
    package var version: String?
    /// The files of the contracts.
    package var contracts: [String]
    /// The server or the recordings that were validated.
    package var target: String?
    package var seed: String?
    /// `2/8`
    package var shard: String?
    /// What was left out by the options of the run: `--operation readPet`; `nil` when nothing was.
    package var limits: String?
    /// RFC 3339, UTC.
    package var startedAt: String
    package var duration: Duration = .zero
    /// Why it ended before its end; `nil` when everything was looked at.
    package var abortedBecause: String?

    package init(_ command: String, contracts: [String], target: String? = nil, startedAt: String) {
      self.command = command
      self.contracts = contracts
      self.target = target
      self.startedAt = startedAt
    }
  }

  /// What could not be validated.
  package struct NotValidated: Sendable, Hashable {
    /// Why, in a clause without a capital.
    package var reason: String
    package var count: Int

    package init(reason: String, count: Int) {
      self.reason = reason
      self.count = count
    }
  }
}

extension [Report.NotValidated] {
  /// Counts a thing under its reason.
  package mutating func add(_ reason: String, count: Int = 1) {
    if let index = firstIndex(where: { $0.reason.utf8.elementsEqual(reason.utf8) }) {
      self[index].count += count
    } else {
      append(Report.NotValidated(reason: reason, count: count))
    }
  }
}
