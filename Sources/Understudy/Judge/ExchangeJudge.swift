import SourceText

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
  /// - Parameter refusals: what each violation is answered with, where the contract has its own ways.
  package func judge(_ judged: Judgement, _ answer: ResponseView, refusals: ViolationMap? = nil) -> Judgement {
    var judgement = settled(judged, by: answer.status, refusals: refusals)
    let second = self.answer(answer, to: judged)
    judgement.findings += second.findings
    judgement.notJudged += second.notJudged
    judgement.checked += second.checked
    return judgement
  }

  /// What an answer shows of itself. A contract is about what keeps it: few say how a request that does not is refused, so
  /// that the status of such a refusal is not held against them.
  func answer(_ answer: ResponseView, to judged: Judgement) -> Judgement {
    var judgement = response.judge(answer)
    guard (400...499).contains(answer.status), judged.findings.contains(where: { $0.violation != nil }),
      judgement.findings.contains(where: { $0.diagnostic.rule == .responseStatusUndocumented })
    else { return judgement }
    judgement.findings.removeAll { $0.diagnostic.rule == .responseStatusUndocumented }
    judgement.checked = max(0, judgement.checked - 1)
    judgement.skip("", "the refusal of a request that breaks the contract, in a status that is not documented")
    return judgement
  }

  /// What is left to say of a request once its answer's status is known.
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
