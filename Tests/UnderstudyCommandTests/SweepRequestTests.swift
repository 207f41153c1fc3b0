import Testing
import UnderstudyTestSupport

/// The requests of a swept command are validated.
@Suite(.waitsForProcesses)
struct SweepRequestTests {
  private static func findings(_ script: String) throws -> [String] {
    let result = try SweepCommandTests.sweep(script)
    return result.output.split(separator: "\n").filter { $0.contains("[req.") }.map(String.init)
  }

  @Test func `a request that breaks the contract is reported once`() throws {
    let found = try Self.findings("curl -s \"$UNDERSTUDY_BASE_URL/pets/tom\" > /dev/null")
    #expect(found.count == 1 && found[0].contains("/path/id: "), "\(found)")
    #expect(found.first?.contains("status 404") == false, "\(found)")
  }

  @Test func `one whose message differs in each run is reported once`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: Pets, version: "1"}
      paths:
        /pets:
          post:
            operationId: addPet
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: {"200": {description: Added.}, "409": {description: Known.}}

      """
    let script = #"""
      name=$(printf '%*s' $(($$ % 50)) '')
      curl -s "$UNDERSTUDY_BASE_URL/pets" -H 'Content-Type: application/json' -d "{\"name\": \"$name\" x}" > /dev/null
      """#
    let result = try SweepCommandTests.sweep(script, files: ["shop.yaml": contract])
    let found = result.output.split(separator: "\n").filter { $0.contains("[req.body.unparsable]") }
    #expect(found.count == 1, "\(result.output)")
  }

  @Test func `one that only an answer leads to is reported with this answer`() throws {
    let found = try Self.findings(
      "\(SweepCommandTests.curl) || curl -s \"$UNDERSTUDY_BASE_URL/dogs\" > /dev/null")
    #expect(
      found.first
        == "error: status 404: it then sent GET /dogs, which breaks the contract: no path of the contract matches "
        + "`/dogs` [req.path.unknown]",
      "\(found)")
    // The other rows are listed below it.
    #expect(found.count == 1)
  }

  @Test func `a redirect that is followed breaks nothing`() throws {
    #expect(try Self.findings(SweepCommandTests.curl.replacing("-sf", with: "-sfL")) == [])
  }
}
