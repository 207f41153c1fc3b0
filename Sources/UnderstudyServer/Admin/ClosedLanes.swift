import UnderstudyMock
import UnderstudySystem

/// What states of scenarios asked for in vain, in lanes that were closed.
final class ClosedLanes: Sendable {
  /// The most requests that are kept.
  private static let limit = 1_000

  private struct Record: Sendable {
    var count = 0
    var missing: [MissingRequest] = []
  }

  private let record = Lock(Record())

  /// Adds a lane.
  func add(_ missing: [MissingRequest]) {
    record.withLock { record in
      record.count += 1
      record.missing += missing.prefix(Self.limit - record.missing.count)
    }
  }

  var isEmpty: Bool { record.withLock { $0.count == 0 } }
  var missingRequests: [MissingRequest] { record.withLock { $0.missing } }
}
