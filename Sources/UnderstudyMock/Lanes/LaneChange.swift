import UnderstudySockets

/// A change of a lane that the admin API, the console or a test makes.
package enum LaneChange: Sendable {
  /// Adds what an opening names: the scenario begins anew, forced responses, faults and checks are added, the clock moves.
  case add(LaneOpening)
  /// Begins anew as the lane was opened.
  case reset(isNamed: Bool)
  case release
  case mend
  /// Adds a reply, before those that are there.
  case reply(LaneReply)
  case forgetReplies
  /// Replaces the routes that were added to the lane.
  case routes([AddedRoute])

  func apply(to state: inout LaneState, of mock: Mock) {
    switch self {
    case .add(let opening): opening.apply(to: &state, of: mock)
    case .reset(let isNamed): state.begin((state.origin ?? LaneOpening()).state(of: mock, isNamed: isNamed))
    case .release: state.forced = []
    case .mend:
      state.faults = []
      state.sockets.faults = mock.options.socketFaults
    case .reply(let reply): state.add(reply)
    case .forgetReplies: state.replies = []
    case .routes(let routes):
      state.routes.all = routes
      mock.options.addedRoutes.isUsed = true
    }
  }
}
