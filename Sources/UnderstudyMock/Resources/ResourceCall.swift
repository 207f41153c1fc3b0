struct ResourceCall {
  let action: ResourceAction
  let operation: CompiledOperation
  let request: RequestView
  let seed: String
  /// Microseconds since 1970.
  var now: Int

  var collection: ResourceCollection { action.collection }
}

/// The response of a collection: a status and, if it has one, a value.
struct ResourceOutcome {
  var code: Int
  var item: JSON?
  /// The items of a list, and the number of all.
  var items: [JSON]?
  var total = 0
  var headers: [(name: String, value: String)] = []
  /// The action as the log shows it: `created pets/3`.
  var action: String

  /// A refusal with the first status that the contract documents; `nil` where it documents none.
  static func refusal(of operation: CompiledOperation, _ codes: [Int], _ action: String) -> ResourceOutcome? {
    let code =
      codes.first(where: operation.documents) ?? codes.first { operation.operation.response(for: $0) != nil }
    return code.map { ResourceOutcome(code: $0, action: action) }
  }
}

extension CompiledOperation {
  func documents(_ code: Int) -> Bool { cells.contains { $0.status == .code(code) } }
}
