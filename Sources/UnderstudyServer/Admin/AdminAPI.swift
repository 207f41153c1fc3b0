import Understudy

/// The API that directs a running mock: `/__admin/lanes`.
struct AdminAPI {
  let lanes: any LaneStore
  let mock: Mock
  let access: AdminAccess

  private static let root = "/__admin"

  private struct Route: Sendable {
    let method: HTTPRequest.Method
    /// `*` stands for the name of a lane.
    let path: [String]
    let answer: @Sendable (LaneRoutes) throws(LaneProblem) -> Reply
  }

  private static let routes = [
    Route(method: .get, path: ["lanes"]) { routes throws(LaneProblem) in routes.list() },
    Route(method: .post, path: ["lanes"]) { routes throws(LaneProblem) in try routes.open() },
    Route(method: .get, path: ["lanes", "*"]) { routes throws(LaneProblem) in try routes.read() },
    Route(method: .patch, path: ["lanes", "*"]) { routes throws(LaneProblem) in try routes.change() },
    Route(method: .delete, path: ["lanes", "*"]) { routes throws(LaneProblem) in try routes.close() },
    Route(method: .post, path: ["lanes", "*", "reset"]) { routes throws(LaneProblem) in try routes.reset() },
  ]

  /// Whether a target is one of the admin API.
  static func isAsked(by target: String) -> Bool {
    let path = target.prefix { $0 != "?" }
    return path == root || path.hasPrefix(root + "/")
  }

  func reply(to request: HTTPRequest, _ body: [UInt8]) -> Reply {
    if let problem = access.refusal(of: request) { return problem.reply }
    let path = (request.path ?? "").prefix { $0 != "?" }.dropFirst(Self.root.count)
    let parts = path.split(separator: "/").map(String.init)
    let fitting = Self.routes.filter { route in
      route.path.count == parts.count && zip(route.path, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }
    do throws(LaneProblem) {
      guard !fitting.isEmpty else {
        throw LaneProblem(
          .unknown, "the admin API has no `\(path.prefix(100))`",
          help: "it has \(Set(Self.routes.map(Self.text)).sorted().joined(separator: ", "))")
      }
      guard let route = fitting.first(where: { $0.method == request.method }) else {
        let methods = fitting.map(\.method.rawValue).joined(separator: ", ")
        throw LaneProblem(
          .method, "`\(path)` has no \(request.method.rawValue)", help: "it has \(methods)", allowed: methods)
      }
      let name = parts.count > 1 ? try LaneName(parts[1]) : nil
      return try route.answer(
        LaneRoutes(lanes: lanes, mock: mock, authority: request.authority, name: name, body: body))
    } catch {
      return error.reply
    }
  }

  private static func text(_ route: Route) -> String {
    root + "/" + route.path.map { $0 == "*" ? "NAME" : $0 }.joined(separator: "/")
  }
}
