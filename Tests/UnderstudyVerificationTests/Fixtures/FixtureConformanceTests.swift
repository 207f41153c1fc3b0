import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The fixtures that come with the project obey their contracts, or break exactly what they say.
struct FixtureConformanceTests {
  @Test(arguments: [("slp", 214), ("petstore", 4), ("firebase", 14)])
  func `a fixture breaks exactly the rules in violates`(
    _ name: String, count: Int
  ) async throws {
    let (opened, _) = FixtureVerifier.open(
      Project.path("specs/\(name).yaml"), fixtures: Project.path("fixtures"), FixtureVerifier.Options())
    let verifier = try #require(opened)
    var report = Report(Report.Run("verify fixtures", contracts: [.init(name)], startedAt: Timestamp.now()))
    await verifier.verify(into: &report)
    #expect(report.findings.map { "\($0.rule) \($0.location?.path ?? "") \($0.message)" } == [])
    #expect(report.notValidated == [])
    #expect(verifier.count == count)
    #expect(report.cases.count { $0.name.hasPrefix("fixture ") } == count)
  }

  @Test(arguments: ["slp", "petstore", "firebase"]) func `the project's fixtures are served without a finding`(
    _ name: String
  ) {
    let diagnostics = Contract.load(Project.path("specs/\(name).yaml"), fixtures: Project.path("fixtures")).diagnostics
    #expect(diagnostics.map { "\($0.place) \($0.message)" } == [])
  }
}
