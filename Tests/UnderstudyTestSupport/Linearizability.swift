/// The sequential behaviour of an object that clients use concurrently.
package protocol SequentialModel: Hashable, Sendable {
  associatedtype Operation: Sendable
  associatedtype Result: Equatable & Sendable

  /// Applies an operation, and returns its result.
  mutating func apply(_ operation: Operation) -> Result
}

/// The calls of concurrent clients, each with its beginning and its end.
package struct CallHistory<Model: SequentialModel>: Sendable {
  package struct Call: Sendable {
    let operation: Model.Operation
    /// `nil` for a call whose outcome is unknown: it took effect once at any time after its beginning, or never.
    let result: Model.Result?
    let begin: Int
    let end: Int
  }

  private var calls: [Call] = []

  package init() {}

  /// - Parameters:
  ///   - begin: The position of its beginning in the order of all beginnings and ends.
  ///   - end: The position of its end.
  package mutating func add(_ operation: Model.Operation, _ result: Model.Result?, from begin: Int, to end: Int) {
    calls.append(Call(operation: operation, result: result, begin: begin, end: result == nil ? .max : end))
  }

  package var count: Int { calls.count }

  /// Whether there is an order of the calls that the model allows, in which each call takes effect between its beginning and
  /// its end (Wing and Gong 1993, with the memory of Lowe 2017).
  package func isLinearizable(from start: Model) -> Bool {
    var search = Search(calls: calls.sorted { $0.begin < $1.begin })
    return search.succeeds(start, UInt64(0))
  }

  private struct Search {
    let calls: [Call]
    private var failed: Set<Step> = []

    private struct Step: Hashable {
      let done: UInt64
      let model: Model
    }

    init(calls: [Call]) {
      precondition(calls.count < 64)
      self.calls = calls
    }

    mutating func succeeds(_ model: Model, _ done: UInt64) -> Bool {
      let open = calls.indices.filter { done & (1 << UInt64($0)) == 0 }
      // Calls without an outcome need no effect.
      guard open.contains(where: { calls[$0].result != nil }) else { return true }
      guard !failed.contains(Step(done: done, model: model)) else { return false }
      let firstEnd = open.map { calls[$0].end }.min() ?? .max
      for index in open where calls[index].begin < firstEnd {
        var next = model
        let result = next.apply(calls[index].operation)
        guard calls[index].result.map({ $0 == result }) ?? true else { continue }
        if succeeds(next, done | 1 << UInt64(index)) { return true }
      }
      failed.insert(Step(done: done, model: model))
      return false
    }
  }
}

extension CallHistory: CustomStringConvertible {
  package var description: String {
    calls.sorted { $0.begin < $1.begin }.map { call in
      "\(call.begin)-\(call.end == .max ? "?" : "\(call.end)") \(call.operation) -> \(call.result.map { "\($0)" } ?? "?")"
    }.joined(separator: "\n")
  }
}
