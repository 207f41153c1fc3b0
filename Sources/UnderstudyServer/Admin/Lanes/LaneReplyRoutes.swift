import UnderstudyMock

/// The requests to `/__admin/lanes/NAME/replies`.
struct LaneReplyRoutes {
  private let admin: AdminRequest
  private let routes: LaneRoutes

  init(_ admin: AdminRequest) throws(LaneProblem) {
    self.admin = admin
    routes = try LaneRoutes(admin)
  }

  func list() throws(LaneProblem) -> Reply {
    let replies = try routes.lane().1.value.replies
    return admin.answer(.object(("replies", .array(replies.map(\.json)))))
  }

  /// Adds a reply, before those that are there.
  func add() throws(LaneProblem) -> Reply {
    let (name, lane) = try routes.lane()
    let reply = try LaneReplyReader.read(admin.body, for: admin.mock)
    guard let added = try lane.add(reply, by: admin.mock) else {
      let limit = LaneState.replyLimit
      throw LaneProblem(
        .full, "the lane `\(name)` is full: expected at most \(limit) replies that a request can still match",
        help: "give several responses as `steps` of one reply, open a lane for each test, or forget the replies by "
          + "DELETE \(admin.root)/lanes/\(name)/replies")
    }
    return admin.answer(added.json, .created)
  }

  func forget() throws(LaneProblem) -> Reply {
    try routes.lane().1.change(.forgetReplies, by: admin.mock)
    return try routes.detail()
  }
}
