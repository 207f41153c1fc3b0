import UnderstudyMock
import UnderstudySystem

/// The lanes that were closed: what their clients had broken in the end, and the names that no request opens again.
final class ClosedLanes: Sendable {
  /// The maximum number of findings that are stored.
  private static let limit = 1_000
  /// The most names that are kept, the latest ones.
  private static let nameLimit = 10_000

  private struct Record: Sendable {
    var count = 0
    var findings: [ClosingFinding] = []
    var names: Set<LaneName> = []
    var order: [LaneName] = []
  }

  private let record = Lock(Record())

  func add(_ findings: [ClosingFinding]) {
    record.withLock { record in
      record.count += 1
      record.findings += findings.prefix(Self.limit - record.findings.count)
    }
  }

  /// Keeps the name of a lane that was opened for a test: a late request of its client opens no lane.
  func add(_ name: LaneName) {
    record.withLock { record in
      guard record.names.insert(name).inserted else { return }
      record.order.append(name)
      guard record.order.count > Self.nameLimit else { return }
      for old in record.order.prefix(Self.nameLimit / 10) { record.names.remove(old) }
      record.order.removeFirst(Self.nameLimit / 10)
    }
  }

  func forget(_ name: LaneName) {
    record.withLock { record in
      if record.names.remove(name) != nil { record.order.removeAll { $0 == name } }
    }
  }

  /// The reason that a request does not reach a closed lane; `nil` for every other lane.
  func problem(of name: LaneName) -> LaneProblem? {
    guard record.withLock({ $0.names.contains(name) }) else { return nil }
    return LaneProblem(
      .closed, "the lane `\(name)` was closed",
      help: "the request came after the end of its test: await the client; POST to the admin API opens the lane again")
  }

  var isEmpty: Bool { record.withLock { $0.count == 0 } }
  var findings: [ClosingFinding] { record.withLock { $0.findings } }
}
