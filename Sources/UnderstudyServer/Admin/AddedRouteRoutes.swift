import HTTPTypes
import UnderstudyMock

/// The requests to `/__admin/routes` and `/__admin/lanes/NAME/routes`.
struct AddedRouteRoutes {
  private let admin: AdminRequest
  /// `nil` for the routes of all lanes.
  private let lane: (any LaneAccess)?

  init(_ admin: AdminRequest, parameters: [String] = []) throws(LaneProblem) {
    self.admin = admin
    lane = admin.path.count > 1 ? try LaneRoutes(admin, parameters: parameters).lane().1 : nil
    try admin.requireParameters(parameters)
  }

  private var routes: [AddedRoute] {
    get throws(LaneProblem) {
      guard let lane else { return admin.served.options.addedRoutes.routes }
      return try lane.value.routes.all
    }
  }

  func list() throws(LaneProblem) -> Reply { admin.answer(AddedRoute.document(try routes)) }

  /// Adds routes, each in place of an earlier one with its key.
  func add() throws(LaneProblem) -> Reply {
    let added = try read()
    let all = try routes.filter { route in !added.contains { $0.key == route.key } } + added
    let limit = AddedRoutes.limit
    guard all.count <= limit else {
      throw LaneProblem(
        .full, "\(all.count) routes are more than a mock takes: expected at most \(limit)",
        help: "serve a routes file, or remove routes by DELETE \(admin.root)/\(admin.path.joined(separator: "/"))")
    }
    try check(all)
    try use(all)
    return admin.answer(AddedRoute.document(all), .created)
  }

  /// Removes one route, or all of them.
  func remove() throws(LaneProblem) -> Reply {
    guard let key = admin.text("route") else {
      try use([])
      return try list()
    }
    let known = try routes.map(\.key)
    guard known.contains(key) else {
      throw LaneProblem(
        .unknown, "no route `\(VisibleText.shortened(key, to: 100))` was added",
        help: Suggestion.help(for: key, among: known, none: "no route was added"))
    }
    try use(try routes.filter { $0.key != key })
    return try list()
  }

  private func use(_ routes: [AddedRoute]) throws(LaneProblem) {
    if let lane {
      try lane.change(.routes(routes), by: admin.served)
    } else {
      try admin.host.useRoutes(routes, of: admin.served)
    }
  }

  // MARK: - Reading

  private static let example = "as in {\"routes\": {\"GET /health\": 200}}"

  private func read() throws(LaneProblem) -> [AddedRoute] {
    let root: JSON
    do throws(TextProblem) {
      root = try TextDocument.read(SourceFile(path: "body", bytes: admin.body)).root
    } catch {
      throw LaneProblem(.invalid, "the body is neither JSON nor YAML: \(error.message)", help: Self.example)
    }
    guard root.isObject, let routes = root["routes"], routes.isObject, routes.count > 0 else {
      throw LaneProblem(.invalid, "the body has no routes: expected a mapping with `routes`", help: Self.example)
    }
    if let other = root.members.first(where: { $0.name != "routes" }) {
      throw LaneProblem(.invalid, "unknown key `\(VisibleText.shortened(other.name, to: 80))`", help: "known: routes")
    }
    if let key = routes.members.lazy.compactMap({ fileKey(in: $0.value) }).first {
      throw LaneProblem(
        .invalid, "a route that a client adds names no file, and this one has `\(key)`",
        help: "send the body itself, as in {\"json\": {}} or {\"text\": \"ok\"}, or serve a routes file")
    }
    return routes.members.map { AddedRoute($0.name, $0.value) }
  }

  /// The first key of a reply that names files.
  private func fileKey(in value: JSON) -> String? {
    if let key = ["files", "file", "bodyFile"].first(where: { value[$0] != nil }) { return key }
    let replies =
      value.isArray ? Array(value.elements) : value.members.filter { $0.name.first?.isNumber == true }.map(\.value)
    return replies.lazy.compactMap(fileKey).first
  }

  /// Throws if a route cannot be read, or if the contracts have it already.
  private func check(_ routes: [AddedRoute]) throws(LaneProblem) {
    let (contract, diagnostics) = AddedRoutes.contract(of: routes)
    if let first = diagnostics.first(where: { $0.severity == .error }) {
      let pointer = first.location?.pointer ?? ""
      throw LaneProblem(
        first.rule == .routesClash ? .conflict : .invalid, (pointer.isEmpty ? "" : "\(pointer): ") + first.message,
        help: first.help ?? Self.example)
    }
    guard let contract else { throw LaneProblem(.invalid, "the routes cannot be read", help: Self.example) }
    let clash = admin.served.conflict(with: contract)
    if let clash {
      throw LaneProblem(
        .conflict, clash.message,
        help: "force one of its cells, or give the lane a reply for it: POST \(admin.root)/lanes/NAME/replies")
    }
  }
}
