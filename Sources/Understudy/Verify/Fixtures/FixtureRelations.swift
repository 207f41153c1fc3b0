import JSONSchema

/// What the fixtures of one operation are to each other and to its requests.
struct FixtureRelations {
  let operation: Operation
  let specification: Specification
  let schemas: SchemaLibrary

  /// Adds what is found to the cases of the fixtures, found by their files.
  func tell(_ fixtures: [FixtureOutline], in cases: inout ArraySlice<Report.Case>) {
    var findings: [(path: String, diagnostic: Diagnostic)] = []
    var duplicates = FixtureDuplicates()
    for fixture in fixtures {
      if let duplicate = duplicates.add(fixture) { findings.append((fixture.path, duplicate)) }
    }
    findings += ShadowedFixtureCheck.shadows(among: fixtures, of: operation).map { ($0.fixture.path, diagnostic($0)) }
    let reach = UnreachableMatcherCheck(operation: operation, specification: specification, schemas: schemas)
    for fixture in fixtures where !fixture.isRefusal {
      guard let obstacle = fixture.when.flatMap(reach.obstacle) else { continue }
      findings.append((fixture.path, diagnostic(obstacle, fixture)))
    }
    guard !findings.isEmpty else { return }
    let places = Dictionary(
      cases.indices.map { (cases[$0].place?.file ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    for (path, diagnostic) in findings {
      guard let index = places[path] else { continue }
      cases[index].findings.append(Report.Finding(diagnostic.owned(by: .fixture), about: cases[index].subject))
    }
  }

  private func diagnostic(_ shadow: ShadowedFixtureCheck.Shadow) -> Diagnostic {
    let message =
      shadow.isSame
      ? "\(shadow.by.label) has the same conditions and comes first"
      : "\(shadow.by.label) comes first and holds for every request that this is for"
    return Diagnostic(
      .fixtureShadowed, message, at: WhenPlace.location(in: shadow.fixture.path),
      notes: [Diagnostic.Note("this one answers", at: WhenPlace.location(in: shadow.by.path))],
      help: "narrow the conditions of the earlier one, or rename the files: they are asked by status and name")
  }

  private func diagnostic(_ obstacle: UnreachableMatcherCheck.Obstacle, _ fixture: FixtureOutline) -> Diagnostic {
    Diagnostic(
      .fixtureRequestUnreachable, "no request that keeps the contract meets this: \(obstacle.reason)",
      at: WhenPlace.location(in: fixture.path, of: obstacle.condition),
      notes: obstacle.contract.flatMap { node in
        node.range == nil ? nil : [Diagnostic.Note("the contract", at: Location(start: node))]
      } ?? [], help: obstacle.help)
  }
}

extension FixtureOutline {
  /// Whether it stands for the answer to a request that breaks the contract, or to one that failed.
  fileprivate var isRefusal: Bool { status.code >= 400 }
}

/// Finds conditions in the text of a fixture, which nobody keeps.
enum WhenPlace {
  /// The key `when`, or that of one condition below it.
  static func location(in path: String, of condition: RequestMatcher.Condition? = nil) -> Location {
    guard let source = try? FileSystem.read(path), let root = try? TextDocument.read(source).root,
      let key = root.key("when")
    else { return Location(path: path) }
    guard let condition else { return Location(key) }
    return Location(root["when"]?[condition.part.rawValue]?.key(condition.name) ?? key)
  }
}
