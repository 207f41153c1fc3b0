package import UnderstudyVerification

extension ContractFixture {
  /// The findings about the fixtures.
  package func verified(_ options: FixtureVerifier.Options = FixtureVerifier.Options()) async throws -> VerifiedFixtures
  {
    let folder = try TemporaryFolder(files)
    var report = Report(Report.Run("verify fixtures", contracts: [.init("api.yaml")], startedAt: Timestamp.now()))
    try await verifier(in: folder, options).verify(into: &report)
    return VerifiedFixtures(report: report.seen(from: folder.path + "/"), marks: marks)
  }

  /// The repairs of the fixtures.
  package func repairs(sortingMembers: Bool = false) async throws -> [FixtureRepair] {
    let folder = try TemporaryFolder(files)
    defer { withExtendedLifetime(folder) {} }
    return try await verifier(in: folder, FixtureVerifier.Options()).repairs(sortingMembers: sortingMembers)
  }

  private func verifier(in folder: TemporaryFolder, _ options: FixtureVerifier.Options) throws -> FixtureVerifier {
    let opened = FixtureVerifier.open("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures", options)
    guard let verifier = opened.verifier else { throw ContractUnusable(opened.diagnostics) }
    return verifier
  }
}

/// A report about the fixtures of a `ContractFixture`, and the expected places by its marks.
package struct VerifiedFixtures: Sendable {
  /// The report, with the file names of the fixture.
  package var report: Report
  /// `file line:column` of every mark.
  package var marks: [String]

  /// The ids of the rules of all findings, in order.
  package var rules: [String] { report.findings.map(\.rule) }

  /// The messages of all findings, in order.
  package var messages: [String] { report.findings.map(\.message) }

  /// `file line:column` of every finding and of its notes, sorted, each once.
  package var places: [String] {
    let all = report.findings.flatMap { [$0.location] + $0.notes.map(\.location) }.compactMap(\.self)
    return Set(all.compactMap { place in place.line.map { "\(place.path ?? "") \($0):\(place.column ?? 0)" } }).sorted()
  }
}

extension Report {
  /// The report with file names relative to a folder.
  fileprivate func seen(from folder: String) -> Report {
    func seen(_ place: Location?) -> Location? {
      place.map { place in
        Location(
          path: place.path?.replacing(folder, with: ""), line: place.line, column: place.column, endLine: place.endLine,
          endColumn: place.endColumn, pointer: place.pointer, excerpt: place.excerpt)
      }
    }
    var report = self
    report.cases = cases.map { current in
      var current = current
      current.findings = current.findings.map { finding in
        var finding = finding
        finding.location = seen(finding.location)
        finding.notes = finding.notes.map { .init($0.message, at: seen($0.location)) }
        return finding
      }
      return current
    }
    return report
  }
}
