import Understudy

/// A request of a run that breaks the contract.
struct RequestViolation: Sendable {
  /// The id of the operation, else method and path.
  let request: String
  let diagnostic: Diagnostic

  /// The same for two requests of an operation that break a rule at the same place.
  struct Key: Hashable {
    let request: String
    let rule: String
    let pointer: String?
  }

  var key: Key { Key(request: request, rule: diagnostic.rule.id, pointer: diagnostic.location?.pointer) }

  /// Those of a run, each once.
  static func all(in run: SweepRun) -> [RequestViolation] {
    var keys: Set<Key> = []
    return run.sent.filter { !$0.followsRedirect }.flatMap { request in
      request.reply.diagnostics.filter { $0.owner == .client }.map {
        RequestViolation(request: request.name, diagnostic: $0)
      }
    }.filter { keys.insert($0.key).inserted }
  }
}
