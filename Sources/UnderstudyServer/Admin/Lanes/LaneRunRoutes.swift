import UnderstudyMock

/// The requests to `/__admin/lanes/NAME/variants` and `/__admin/lanes/NAME/runs`.
struct LaneRunRoutes {
  private let admin: AdminRequest
  private let routes: LaneRoutes

  init(_ admin: AdminRequest) throws(LaneProblem) {
    self.admin = admin
    guard admin.host.replicas == nil else {
      throw LaneProblem(
        .conflict, "a mock with replicas makes no variants: the requests of a client are in several processes",
        help: "sweep a mock of its own, without a shared store")
    }
    routes = try LaneRoutes(admin, parameters: admin.request.method == .get ? ["operation", "seed"] : [])
  }

  /// Lists the variants of the responses and events that the client of the lane has got: the documented statuses of each operation,
  /// then the default response with one thing wrong.
  func variants() throws(LaneProblem) -> Reply {
    let (name, lane) = try routes.lane()
    guard admin.mock.options.upstream == nil else {
      throw LaneProblem(
        .conflict, "a mock with an upstream makes no variants", help: "record fixtures, and serve them")
    }
    let operations = admin.query.pairs.filter { admin.query.name(of: $0) == "operation" }
      .compactMap { admin.query.value(of: $0) }
    for id in operations where !admin.mock.operations.contains(where: { $0.id.utf8Equals(id) }) {
      throw LaneProblem(
        .conflict, "no operation is called `\(VisibleText.shortened(id, to: 40))`",
        help: MockOperation.suggestion(for: id, among: admin.mock.operations) ?? "`understudy routes` lists them")
    }
    let state = try lane.value
    let seed = admin.text("seed") ?? admin.mock.options.seed
    return admin.answer(later: { [admin] in
      let activity = await LaneRun.activity(of: name, state.requests, in: admin.host.journal)
      let variants = activity.variants(of: operations, seed: seed, by: admin.mock)
      let runs = admin.host.runs
      var run = runs.run(of: name) ?? LaneRun(start: state.anew(of: admin.mock, name))
      run.plan = variants
      runs.add(run, name) { admin.host.lanes.names }
      return admin.answer(
        .object(
          ("variants", .array(variants.map(Self.value))),
          ("kinds", .array(SweepCase.Kind.allCases.map { .string($0.rawValue) }))))
    })
  }

  private static func value(_ variant: SweepVariant) -> JSON {
    .object(
      ("operation", .string(variant.operation)), ("name", .string(variant.name)),
      ("kind", .string(variant.kind.rawValue)), ("status", variant.status.map { .integer($0) }),
      ("isUnusable", JSON(booleanLiteral: variant.isUnusable)),
      ("closesInHead", JSON(booleanLiteral: variant.closesInHead)))
  }

  /// Opens a lane that begins as this one began: `{"variant": "readUser html"}`, or `{}` for default responses. It has a port
  /// of its own if this lane has one.
  func open() throws(LaneProblem) -> Reply {
    let (name, lane) = try routes.lane()
    let (runs, mock) = (admin.host.runs, admin.mock)
    let known = runs.run(of: name)
    let run = try LaneRoutes.unusedName()
    let start: LaneState
    if let known { start = known.start } else { start = try lane.value }
    var state = start.anew(of: mock, run)
    var opened = LaneRun(start: state)
    if let row = try Self.variant(admin.body) {
      guard let variant = known?.plan.first(where: { $0.fullName.utf8Equals(row) }) else {
        throw LaneProblem(
          .conflict, "the lane `\(name)` has no variant `\(VisibleText.shortened(row, to: 80))`",
          help: Suggestion.phrase(for: row, among: known?.plan.map(\.fullName) ?? [])
            ?? "GET \(admin.root)/lanes/\(name)/variants makes the variants of what its client has called")
      }
      opened.variant = variant
      variant.apply(to: &state, of: mock)
    }
    let reply = try routes.open(run, state, port: admin.host.lanePorts.port(of: name).map { _ in 0 })
    runs.add(opened, run) { admin.host.lanes.names }
    return reply
  }

  private static func variant(_ body: [UInt8]) throws(LaneProblem) -> String? {
    guard !body.isEmpty else { return nil }
    let example = "as in {\"variant\": \"readUser html\"}"
    let root = try LaneProblem.json(body, help: example)
    guard root.isObject, root.members.allSatisfy({ $0.name == "variant" }) else {
      throw LaneProblem(.invalid, "expected an object with nothing but `variant`", help: example)
    }
    guard let name = root["variant"], !name.isNull else { return nil }
    guard let text = name.string else {
      throw LaneProblem(.invalid, "expected text for `variant`, found \(name.kindName)", help: example)
    }
    return text
  }
}
