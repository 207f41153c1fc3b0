/// Judges a request together with its answer.
package struct ExchangeJudge: Sendable {
  let request: RequestJudge
  let response: ResponseJudge

  /// A request that breaks the contract and was refused is most likely a test of that refusal: its findings become notes
  /// under `req.expected-invalid`.
  package func judge(_ request: RequestView, _ answer: ResponseView) -> Judgement {
    judge(self.request.judgement(of: request), answer)
  }

  /// The same for a request that was judged before its answer came.
  package func judge(_ judged: Judgement, _ answer: ResponseView) -> Judgement {
    var judgement = settled(judged, by: answer.status)
    let second = response.judge(answer)
    judgement.findings += second.findings
    judgement.notJudged += second.notJudged
    judgement.checked += second.checked
    return judgement
  }

  /// What is left to say of a request once its answer's status is known.
  /// - Parameter refusals: what each violation is answered with, where the contract has its own ways.
  func settled(_ judged: Judgement, by status: Int, refusals: ViolationMap? = nil) -> Judgement {
    let isMapped = judged.findings.compactMap(\.violation).contains { refusals?[$0] == .status(status) }
    guard isMapped || (400...499).contains(status) else { return judged }
    var judgement = judged
    judgement.findings = judgement.findings.map { finding in
      guard finding.violation != nil else { return finding }
      var note = finding
      note.violation = nil
      note.diagnostic.rule = .requestExpectedInvalid
      note.diagnostic.severity = .info
      note.diagnostic.message += "; the server refused it with \(status)"
      return note
    }
    request.options.weigh(&judgement)
    return judgement
  }
}
