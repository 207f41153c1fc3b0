import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The mock keeps the contracts that it serves, and the verifier finds nothing: every finding here is a bug of one of
/// the two.
struct MockVerifiedTests {
  @Test(arguments: ["slp", "petstore"]) func `nothing is found on the mock of our own contracts`(
    name: String
  ) async throws {
    let mock = try Mock.load(Project.path("specs/\(name).yaml"))
    let report = try await live(mock.contracts, on: mock.server)
    #expect(report.findings.isEmpty, "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
    #expect(report.checked > 500)
  }

  @Test(
    .enabled(if: Corpora.isPresent, "skipped: no corpora"),
    arguments: [
      "Redocly+museum-openapi-example/openapi.yaml", "moby+moby/api/docs/v1.43.yaml", "box+box-openapi/openapi.json",
    ])
  func `nothing is found on the mock of a description from the field`(path: String) async throws {
    let mock = try Mock.load(Corpora.path(path), fixtures: "/nonexistent")
    let report = try await live(mock.contracts, on: mock.server) { $0.count = 1 }
    #expect(report.findings.isEmpty, "\(report.explained.prefix(6000))")
    #expect(report.run.abortedBecause == nil)
    #expect(report.checked > 100)
  }

  private static let violating: [(operation: String, fixture: Fixture)] = {
    let contract = Contract.load(Project.path("specs/slp.yaml"), fixtures: Project.path("fixtures")).contract
    return (contract?.fixtures.fixtures ?? [:]).sorted { $0.key < $1.key }.flatMap { entry in
      entry.value.filter { !$0.violates.isEmpty }.map { (entry.key, $0) }
    }
  }()

  @Test func `a fixture that breaks the contract on purpose is found under just its rules`() async throws {
    #expect(Self.violating.count > 20)
    for (operation, fixture) in Self.violating {
      let mock = try Mock.load(Project.path("specs/slp.yaml")) { options in
        let name = fixture.name.map { ".\($0)" } ?? ""
        options.forced = ForcingRule("\(operation)=\(fixture.status.code)\(name)").map { [$0] } ?? []
      }
      // A forced answer answers everything: only what keeps the contract is sent, and a forced refusal is not
      // reported as a missing route.
      let report = try await live(mock.contracts, on: mock.server) { settings in
        settings.mode = .positive
        settings.selection.operations = [operation]
        settings.count = 2
        settings.rules.levels = [.coverageStatusUnimplemented: .off, .providerBasePath: .off]
      }
      let rules = Set(report.findings.map(\.rule))
      // No bytes are a text: a promise to break `resp.body.missing` with them is the fixture's mistake.
      let expected = Set(fixture.violates).subtracting(fixture.body.isEmpty ? ["resp.body.missing"] : [])
      #expect(rules == expected, "\(operation) \(fixture.label): \(report.explained)")
    }
  }
}
