package import UnderstudySockets

/// A delay or a fault of a lane: `readChat=reset@20%`.
package struct LaneFault: Codable, Sendable, Hashable {
  /// As `--fault` or `--delay` has it.
  package let text: String
  package let isDelay: Bool

  /// - Throws: The problem of the text.
  package init(_ text: String, isDelay: Bool) throws(TextProblem) {
    self.text = text
    self.isDelay = isDelay
    if try socketFault(of: text) == nil { _ = try rule() }
  }

  /// The fault of sockets, as `sockets=refuse:503` and `sockets/chat=duplicate` name it; `nil` for one of answers.
  package var socketFault: SocketFault? { try? socketFault(of: text) }

  private func socketFault(of text: String) throws(TextProblem) -> SocketFault? {
    isDelay ? nil : try SocketFault.read(text)
  }

  /// The operation that it applies to, perhaps with a cell.
  var target: Substring { text.prefix { $0 != "=" } }

  private func rule() throws(TextProblem) -> FaultRule {
    isDelay ? try FaultRule.delay(text) : try FaultRule.fault(text)
  }

  /// `nil` for a text of a state that another version wrote.
  package var faultRule: FaultRule? { socketFault == nil ? try? rule() : nil }
}

extension SocketFault {
  /// The target of faults of sockets.
  package static let target = "sockets"

  /// Reads `sockets=refuse:503*3` and `sockets/chat=missing:/_id`; `nil` for a fault of answers.
  package static func read(_ text: String) throws(TextProblem) -> SocketFault? {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let subject = text[..<sign].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard subject.first == target[...] else { return nil }
    return try SocketFault(String(text[text.index(after: sign)...]), of: subject.count > 1 ? String(subject[1]) : nil)
  }
}

extension LaneState {
  /// The faults of this lane for an operation, or for a request that reaches none.
  func faults(of operation: MockOperation?) -> OperationFaults? {
    faults.isEmpty ? nil : OperationFaults(of: operation, by: faults.compactMap(\.faultRule), owner: "lane ")
  }
}
