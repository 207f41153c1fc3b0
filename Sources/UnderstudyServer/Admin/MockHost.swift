package import Understudy

/// Serves a mock in lanes: those that a path prefix names, and the one without a name. The admin API directs them.
///
/// A request for `/~alice/v1/user` reaches `/v1/user` in the lane `alice`, which opens with its first request.
package struct MockHost: Sendable {
  let lanes: any LaneStore
  package let journal: Journal
  let redaction: RedactionSettings
  let access: AdminAccess
  /// When it began, in microseconds since 1970.
  let startedAt = Timestamp.microseconds()
  private let unnamed: any LaneAccess

  /// - Parameters:
  ///   - journal: Gets the exchanges from an observer.
  ///   - redaction: How the admin API hides secrets.
  ///   - isLocal: Whether only clients on this machine reach the server.
  package init(
    lanes: any LaneStore, journal: Journal = Journal(), redaction: RedactionSettings = RedactionSettings(),
    isLocal: Bool
  ) {
    self.lanes = lanes
    self.journal = journal
    self.redaction = redaction
    unnamed = lanes.unnamed
    access = AdminAccess(isLocal: isLocal)
  }

  /// Answers by a mock, whose scenario begins anew in the lane without a name.
  package func responder(for mock: Mock) -> Responder {
    unnamed.update { $0 = mock.newState() }
    return mock.responder(answering: { request, body in reply(to: request, body, by: mock) })
  }

  private func reply(to request: HTTPRequest, _ body: [UInt8]?, by mock: Mock) -> Reply {
    guard let path = request.path, let second = path.utf8.dropFirst().first,
      second == UInt8(ascii: "~") || second == UInt8(ascii: "_")
    else { return mock.reply(to: request, body: body, in: unnamed) }
    if second == UInt8(ascii: "~") { return laneReply(to: request, path, body, by: mock) }
    guard AdminAPI.isAsked(by: path) else { return mock.reply(to: request, body: body, in: unnamed) }
    return AdminAPI.reply(to: AdminRequest(self, mock, request, body ?? []))
  }

  private func laneReply(to request: HTTPRequest, _ path: String, _ body: [UInt8]?, by mock: Mock) -> Reply {
    let target = LaneTarget(path)
    do throws(LaneProblem) {
      let name = try LaneName(target.name)
      let lane = try lanes.lane(name) { LaneOpening().state(of: mock) }
      var request = request
      request.path = target.path
      var reply = mock.reply(to: request, body: body, in: lane)
      reply.lane = name.text
      return reply
    } catch {
      return error.reply
    }
  }
}
