package import UnderstudySockets

/// A delay or a fault of a lane: `readChat=reset@20%`.
package struct LaneFault: Sendable, Hashable {
  /// The text of the fault, as `--fault` or `--delay` takes it.
  package let text: String
  package let isDelay: Bool
  /// The fault of sockets, as `sockets=refuse:503` and `sockets/chat=duplicate` name it; `nil` for a fault of responses.
  package let socketFault: SocketFault?
  /// The delay or the fault of responses; `nil` for a fault of sockets.
  package let faultRule: FaultRule?

  /// - Throws: The problem of the text.
  package init(_ text: String, isDelay: Bool) throws(TextProblem) {
    (self.text, self.isDelay) = (text, isDelay)
    socketFault = try isDelay ? nil : SocketFault.read(text)
    faultRule = try socketFault != nil ? nil : isDelay ? FaultRule.delay(text) : FaultRule.fault(text)
  }

  /// The operation that it applies to, perhaps with a cell.
  var target: Substring { text.prefix { $0 != "=" } }

  func isReplaced(by later: LaneFault) -> Bool {
    if let own = socketFault, let fault = later.socketFault { return fault.replaces(own) }
    return self == later || isDelay && later.isDelay && target == later.target
  }
}

extension LaneFault: Codable {
  private enum CodingKeys: CodingKey { case text, isDelay }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let (text, isDelay) = (
      try values.decode(String.self, forKey: .text), try values.decode(Bool.self, forKey: .isDelay)
    )
    do throws(TextProblem) {
      try self.init(text, isDelay: isDelay)
    } catch {
      throw DecodingError.dataCorruptedError(forKey: .text, in: values, debugDescription: error.message)
    }
  }
}

extension SocketFault {
  package static let target = "sockets"

  /// Reads `sockets=refuse:503*3` and `sockets/chat=missing:/_id`; `nil` for a fault of answers.
  package static func read(_ text: String) throws(TextProblem) -> SocketFault? {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let subject = text[..<sign].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard subject.first == target[...] else { return nil }
    let fault = String(text[text.index(after: sign)...])
    do throws(TextProblem) {
      return try SocketFault(fault, of: subject.count > 1 ? String(subject[1]) : nil)
    } catch {
      guard (try? FaultReader.read(fault)) != nil else { throw error }
      var problem = error
      problem.help = "it is a fault of operations, as in `OPERATION=\(fault)`"
      throw problem
    }
  }
}

extension LaneState {
  /// The faults of this lane for an operation, or for a request that reaches none.
  func faults(of operation: MockOperation?) -> OperationFaults? {
    faults.isEmpty ? nil : OperationFaults(of: operation, by: faults.compactMap(\.faultRule), owner: "lane ")
  }
}
