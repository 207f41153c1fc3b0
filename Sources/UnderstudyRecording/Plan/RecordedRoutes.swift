/// Finds the operations that recorded exchanges reach.
struct RecordedRoutes: Sendable {
  let contracts: ContractSet
  private let scope: TrafficScope

  init(_ contracts: [CompiledContract], scope: TrafficScope) {
    self.contracts = ContractSet(contracts)
    self.scope = scope
  }

  /// The position of the operation among those of all contracts, and the view of the request; `nil` without an operation or
  /// a response. With `isOwn`, for an exchange with our own upstream, every host is in scope.
  func place(_ entry: Exchange, isOwn: Bool) -> (operation: Int, view: RequestView)? {
    let target: String
    switch scope.membership(of: entry.url, isOwn: isOwn) {
    case .inside(let inside): target = inside
    case .perhaps(let perhaps, _): target = perhaps
    case .outside: return nil
    }
    guard entry.response != nil, case .match(let match) = contracts.router.route(entry.method, target) else {
      return nil
    }
    var request = entry.request
    request.path = target
    let view = RequestView(request: request, target: target, captures: match.captures, body: entry.requestBody.bytes)
    return (match.operation, view)
  }
}
