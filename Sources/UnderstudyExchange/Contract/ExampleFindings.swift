import UnderstudySystem

/// The findings about an answer from the contract, computed on first use.
final class ExampleFindings: Sendable {
  private final class List: Sendable {
    let findings: [Diagnostic]

    init(_ findings: [Diagnostic]) { self.findings = findings }
  }

  private let known = Lazy<List>()

  /// The findings; `make` computes them on first use, and they are kept if they are whole.
  func value(_ rendering: Rendering, _ make: () -> [Diagnostic]) -> [Diagnostic] {
    if let list = known.current { return list.findings }
    let new = List(make())
    return rendering.isWhole ? known.value { new }.findings : new.findings
  }
}

extension CompiledOperation {
  /// The findings about an answer with an example of the contract, or with a body that only resembles its schema. Other
  /// samples fit by construction, and the mock itself meets the requirements of HTTP.
  package func findings(about made: ContractResponses.Made, by rendering: Rendering = Rendering()) -> [Diagnostic] {
    guard made.holdsExample || made.shortcoming != nil else { return [] }
    return made.findings.value(rendering) {
      let method = operation.method
      let view = ResponseView(
        status: made.response.status.code, fields: made.response.headerFields, body: method == "HEAD" ? [] : made.body,
        method: method, hadBody: true, askedForPart: true)
      return responseValidator.validate(view, within: rendering.budget).findings.filter { finding in
        !finding.rule.id.hasPrefix("resp.http") && finding.severity != .info
      }.map { finding in
        var finding = finding.owned(by: .contract)
        finding.help =
          made.shortcoming.map { "\($0.message): correct the schema, or \($0.help)" } ?? finding.help
          ?? "an example of the contract does not fit its schema: correct one of them"
        return finding
      }
    }
  }
}
