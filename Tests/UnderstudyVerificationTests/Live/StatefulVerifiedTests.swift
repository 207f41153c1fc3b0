import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// A stateful mock keeps its contract after creations, changes and deletions.
struct StatefulVerifiedTests {
  @Test(arguments: ["petstore", "slp"]) func `nothing is found on a stateful mock of our own contracts`(
    name: String
  ) async throws {
    let mock = try Mock.load(Project.path("specs/\(name).yaml")) { $0.isStateful = true }
    #expect(!mock.collections.isEmpty)
    let report = try await live(mock.contracts, on: mock.server)
    #expect(report.findings.isEmpty, "\(report.explained.prefix(6000))")
    #expect(report.checked > 500)
  }

  @Test(
    .enabled(if: Corpora.isPresent, "skipped: no corpora"),
    arguments: [
      "swagger-api+swagger-petstore/src/main/resources/openapi.yaml",
      "Redocly+museum-openapi-example/openapi.yaml", "moby+moby/api/docs/v1.43.yaml", "box+box-openapi/openapi.json",
    ])
  func `nothing is found on a stateful mock of a description from the field`(path: String) async throws {
    let mock = try Mock.load(Corpora.path(path), fixtures: "/nonexistent") { $0.isStateful = true }
    let report = try await live(mock.contracts, on: mock.server) { $0.count = 1 }
    #expect(report.findings.isEmpty, "\(report.explained.prefix(6000))")
    #expect(report.checked > 100)
  }

  @Test func `nothing is found on a stateful mock with every action`() async throws {
    let contract = try ContractFixture(MockContract.library).contract()
    var options = Mock.Options()
    options.isStateful = true
    let mock = Mock(contracts: [contract], options: options)
    // The contract allows patches that fit no item.
    let report = try await live(mock.contracts, on: mock.server) { $0.rules.levels = [.providerValidRejected: .off] }
    #expect(report.findings.isEmpty, "\(report.explained.prefix(6000))")
    #expect(report.checked > 100)
  }
}
