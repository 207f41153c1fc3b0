import HTTPTypes
import Understudy

/// The API that directs a running mock, below `/__admin`. Described in `specs/admin.yaml`.
enum AdminAPI {
  static let root = "/__admin"

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

  // A path with fixed parts comes before one with `*`.
  private static let routes = [
    Route(.get, "") { admin throws(LaneProblem) in try ConsoleRoutes(admin).page() },
    Route(.get, "console/*") { admin throws(LaneProblem) in try ConsoleRoutes(admin).file() },
    Route(.get, "health") { admin throws(LaneProblem) in try MockRoutes(admin).health() },
    Route(.get, "operations") { admin throws(LaneProblem) in try MockRoutes(admin).operations() },
    Route(.get, "scenarios") { admin throws(LaneProblem) in try MockRoutes(admin).scenarios() },
    Route(.get, "metrics") { admin throws(LaneProblem) in try MockRoutes(admin).metrics() },
    Route(.post, "reset") { admin throws(LaneProblem) in try MockRoutes(admin).reset() },
    Route(.get, "requests") { admin throws(LaneProblem) in try JournalRoutes(admin).list() },
    Route(.delete, "requests") { admin throws(LaneProblem) in try JournalRoutes(admin).clear() },
    Route(.get, "requests/har") { admin throws(LaneProblem) in try JournalRoutes(admin).har() },
    Route(.get, "requests/unmatched") { admin throws(LaneProblem) in try JournalRoutes(admin).unmatched() },
    Route(.get, "requests/*") { admin throws(LaneProblem) in try JournalRoutes(admin).read() },
    Route(.get, "events") { admin throws(LaneProblem) in try JournalRoutes(admin).follow() },
    Route(.get, "lanes") { admin throws(LaneProblem) in try LaneRoutes(admin).list() },
    Route(.post, "lanes") { admin throws(LaneProblem) in try LaneRoutes(admin).open() },
    Route(.get, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin).read() },
    Route(.patch, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin).change() },
    Route(.delete, "lanes/*") { admin throws(LaneProblem) in try LaneRoutes(admin).close() },
    Route(.post, "lanes/*/reset") { admin throws(LaneProblem) in try LaneRoutes(admin).reset() },
    Route(.delete, "lanes/*/forced") { admin throws(LaneProblem) in try LaneRoutes(admin).release() },
  ]

  /// Whether a target is one of the admin API.
  static func isAsked(by target: String) -> Bool {
    let path = target.prefix { $0 != "?" }
    return path == root || path.hasPrefix(root + "/")
  }

  static func reply(to admin: AdminRequest) -> Reply {
    if let problem = admin.host.access.refusal(of: admin.request) { return problem.reply }
    let fitting = routes.filter { route in
      route.path.count == admin.path.count && zip(route.path, admin.path).allSatisfy { $0 == "*" || $0 == $1 }
    }
    do throws(LaneProblem) {
      guard !fitting.isEmpty else {
        let path = VisibleText.shortened("/" + admin.path.joined(separator: "/"), to: 100)
        throw LaneProblem(
          .unknown, "the admin API has no `\(path)`",
          help: "it has \(Set(routes.map(text)).sorted().joined(separator: ", "))")
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
      return try route.answer(admin)
    } catch {
      return error.reply
    }
  }

  private static func text(_ route: Route) -> String {
    root + "/" + route.path.map { $0 == "*" ? "NAME" : $0 }.joined(separator: "/")
  }
}
