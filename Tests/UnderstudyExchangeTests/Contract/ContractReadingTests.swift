import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Settings that change what a contract says: local files in place of URLs, and the formats that are asserted.
struct ContractReadingTests {
  @Test func `a URL is read from its file, and one that ends with a slash from its folder`() {
    let map = ReferenceMap([
      ("https://example.com/", "all"), ("https://example.com/pets/", "pets"),
      ("https://example.com/a.yaml#x", "b.yaml"),
    ])
    #expect(map.place(of: "https://example.com/a.yaml") == "b.yaml")
    #expect(map.place(of: "https://example.com/c/d.yaml") == "all/c/d.yaml")
    #expect(map.place(of: "https://example.com/pets/d.yaml") == "pets/d.yaml")
    #expect(map.place(of: "https://example.org/a.yaml") == "https://example.org/a.yaml")
    #expect(map.place(of: "a.yaml") == "a.yaml")
  }

  private static func contract(_ version: String) -> String {
    """
    openapi: \(version)
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: pets
          parameters: [{name: id, in: query, schema: {type: string, format: uuid}}]
          responses: {"200": {description: OK}}
    """
  }

  /// The rules of the findings about `GET /pets?id=7`, and the number of formats that are not asserted.
  private static func read(_ version: String, _ formats: FormatAssertion?) throws -> ([String], Int) {
    try read(contract: contract(version), formats)
  }

  private static func read(contract text: String, _ formats: FormatAssertion?) throws -> ([String], Int) {
    let folder = try TemporaryFolder(["api.yaml": text])
    var reading = ContractReading()
    if let formats { reading.formats = formats }
    let read = CompiledContract.read(ContractSource("\(folder.path)/api.yaml", reading: reading))
    let contract = try #require(read.contract)
    let request = RequestView(
      request: HTTPRequest(method: .get, scheme: nil, authority: "t", path: "/pets?id=7"), target: "/pets?id=7",
      captures: [], body: [])
    let result = contract.operations[0].requestValidator.validation(of: request, ValidationOptions())
    return (result.findings.map(\.rule.id), contract.annotatedFormatCount)
  }

  @Test(arguments: ["3.1.0", "3.2.0"])
  func `formats annotate in OpenAPI 3.1 and later, unless they are to be asserted`(version: String) throws {
    let (silent, counted) = try Self.read(version, nil)
    #expect(silent == [])
    #expect(counted == 1)
    let (found, rest) = try Self.read(version, .byDefaultTable)
    #expect(found == ["req.param.schema"])
    #expect(rest == 0)
  }

  @Test func `a contract asks for its formats itself, and a setting takes precedence`() throws {
    let contract = Self.contract("3.1.0") + "\nx-understudy: {formats: assert}"
    #expect(try Self.read(contract: contract, nil).0 == ["req.param.schema"])
    #expect(try Self.read(contract: contract, .never).0 == [])
    let mistaken = ContractFixture(Self.contract("3.1.0") + "\nx-understudy: {formats: strict}")
    #expect(try mistaken.contract().diagnostics.map(\.message) == ["expected `assert` or `annotate`"])
  }

  @Test func `formats are asserted in OpenAPI 3_0, unless they are to annotate`() throws {
    let (found, counted) = try Self.read("3.0.3", nil)
    #expect(found == ["req.param.schema"])
    #expect(counted == 0)
    let (silent, rest) = try Self.read("3.0.3", .never)
    #expect(silent == [])
    #expect(rest == 1)
  }
}
