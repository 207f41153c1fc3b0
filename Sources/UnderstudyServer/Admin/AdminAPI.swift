import HTTPTypes
import UnderstudyMock

/// The API that directs a running mock, below `/__admin`. Described in `specs/admin.yaml`.
enum AdminAPI {
  private struct Route: Sendable {
    let method: HTTPRequest.Method
    /// `*` stands for a name or a number.
    let path: [String]
    let answer: @Sendable (AdminRequest) throws(LaneProblem) -> Reply

    init(
      _ method: HTTPRequest.Method, _ path: String,
      _ answer: @escaping @Sendable (AdminRequest) throws(LaneProblem) -> Reply
    ) {
      self.method = method
      self.path = path.split(separator: "/").map(String.init)
      self.answer = answer
    }
  }

  // A path with fixed parts comes before one with `*`; `#` is a number.
  private static let routes = [
    Route(.get, "") { admin throws(LaneProblem) in try ConsoleRoutes(admin).page() },
    Route(.get, "console/*") { admin throws(LaneProblem) in try ConsoleRoutes(admin).file() },
    Route(.get, "health") { admin throws(LaneProblem) in try MockRoutes(admin).health() },
    Route(.get, "version") { admin throws(LaneProblem) in try MockRoutes(admin).version() },
    Route(.post, "reload") { admin throws(LaneProblem) in try MockRoutes(admin).reload() },
    Route(.get, "operations") { admin throws(LaneProblem) in try OperationRoutes(admin).list() },
    Route(.get, "operations/*") { admin throws(LaneProblem) in try OperationRoutes(admin).read() },
    Route(.get, "coverage") { admin throws(LaneProblem) in try OperationRoutes(admin).coverage() },
    Route(.get, "scenarios") { admin throws(LaneProblem) in try ScenarioRoutes(admin).list() },
    Route(.get, "scenarios/*") { admin throws(LaneProblem) in try ScenarioRoutes(admin).read() },
    Route(.get, "webhooks") { admin throws(LaneProblem) in try WebhookRoutes(admin).list() },
    Route(.post, "webhooks/*") { admin throws(LaneProblem) in try WebhookRoutes(admin).send() },
    Route(.get, "metrics") { admin throws(LaneProblem) in try MockRoutes(admin).metrics() },
    Route(.post, "reset") { admin throws(LaneProblem) in try MockRoutes(admin).reset() },
    Route(.get, "requests") { admin throws(LaneProblem) in try JournalRoutes(admin).list() },
    Route(.delete, "requests") { admin throws(LaneProblem) in try JournalRoutes(admin).clear() },
    Route(.get, "requests/count") { admin throws(LaneProblem) in try JournalRoutes(admin).count() },
    Route(.get, "requests/details") { admin throws(LaneProblem) in try JournalRoutes(admin).details() },
    Route(.get, "requests/har") { admin throws(LaneProblem) in try JournalRoutes(admin).har() },
    Route(.get, "requests/unmatched") { admin throws(LaneProblem) in try JournalRoutes(admin).unmatched() },
    Route(.get, "requests/unmatched/near-misses") { admin throws(LaneProblem) in try JournalRoutes(admin).nearMisses()
    },
    Route(.post, "requests/#/again") { admin throws(LaneProblem) in try JournalRoutes(admin).again() },
    Route(.post, "requests/#/fixture") { admin throws(LaneProblem) in try JournalRoutes(admin).save() },
    Route(.get, "requests/#") { admin throws(LaneProblem) in try JournalRoutes(admin).read() },
    Route(.get, "fixtures") { admin throws(LaneProblem) in try FixtureRoutes(admin).read() },
    Route(.post, "fixtures") { admin throws(LaneProblem) in try FixtureRoutes(admin).write() },
    Route(.get, "routes") { admin throws(LaneProblem) in try AddedRouteRoutes(admin).list() },
    Route(.post, "routes") { admin throws(LaneProblem) in try AddedRouteRoutes(admin).add() },
    Route(.delete, "routes") { admin throws(LaneProblem) in
      try AddedRouteRoutes(admin, parameters: ["route"]).remove()
    },
    Route(.get, "sockets") { admin throws(LaneProblem) in try SocketRoutes(admin).list() },
    Route(.post, "sockets") { admin throws(LaneProblem) in try SocketRoutes(admin).act() },
    Route(.get, "sockets/events") { admin throws(LaneProblem) in try SocketEventRoutes(admin).list() },
    Route(.get, "sockets/messages") { admin throws(LaneProblem) in try SocketTrafficRoutes(admin).list() },
    Route(.get, "streams") { admin throws(LaneProblem) in try StreamRoutes(admin).list() },
    Route(.get, "streams/#") { admin throws(LaneProblem) in try StreamRoutes(admin).read() },
    Route(.get, "events") { admin throws(LaneProblem) in try JournalRoutes(admin).follow() },
    Route(.get, "lanes") { admin throws(LaneProblem) in try LaneRoutes(admin).list() },
    Route(.post, "lanes") { admin throws(LaneProblem) in try LaneRoutes(admin).open() },
    Route(.get, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin, parameters: ["state"]).read() },
    Route(.patch, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin).change() },
    Route(.delete, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin).close() },
    Route(.post, "lanes/*/reset") { admin throws(LaneProblem) in try LaneRoutes(admin).reset() },
    Route(.delete, "lanes/*/faults") { admin throws(LaneProblem) in try LaneRoutes(admin).mend() },
    Route(.get, "lanes/*/variants") { admin throws(LaneProblem) in try LaneRunRoutes(admin).variants() },
    Route(.post, "lanes/*/runs") { admin throws(LaneProblem) in try LaneRunRoutes(admin).open() },
    Route(.get, "lanes/*/replies") { admin throws(LaneProblem) in try LaneReplyRoutes(admin).list() },
    Route(.post, "lanes/*/replies") { admin throws(LaneProblem) in try LaneReplyRoutes(admin).add() },
    Route(.delete, "lanes/*/replies") { admin throws(LaneProblem) in try LaneReplyRoutes(admin).forget() },
    Route(.get, "lanes/*/routes") { admin throws(LaneProblem) in try AddedRouteRoutes(admin).list() },
    Route(.post, "lanes/*/routes") { admin throws(LaneProblem) in try AddedRouteRoutes(admin).add() },
    Route(.delete, "lanes/*/routes") { admin throws(LaneProblem) in
      try AddedRouteRoutes(admin, parameters: ["route"]).remove()
    },
    Route(.delete, "lanes/*/forced") { admin throws(LaneProblem) in try LaneRoutes(admin).release() },
  ]

  /// Whether a path below the root is about the server alone, so that a slow store of lanes does not delay the response.
  static func isAboutServer(_ path: Substring) -> Bool {
    ["/health", "/version", "/metrics"].contains(path.prefix { $0 != "?" })
  }

  static func reply(to admin: AdminRequest, _ access: AdminAccess) -> Reply {
    if let problem = access.refusal(of: admin.request) { return refusal(problem) }
    let fitting = routes.filter { route in
      route.path.count == admin.path.count && zip(route.path, admin.path).allSatisfy(Self.fits)
    }
    do throws(LaneProblem) {
      guard admin.sentBody != nil else {
        throw LaneProblem(
          .tooLarge, "the admin API reads bodies of up to \(AdminRequest.bodyLimit.asBytes)", help: "send less")
      }
      guard !fitting.isEmpty else {
        let path = VisibleText.shortened("/" + admin.path.joined(separator: "/"), to: 100)
        let related = routes.filter { $0.path.first == admin.path.first }
        let known = Set((related.isEmpty ? routes : related).map { text($0, admin.root) }).sorted()
        throw LaneProblem(
          .unknown, "the admin API has no `\(path)`",
          help: Suggestion.phrase(for: admin.root + path, among: known) ?? "it has \(known.joined(separator: ", "))")
      }
      // A literal path has other methods than the pattern that it fits.
      let literal = fitting.filter { $0.path == admin.path }
      let candidates = literal.isEmpty ? fitting : literal
      guard let route = candidates.first(where: { $0.method == admin.request.method }) else {
        let methods = candidates.map(\.method.rawValue).joined(separator: ", ")
        throw LaneProblem(
          .method, "`/\(admin.path.joined(separator: "/"))` has no \(admin.request.method.rawValue)",
          help: "it has \(methods)", allowed: methods)
      }
      let begin = admin.host.replicas?.elapsed
      var reply = try route.answer(admin)
      if let replicas = admin.host.replicas, let begin, route.method != .get {
        reply.nameLate(replicas.late(since: begin))
      }
      return reply
    } catch {
      return refusal(error)
    }
  }

  /// A page of another origin does not read why.
  private static func refusal(_ problem: LaneProblem) -> Reply {
    var reply = problem.reply
    reply.isSameOrigin = true
    if case .made(var head, let body) = reply.content {
      head.headerFields[CrossOrigin.resourcePolicy] = "same-origin"
      reply.content = .made(head, body: body)
    }
    return reply
  }

  /// Whether a part of a path fits that of a route: `*` is any name, `#` a number.
  private static func fits(_ pattern: String, _ part: String) -> Bool {
    pattern == part || pattern == "*" || pattern == "#" && part.allSatisfy(\.isNumber)
  }

  private static func text(_ route: Route, _ root: String) -> String {
    root + "/" + route.path.map { $0 == "*" ? "NAME" : $0 == "#" ? "NUMBER" : $0 }.joined(separator: "/")
  }
}
