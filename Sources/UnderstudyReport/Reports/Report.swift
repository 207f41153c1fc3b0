/// The results of a run. Every format is written from it, and a JSON report is read back into it.
///
/// It holds plain values and no source texts, so that a run over thousands of files stays small.
public struct Report: Sendable {
  /// How to repeat the run.
  package var run: Run
  /// Everything that was validated, in the order of the run, passed or not.
  package var cases: [Case] = []
  /// The parts that could not be validated, by reason.
  package var notValidated: [NotValidated] = []
  /// Remarks on the run as a whole: a hook that failed, traffic that was ignored and why.
  package var remarks: [String] = []
  /// Which cells were served and asserted, if the run records it.
  package var coverage: Coverage?

  package init(_ run: Run) { self.run = run }

  /// The number of validated statuses, headers, bodies and parameters.
  public var checked: Int { cases.reduce(0) { $0 + $1.checked } }

  /// Every finding, in the order of the run.
  package var findings: [Finding] { cases.flatMap(\.findings) }

  /// Changes every finding in place.
  mutating func forEachFinding(_ change: (inout Finding) -> Void) {
    for item in cases.indices {
      for finding in cases[item].findings.indices { change(&cases[item].findings[finding]) }
    }
  }

  /// Removes secrets, which a server may have sent back, from the findings.
  package mutating func hide(_ secrets: [Secret]) {
    // A short secret would match parts of ordinary words.
    let variables = secrets.filter { $0.value.utf8.count >= 6 }.flatMap { secret in
      secret.spellings.map { ($0, "${\(secret.variable)}") }
    }
    guard !variables.isEmpty else { return }
    forEachFinding { finding in
      finding.diagnostic = finding.diagnostic.redacted { text in
        variables.reduce(text) { $0.replacing($1.0, with: $1.1) }
      }
    }
  }

  /// Appends the results of another part of the same run.
  package mutating func append(_ part: Report) {
    cases += part.cases
    for item in part.notValidated { skip(item.reason, count: item.count) }
    remarks += part.remarks
  }

  /// Counts a part that could not be validated.
  package mutating func skip(_ reason: String, count: Int = 1) { notValidated.add(reason, count: count) }

  /// The settings and the extent of a run.
  package struct Run: Sendable, Equatable {
    /// `verify fixtures`, `verify live`, `verify traffic`, `coverage`.
    package var command: String
    /// The version of the program, if known.
    package var version: String?
    package var contracts: [ContractFile]
    /// The server or the recordings that were validated.
    package var target: String?
    package var seed: String?
    /// `2/8`
    package var shard: String?
    /// The options that limited the run: `--operation readPet`.
    package var limits: String?
    /// RFC 3339, UTC.
    package var startedAt: String
    package var duration: Duration = .zero
    /// Why the run ended early; `nil` if it was complete.
    package var abortedBecause: String?

    package init(_ command: String, contracts: [ContractFile], target: String? = nil, startedAt: String) {
      self.command = command
      self.contracts = contracts
      self.target = target
      self.startedAt = startedAt
    }

    /// The file of the contract that a subject belongs to.
    func file(of subject: Subject) -> String? { contracts.first { $0.name.utf8Equals(subject.contract) }?.path }
  }

  /// The file of a contract, and the contract's name in subjects.
  package struct ContractFile: Sendable, Hashable {
    /// A path, or a URL.
    package var path: String
    package var name: String

    package init(_ path: String, name: String? = nil) {
      self.path = path
      self.name = name ?? ContractSource.name(of: path)
    }

    package init(_ source: ContractSource) { self.init(source.path, name: source.name) }

    package init(_ contract: Contract) {
      self.init(contract.api.files.first?.path ?? contract.name, name: contract.name)
    }
  }

  package struct NotValidated: Sendable, Hashable {
    /// A clause without a capital letter.
    package var reason: String
    package var count: Int
  }
}

extension [Report.NotValidated] {
  package mutating func add(_ reason: String, count: Int = 1) {
    if let index = firstIndex(where: { $0.reason.utf8Equals(reason) }) {
      self[index].count += count
    } else {
      append(Report.NotValidated(reason: reason, count: count))
    }
  }
}
