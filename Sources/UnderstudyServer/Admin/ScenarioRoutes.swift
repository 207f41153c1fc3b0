import UnderstudyMock

/// The requests to `/__admin/scenarios`.
struct ScenarioRoutes: ParameterlessRoutes {
  let admin: AdminRequest

  func list() throws(LaneProblem) -> Reply {
    let played = try admin.host.lanes.unnamed.value.scenario
    let names = Set(mock.contracts.flatMap { $0.scenarios.map(\.name) }).sorted()
    return admin.answer(
      .object(
        (
          "scenarios",
          .array(
            names.map { name in
              .object(("name", .string(name)), ("isPlayed", JSON(booleanLiteral: name == played)))
            })
        )))
  }

  func read() throws(LaneProblem) -> Reply {
    let name = PercentEncoding.decode(admin.path[1]) ?? admin.path[1]
    let found = mock.contracts.flatMap(\.scenarios).compactMap(\.scenario).filter { $0.name.utf8Equals(name) }
    guard !found.isEmpty else {
      let names = mock.contracts.flatMap { $0.scenarios.map(\.name) }
      throw LaneProblem(
        .unknown, "no scenario is called `\(VisibleText.shortened(name, to: 100))`",
        help: Suggestion.phrase(for: name, among: names) ?? "GET \(admin.root)/scenarios lists them")
    }
    return admin.answer(
      .object(
        ("name", .string(name)), ("text", .string(found.map { ScenarioOutline($0).text }.joined())),
        ("machines", .array(found.flatMap(\.machines).map { MachineGraph($0).json }))))
  }
}
