import Understudy

/// A problem of one or several requests.
public struct ClientViolation: Sendable, CustomStringConvertible {
  /// The problem.
  public let finding: Finding
  /// The first request that has it.
  public let call: Call
  /// The number of requests that have it.
  public let count: Int

  /// The request, the problem and the advice.
  public var description: String {
    let subject = call.operation.map { "\(call.method) \(call.path) (\($0))" } ?? "\(call.method) \(call.path)"
    return "\(subject): \(finding.message)\(count > 1 ? ", in \(count) requests" : "") [\(finding.rule)]"
      + (finding.help.map { "\n  help: \($0)" } ?? "")
  }

  static func all(in calls: [Call]) -> [ClientViolation] {
    struct Key: Hashable {
      var operation: String
      var finding: Finding
    }
    var order: [Key] = []
    var found: [Key: (call: Call, count: Int)] = [:]
    for call in calls {
      for finding in call.findings {
        let key = Key(operation: call.operation ?? call.target, finding: finding)
        if found[key] == nil { order.append(key) }
        found[key] = (found[key]?.call ?? call, (found[key]?.count ?? 0) + 1)
      }
    }
    return order.compactMap { key in
      found[key].map { ClientViolation(finding: key.finding, call: $0.call, count: $0.count) }
    }
  }
}
