/// A routed, decoded and validated request: all of it that depends on no state. A class, because its parts cost more to
/// copy than to hold. One thread at a time uses it.
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
  /// The response that was chosen in place of the mock's.
  private(set) var chosen: ReplyOverride?
  let isFallback: Bool
  /// Whether its samples differ from the samples of earlier requests, which the state of the lane counts; `nil` if the
  /// mock decides.
  let varies: Bool?

  init(
    operation: MockOperation, view: RequestView, body: [UInt8]?, result: ValidationResult, upstream: Upstream?,
    isFallback: Bool = false, within budget: WorkBudget?
  ) {
    self.isFallback = isFallback
    self.operation = operation
    self.view = view
    self.body = body
    self.result = result
    self.upstream = upstream
    preferences = Preferences(view.request.headerFields, query: view.query)
    varies = preferences.seed == nil ? preferences.isDynamic : false
    rendering = Rendering(within: budget)
  }

  /// The exchange as it is decided, before its response is sent.
  func served(_ reply: Reply, at time: LaneTime) -> ServedRequest {
    ServedRequest(
      startedAt: time.machine, microseconds: 0, request: SharedRequest(view.request), body: body, reply: reply,
      status: reply.status)
  }

  /// Chooses a response, which cannot be chosen twice: from here on, responses are made as long as it takes.
  func choose(_ override: ReplyOverride) {
    chosen = override
    rendering = Rendering()
  }
}
