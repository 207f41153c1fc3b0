import Testing
import UnderstudyMock
import UnderstudyReport
import UnderstudySchema
import UnderstudyTestSupport

struct CompiledContractTests {
  /// Mistakes in `x-understudy` at the root and in an operation that two paths share.
  private static let mistaken = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    x-understudy: {unauthorised: 403, invalid-request: 409}
    servers: [{url: /v1}, {url: /v2}]
    paths:
      /pets:
        get:
          operationId: listPets
          x-understudy: {not-acceptable: 7, unauthorized: ignore}
          responses: {"200": {x-meaning: found, description: All.}, "409": {description: No.}}
      /animals: {$ref: "#/paths/~1pets"}

    """
  private static let mistakes = [
    "unknown key `unauthorised`", "expected a status from 200 to 599 or `ignore`, found 7",
  ]

  private static func compiled(_ basePaths: BasePathPolicy = .servers) throws -> CompiledContract {
    let documents = DocumentStore.inMemory(["api.yaml": mistaken])
    let api = try #require(OpenAPIReader.read("api.yaml", from: documents).api)
    return CompiledContract(api, from: documents, basePaths: basePaths)
  }

  // MARK: - x-understudy

  private static func messages(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.filter { $0.rule == .specUnderstudyExtension }.map(\.message)
  }

  @Test func `a mistake in x-understudy is found once, however many paths share it`() throws {
    let contract = try Self.compiled()
    #expect(contract.operations.count == 2)
    #expect(Self.messages(contract.diagnostics) == Self.mistakes)
  }

  @Test func `lint, serve and verify report a mistake in x-understudy once`() async throws {
    #expect(Self.messages(try Self.compiled().lint()) == Self.mistakes)
    try ContractFixture(Self.mistaken).withMock { #expect(Self.messages($0.contracts[0].diagnostics) == Self.mistakes) }
    let report = try await ContractFixture(Self.mistaken).verified().report
    let found = report.findings.filter { $0.rule == Rule.specUnderstudyExtension.id }
    #expect(found.map(\.message) == Self.mistakes)
  }

  @Test func `an operation's entries of x-understudy stand over those of the contract`() throws {
    let contract = try Self.compiled()
    #expect(contract.violations[.invalidRequest] == .status(409))
    #expect(contract.violations[.unauthorized] == nil)
    for operation in contract.operations {
      #expect(operation.violations[.invalidRequest] == .status(409))
      #expect(operation.violations[.unauthorized] == .ignore)
    }
  }

  // MARK: - What is shared

  @Test func `validators and routes are made once`() throws {
    let contract = try Self.compiled()
    let operation = contract.operations[0]
    #expect(operation.requestValidator === operation.requestValidator)
    #expect(operation.responseValidator === operation.responseValidator)
    #expect(contract.router === contract.router)
    #expect(ContractSet([contract]).router === contract.router)
  }

  @Test func `cells are the documented statuses with their meanings`() throws {
    let cells = try Self.compiled().operations[0].cells
    #expect(cells.map(\.status) == [.code(200), .code(409)])
    #expect(cells.map(\.meaning) == ["found", "no"])
  }

  @Test(arguments: [
    (BasePathPolicy.servers, ["/v1/pets", "/v2/pets"]), (.fixed("/api"), ["/api/pets"]), (.fixed(""), ["/pets"]),
  ])
  func `operations live below the paths that the policy gives`(policy: BasePathPolicy, targets: [String]) throws {
    let router = try Self.compiled(policy).router
    for target in ["/pets", "/v1/pets", "/v2/pets", "/api/pets"] {
      let isFound = if case .match = router.route("GET", target) { true } else { false }
      #expect(isFound == targets.contains(target), "\(target)")
    }
  }

  @Test func `operations of several contracts are numbered in their order`() throws {
    let contract = try Self.compiled()
    let both = ContractSet([contract, try Self.compiled(.fixed("/other"))])
    #expect(both.operations.count == 4)
    guard case .match(let match) = both.router.route("GET", "/other/animals") else {
      Issue.record("the second contract is not found")
      return
    }
    #expect(match.operation == 3)
    #expect(both.contractIndex(ofOperation: 3) == 1)
  }
}
