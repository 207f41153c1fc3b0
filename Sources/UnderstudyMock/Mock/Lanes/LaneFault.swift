/// A delay or a fault of a lane: `readChat=reset@20%`.
package struct LaneFault: Codable, Sendable, Hashable {
  /// As `--fault` or `--delay` has it.
  package let text: String
  package let isDelay: Bool

  /// - Throws: The problem of the text.
  package init(_ text: String, isDelay: Bool) throws(TextProblem) {
    self.text = text
    self.isDelay = isDelay
    _ = try rule()
  }

  /// The operation that it applies to, perhaps with a cell.
  var target: Substring { text.prefix { $0 != "=" } }

  private func rule() throws(TextProblem) -> FaultRule {
    isDelay ? try FaultRule.delay(text) : try FaultRule.fault(text)
  }

  /// `nil` for a text of a state that another version wrote.
  package var faultRule: FaultRule? { try? rule() }
}

extension LaneState {
  /// The faults of this lane for an operation, or for a request that reaches none.
  func faults(of operation: MockOperation?) -> OperationFaults? {
    faults.isEmpty ? nil : OperationFaults(of: operation, by: faults.compactMap(\.faultRule), owner: "lane ")
  }
}
