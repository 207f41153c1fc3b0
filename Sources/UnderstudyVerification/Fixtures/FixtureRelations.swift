/// Finds duplicate, shadowed and unreachable fixtures of one operation.
struct FixtureRelations {
  let operation: Operation
  let specification: Specification
  let schemas: SchemaLibrary

  /// Adds the findings to the cases of the fixtures.
  func report(_ fixtures: [FixtureOutline], in cases: inout ArraySlice<Report.Case>) {
    var duplicates = FixtureDuplicates()
    var findings = fixtures.compactMap { fixture in duplicates.add(fixture).map { (fixture.path, $0) } }
    let ties = FixtureTies.findings(among: fixtures, of: operation)
    findings += ties.compactMap { tie in tie.location?.path.map { ($0, tie) } }
    findings += ShadowedFixtureCheck.shadows(among: fixtures, of: operation).map { ($0.fixture.path, diagnostic($0)) }
    let check = UnreachableMatcherCheck(operation: operation, specification: specification, schemas: schemas)
    // Fixtures of errors may match invalid requests.
    findings += fixtures.filter { $0.status.code < 400 }.compactMap { fixture in
      fixture.when.flatMap(check.obstacle).map { (fixture.path, diagnostic($0.obstacle, $0.condition, fixture)) }
    }
    guard !findings.isEmpty else { return }
    let places = Dictionary(
      cases.indices.map { (cases[$0].place?.path ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    for (path, diagnostic) in findings {
      guard let index = places[path] else { continue }
      cases[index].findings.append(Report.Finding(diagnostic.owned(by: .fixture), about: cases[index].subject))
    }
  }

  private func diagnostic(_ shadow: ShadowedFixtureCheck.Shadow) -> Diagnostic {
    let message =
      shadow.isSame
      ? "\(shadow.by.label) has the same conditions and comes first"
      : "\(shadow.by.label) comes first and matches every request that this one matches"
    return Diagnostic(
      .fixtureShadowed, message, at: Self.location(of: shadow.fixture),
      notes: [Diagnostic.Note("this one responds", at: Self.location(of: shadow.by))],
      help: "narrow the conditions of the earlier one, or give this one a higher `priority`")
  }

  private func diagnostic(
    _ obstacle: UnreachableMatcherCheck.Obstacle, _ condition: RequestMatcher.Condition, _ fixture: FixtureOutline
  ) -> Diagnostic {
    Diagnostic(
      .fixtureRequestUnreachable, "no valid request meets this condition: \(obstacle.reason)",
      at: Self.location(of: fixture, condition), notes: .contract(obstacle.contract),
      help: obstacle.help)
  }

  /// The location of the key `when`, or of one condition below it; a file is read anew. A reply of a routes file has its own.
  private static func location(of fixture: FixtureOutline, _ condition: RequestMatcher.Condition? = nil) -> Location {
    guard !fixture.isRouteReply, let source = try? FileSystem.read(fixture.path),
      let root = try? TextDocument.read(source).root, let key = root.key("when")
    else { return fixture.location }
    guard let condition else { return Location(key) }
    var reader = RequestMatcherReader()
    _ = root["when"].flatMap { reader.read($0) }
    return reader.location(of: condition) ?? Location(key)
  }
}
