/// What a test has asked of its lane.
struct LaneNotes: Sendable {
  var replies: [LaneReply] = []
  /// The rules whose findings are accepted.
  var allowed: Set<String> = []
  /// The requests that `next` has returned, by operation.
  var returned: [String: Arrival.Returned] = [:]
  /// Whether the test has ended.
  var isClosed = false
}

/// Replies of one `reply(to:)`, with its line.
struct LaneReply: Sendable {
  /// The number that the mock gives the replies in their lane.
  var number = 0
  let body: JSONValue
  let line: SourceLocation
  /// Whether requests of a sweep have met it.
  var isMet = false

  init(
    _ operation: String, _ predicate: RequestPredicate?, _ replies: [ScriptedReply], _ times: Int?,
    _ line: SourceLocation
  ) {
    self.line = line
    var members: [String: JSONValue] = ["steps": .array(replies.map { .object($0.members) })]
    // An id has no space.
    if let space = operation.firstIndex(of: " ") {
      members["method"] = .string(String(operation[..<space]))
      members["path"] = .string(String(operation[operation.index(after: space)...]))
    } else {
      members["operation"] = .string(operation)
    }
    members["when"] = predicate?.value
    members["times"] = times.map(JSONValue.int)
    body = .object(members)
  }
}
