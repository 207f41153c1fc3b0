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
      .fixtureShadowed, message, at: Self.location(in: shadow.fixture.path),
      notes: [Diagnostic.Note("this one answers", at: Self.location(in: shadow.by.path))],
      help: "narrow the conditions of the earlier one, or give this one a higher `priority`")
  }

  private func diagnostic(
    _ obstacle: UnreachableMatcherCheck.Obstacle, _ condition: RequestMatcher.Condition, _ fixture: FixtureOutline
  ) -> Diagnostic {
    Diagnostic(
      .fixtureRequestUnreachable, "no valid request meets this condition: \(obstacle.reason)",
      at: Self.location(in: fixture.path, of: condition), notes: .contract(obstacle.contract),
      help: obstacle.help)
  }

  /// The location of the key `when`, or of one condition below it; the file is read anew.
  private static func location(in path: String, of condition: RequestMatcher.Condition? = nil) -> Location {
    guard let source = try? FileSystem.read(path), let root = try? TextDocument.read(source).root,
      let key = root.key("when")
    else { return Location(path: path) }
    guard let condition else { return Location(key) }
    var reader = RequestMatcherReader()
    _ = root["when"].flatMap { reader.read($0) }
    return reader.location(of: condition) ?? Location(key)
  }
}
