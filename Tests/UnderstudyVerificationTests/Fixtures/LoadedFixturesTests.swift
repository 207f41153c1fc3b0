import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct LoadedFixturesTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            responses:
              "200":
                description: Pets.
                content: {application/json: {schema: {type: array, items: {type: string}}}}

      """)

  private func findings(
    _ fixtures: [String: String], _ rules: RuleSettings = RuleSettings()
  ) async throws
    -> [Diagnostic]
  {
    let contract = try ContractFixture(Self.contract, fixtures: fixtures).contract()
    return await contract.validateFixtures(rules).flatMap(\.findings)
  }

  @Test func `a fixture that breaks the contract is reported`() async throws {
    let found = try await findings(["listPets/200.json": "[1]", "listPets/200.good.json": #"["cat"]"#])
    #expect(found.map(\.rule) == [.responseBodySchema])
    #expect(found.first?.owner == .fixture)
    #expect(found.first?.location?.pointer == "/body/0")
  }

  @Test func `a rule that the fixture breaks on purpose is not reported`() async throws {
    #expect(try await findings(["listPets/200.yaml": "body: [1]\nviolates: [resp.body.schema]\n"]).isEmpty)
  }

  @Test func `a rule that is off is not reported`() async throws {
    let rules = RuleSettings(levels: [.responseBodySchema: .off])
    #expect(try await findings(["listPets/200.json": "[1]"], rules).isEmpty)
  }

  @Test func `text that is not JSON is an error after the warning of reading`() async throws {
    let found = try await findings(["listPets/200.json": "[1"])
    #expect(found.map(\.rule) == [.responseBodyUnparsable] && found.first?.severity == .error)
  }

  @Test func `a mistake that reading has reported is not repeated`() async throws {
    #expect(try await findings(["listPets/418.json": "{}"]).isEmpty)
  }
}
