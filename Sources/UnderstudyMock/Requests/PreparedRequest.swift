/// A request that was routed, decoded and validated: all of it that depends on no state.
///
/// A class, because its parts cost more to copy than to hold. One thread at a time uses it.
final class PreparedRequest {
  let operation: MockOperation
  /// The request with its values, and an empty body where that is too long to buffer.
  let view: RequestView
  /// `nil` where it is too long to buffer.
  let body: [UInt8]?
  let result: ValidationResult
  let preferences: Preferences
  /// Where the request is passed on.
  let upstream: Upstream?
  private(set) var rendering: Rendering
  /// The decision where no state chooses it.
  var decision: Decision?

  init(
    operation: MockOperation, view: RequestView, body: [UInt8]?, result: ValidationResult, upstream: Upstream?,
    within budget: WorkBudget?
  ) {
    self.operation = operation
    self.view = view
    self.body = body
    self.result = result
    self.upstream = upstream
    preferences = Preferences(view.request.headerFields, query: view.query)
    rendering = Rendering(within: budget)
  }

  /// The decision, which has no other owner.
  func takeDecision() -> Decision? { decision.take() }

  /// Makes answers as long as it takes from here on: something was chosen that cannot be chosen twice.
  func liftBudget() { rendering = Rendering() }
}

/// The result of an event.
enum LaneOutcome {
  /// The event is about no request.
  case none
  case reply(Reply)
  /// An answer that the state chooses has to be made first; the state is as it was.
  case needs(LaneState)
}
