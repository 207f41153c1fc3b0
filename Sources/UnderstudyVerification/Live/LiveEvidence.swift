/// An exchange that shows a finding.
struct LiveEvidence: Sendable {
  let call: LiveCall
  /// 0 without an answer.
  let status: Int
  /// The words of a refusal or a failure; empty for any other answer.
  private let words: String
  /// Whether the response contains the value of the last path parameter.
  let namesItem: Bool

  init(_ call: LiveCall, _ answer: Exchange.Response? = nil) {
    self.call = call
    status = answer?.status ?? 0
    words = answer.flatMap { $0.status < 400 ? nil : ResponseWords.of($0, to: call) } ?? ""
    let item = call.draft.arguments.last { $0.parameter.location == .path }?.value.plainText ?? ""
    namesItem = item.utf8.count > 1 && answer?.body.bytes.firstRange(of: Array(item.utf8)) != nil
  }

  /// A smaller call that shows the same.
  init(_ call: LiveCall, like other: LiveEvidence) {
    self.call = call
    status = other.status
    words = other.words
    namesItem = other.namesItem
  }

  /// The words without those that only say that something failed.
  var ownWords: String { ResponseWords.areGeneral(words) ? "" : words }

  /// Whether another exchange has the same cause: the request is valid or not as this one is, and the server answers with the
  /// same class of status and says the same.
  func showsSame(_ other: LiveEvidence) -> Bool {
    (call.violation == nil) == (other.call.violation == nil) && status / 100 == other.status / 100
      && words.utf8Equals(other.words)
  }

  /// The rules about what a server makes of a request, whose cause is in its own words.
  static let ofWords: Set<Rule> = [.responseServerError, .providerValidRejected, .providerExample]

  /// Separates findings of one rule and place that have different causes: of valid and of invalid requests, and by the words
  /// of the response. Few servers look at `Accept`: a failure of a request whose `Accept` is unmet is that of a valid one.
  func variant(of diagnostic: Diagnostic, about subject: Report.Subject) -> Report.Variant {
    guard Self.ofWords.contains(diagnostic.rule) || diagnostic.rule == .providerNoResponse else { return .none }
    let isInvalid = call.violation.map { $0 != .notAcceptable } ?? (call.purpose == .answerOnly && !call.isAllowed)
    // The words of several operations may differ where the contract lacks the same.
    let unusual = diagnostic.rule == .providerValidRejected && call.isAllowed ? call.unusual : ""
    guard ownWords.isEmpty else { return Report.Variant(isOfInvalid: isInvalid, words: ownWords, kind: unusual) }
    guard unusual.isEmpty else { return Report.Variant(isOfInvalid: isInvalid, kind: unusual) }
    // What says nothing is the same only where the same was asked; a valid request asks each operation for something else.
    let isFailure = diagnostic.rule == .responseServerError && !isInvalid
    return Report.Variant(isOfInvalid: isInvalid, kind: isFailure ? subject.title : call.kindOfUnusual)
  }
}

extension LiveCall {
  /// What is unusual about the request, without its place; empty for a valid one.
  fileprivate var kindOfUnusual: String { isValid ? "" : MessageShape.of(label) }
}
