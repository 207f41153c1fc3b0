extension Report {
  /// One validation: of a fixture, an example, or the answers of one cell.
  package struct Case: Sendable, Equatable {
    package var subject: Subject
    /// Unique among the cases of its subject, and the same in every run: `fixture 200.empty.json`, `resp.body.schema`.
    package var name: String
    package var outcome: Outcome
    /// The number of comparisons.
    package var checked: Int
    package var duration: Duration
    /// The place of the fixture or example, for formats that link to lines.
    package var place: Location?
    package var findings: [Finding]

    /// The name of the case for the contract itself.
    package static let contract = "contract"

    package init(
      _ subject: Subject, _ name: String, outcome: Outcome = .validated, checked: Int = 0, duration: Duration = .zero,
      at place: Location? = nil, findings: [Finding] = []
    ) {
      self.subject = subject
      self.name = name
      self.outcome = outcome
      self.checked = checked
      self.duration = duration
      self.place = place
      self.findings = findings
    }

    /// A case with findings of its own subject.
    package init(
      _ subject: Subject, _ name: String, checked: Int, at place: Location? = nil, reporting diagnostics: [Diagnostic]
    ) {
      self.init(
        subject, name, checked: checked, at: place, findings: diagnostics.map { Finding($0, about: subject) })
    }
  }

  /// Whether a case was validated. Its findings give the result.
  package enum Outcome: Sendable, Equatable {
    case validated
    /// Not attempted, with the reason.
    case skipped(String)
    /// Attempted without success, with the reason: no connection, no readable file.
    case failedToRun(String)
  }

  /// A contract, one of its operations, or one of its cells.
  package struct Subject: Sendable, Hashable {
    /// The contract's file name without extension.
    package var contract: String
    /// The operation's id.
    package var operation: String?
    package var method: String?
    /// The path template.
    package var path: String?
    /// `200`, `4XX`, `default`.
    package var status: String?

    package init(
      contract: String, operation: String? = nil, method: String? = nil, path: String? = nil, status: String? = nil
    ) {
      self.contract = contract
      self.operation = operation
      self.method = method
      self.path = path
      self.status = status
    }

    package init(contract: String, _ operation: Operation, status: String? = nil) {
      self.init(
        contract: contract, operation: operation.id, method: operation.method, path: operation.path, status: status)
    }

    /// The cell of a response, or the status itself if it is undocumented.
    package init(contract: String, _ operation: Operation, answeredWith code: Int) {
      self.init(
        contract: contract, operation, status: operation.response(for: code)?.status.description ?? String(code))
    }

    /// A request of a client, whatever its answer.
    ///
    /// - Parameters:
    ///   - operation: The id of the operation; `nil` for a request that reaches none.
    ///   - target: Path and query.
    package init(request operation: String?, _ method: String, _ target: String) {
      self.init(
        contract: "", operation: operation, method: method, path: String(target.prefix { $0 != "?" }))
    }

    /// `GET /pets`, else the contract's name.
    package var title: String {
      guard let method, let path else { return contract }
      return "\(method) \(path)"
    }
  }
}
