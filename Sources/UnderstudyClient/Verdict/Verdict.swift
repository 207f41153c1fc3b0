/// What the client did in a lane.
public struct Verdict: Sendable, CustomStringConvertible {
  /// The number of requests.
  public let requests: Int
  /// What the requests break, each problem once, and what was expected and did not come.
  public let findings: [Finding]
  /// The replies that no request has met.
  public let unusedReplies: [UnusedReply]
  /// The reasons that requests may be missing, so that the verdict is unknown; empty for a mock of one process.
  public let unknownReasons: [String]

  /// A reply that no request has met.
  public struct UnusedReply: Sendable, Hashable {
    /// The id of the operation.
    public let operation: String
    /// The operation was never called, or not often enough: the reply was not sent.
    public let message: String
    /// The number of the reply in its lane.
    let number: Int
  }

  init(_ value: JSONValue) {
    requests = value["requests"]?.int ?? 0
    findings = (value["findings"]?.array ?? []).compactMap(Finding.init)
    unusedReplies = (value["unused"]?.array ?? []).map { reply in
      UnusedReply(
        operation: reply["operation"]?.string ?? "", message: reply["message"]?.string ?? "",
        number: reply["number"]?.int ?? 0)
    }
    let reasons = (value["reasons"]?.array ?? []).compactMap(\.string)
    let isUnknown = value["verdict"]?.string == "unknown"
    unknownReasons = isUnknown && reasons.isEmpty ? ["the mock gives no reason"] : reasons
  }

  /// Whether no request broke the contract, none is missing, and every reply was sent.
  public var isClean: Bool {
    !findings.contains(where: \.isError) && unusedReplies.isEmpty && unknownReasons.isEmpty
  }

  /// One line for each problem.
  public var description: String {
    let lines = findings.map(\.report) + unusedReplies.map(\.message) + unknownReasons.map { "unknown: \($0)" }
    return "\(requests) \(requests == 1 ? "request" : "requests")" + lines.map { "\n\($0)" }.joined()
  }
}
