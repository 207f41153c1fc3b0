/// An exchange that shows a finding.
struct LiveEvidence: Sendable {
  let call: LiveCall
  /// 0 without an answer.
  let status: Int
  /// The shape of what an error answer says; empty for any other answer.
  private let complaint: String

  /// The bytes of a complaint that are compared.
  private static let limit = 400

  init(_ call: LiveCall, _ answer: LiveAnswer? = nil) {
    self.call = call
    status = answer?.status ?? 0
    complaint =
      answer.flatMap { answer in
        answer.status < 400 ? nil : MessageShape.of(Self.complaint(LinkValue(call, answer).body, answer.body))
      } ?? ""
  }

  /// What an error answer says: the texts under the usual names, else its start.
  private static func complaint(_ json: JSON?, _ body: [UInt8]) -> String {
    guard let json else { return String(decoding: body.prefix(limit), as: UTF8.self) }
    var texts: [String] = []
    var pending = [json]
    while let value = pending.popLast(), texts.count < 10 {
      for member in value.members.prefix(50) {
        if member.value.isString, complaintNames.contains(member.name.lowercased()) { texts.append(member.value.text) }
        if !member.value.isString { pending.append(member.value) }
      }
      pending += value.elements.prefix(10)
    }
    return String(decoding: texts.joined(separator: " ").utf8.prefix(limit), as: UTF8.self)
  }

  private static let complaintNames: Set<String> = [
    "message", "msg", "detail", "error", "title", "type", "code", "reason", "description", "exception_message",
  ]

  /// A smaller call that shows the same.
  init(_ call: LiveCall, like other: LiveEvidence) {
    self.call = call
    status = other.status
    complaint = other.complaint
  }

  /// Whether another exchange has the same cause: the request is valid or not as this one is, and the server answers with the
  /// same class of status and says the same.
  func showsSame(_ other: LiveEvidence) -> Bool {
    (call.violation == nil) == (other.call.violation == nil) && status / 100 == other.status / 100
      && complaint.utf8Equals(other.complaint)
  }
}

extension LiveCall {
  /// Separates findings of one rule and place that have different causes: failures of valid and of invalid requests.
  /// Few servers look at `Accept`: a failure of a request whose `Accept` is unmet is that of a valid one.
  func findingVariant(of diagnostic: Diagnostic) -> String {
    guard diagnostic.rule == .responseServerError, let violation, violation != .notAcceptable else { return "" }
    return "invalid"
  }
}
