import SourceText

/// Judges a request together with its answer.
package struct ExchangeJudge: Sendable {
  let response: ResponseJudge
  /// What each violation is answered with, where the contract says so.
  let refusals: ViolationMap
  let options: JudgeOptions

  /// The findings of a request and of its answer.
  ///
  /// A request that breaks the contract and was refused is most likely a test of that refusal: its findings become notes
  /// under `req.expected-invalid`.
  /// - Parameter judged: of the request by itself.
  package func judge(_ judged: Judgement, _ answer: ResponseView) -> Judgement {
    var judgement = settled(judged, by: answer.status)
    let second = self.answer(answer, to: judged)
    judgement.findings += second.findings
    judgement.notJudged += second.notJudged
    judgement.checked += second.checked
    return judgement
  }

  /// What an answer shows of itself. A contract is about what keeps it: few say how a request that does not is refused, so
  /// that the status of such a refusal is not held against them.
  func answer(_ answer: ResponseView, to judged: Judgement) -> Judgement {
    self.answer(answer, breaksContract: judged.findings.contains { $0.violation != nil })
  }

  /// The same where the request may break the contract in a way that it does not show, such as a made-up token.
  /// - Parameter breaksContract: of the request.
  func answer(_ answer: ResponseView, breaksContract: Bool) -> Judgement {
    var judgement = response.judge(answer, options)
    guard breaksContract, (400...499).contains(answer.status),
      judgement.findings.contains(where: { $0.diagnostic.rule == .responseStatusUndocumented })
    else { return judgement }
    judgement.findings.removeAll { $0.diagnostic.rule == .responseStatusUndocumented }
    judgement.checked = max(0, judgement.checked - 1)
    judgement.skip("", "the refusal of a request that breaks the contract, in a status that is not documented")
    return judgement
  }

  /// What is left to say of a request once its answer's status is known.
  func settled(_ judged: Judgement, by status: Int) -> Judgement {
    let isMapped = judged.findings.compactMap(\.violation).contains { refusals[$0] == .status(status) }
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
    options.weigh(&judgement)
    return judgement
  }
}
