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
    let (_, lane) = try routes.lane()
    let reply = try LaneReplyReader.read(admin.body, for: admin.mock)
    return admin.answer(lane.add(reply, by: admin.mock).json, .created)
  }

  func forget() throws(LaneProblem) -> Reply {
    try routes.lane().1.change(.forgetReplies, by: admin.mock)
    return try routes.detail()
  }
}
