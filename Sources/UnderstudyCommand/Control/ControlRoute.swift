import ArgumentParser
import UnderstudyVerification

/// `understudy ctl route ROUTE=REPLY`
struct ControlRoute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Add a route that no contract has, from the next request on.",
    discussion: "Routes have the syntax of a routes file. Without --lane the route is added for all lanes.")

  @Argument(
    help: ArgumentHelp(
      "'GET /health=200', 'GET /users/{id}={json: {name: Ada}}'; with none, the added routes are listed.",
      valueName: "route=reply"))
  var routes: [String] = []

  @Flag(help: "Remove the named routes, or all that were added.")
  var remove = false

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let path = admin.namedLane == nil ? "routes" : "lanes/\(admin.encodedLane)/routes"
    let listed = try await admin.call { client in
      guard remove else {
        guard !routes.isEmpty else { return try await client.send(.get, path) }
        let members = try routes.map { try RouteArgument($0, of: "ctl route").member }
        return try await client.send(.post, path, .object([("routes", .object(members))]))
      }
      var listed = routes.isEmpty ? try await client.send(.delete, path) : JSON.null
      for route in routes {
        listed = try await client.send(.delete, path + "?route=" + PercentEncoding.encode(route, keeping: ""))
      }
      return listed
    }
    let members = listed["routes"].map { Array($0.members) } ?? []
    for member in members {
      Terminal.standardOutput.write(
        DiagnosticPrinter.visible("\(member.name): \(JSONWriter.text(member.value))") + "\n")
    }
    if members.isEmpty { Terminal.standardOutput.write("no route is added\n") }
  }
}
