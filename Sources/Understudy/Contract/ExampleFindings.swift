import Synchronization

/// What is wrong with an answer that was made from the contract, found out when it is first asked for.
final class ExampleFindings: Sendable {
  private let known = Mutex<[Diagnostic]?>(nil)

  /// The findings, made by `make` where this is the first question.
  func value(_ make: () -> [Diagnostic]) -> [Diagnostic] {
    if let value = known.withLock({ $0 }) { return value }
    let new = make()
    known.withLock { $0 = new }
    return new
  }
}

extension CompiledOperation {
  /// What an answer breaks that the contract's own examples make. Samples fit by construction, and what HTTP asks for is
  /// the mock's own care.
  func findings(about made: ContractResponses.Made) -> [Diagnostic] {
    guard made.holdsExample else { return [] }
    return made.findings.value {
      let method = operation.method
      let view = ResponseView(
        status: made.response.status.code, fields: made.response.headerFields, body: method == "HEAD" ? [] : made.body,
        method: method, hadBody: true, askedForPart: true)
      return responseValidator.validate(view).findings.filter { finding in
        !finding.rule.id.hasPrefix("resp.http") && finding.severity != .info
      }.map { finding in
        var finding = finding.owned(by: .contract)
        finding.help = finding.help ?? "an example of the contract does not fit its schema: correct one of them"
        return finding
      }
    }
  }
}
