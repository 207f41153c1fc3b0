import TestSupport
import Testing

/// The requests of a swept command are validated.
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

  @Test func `one that only an answer leads to is reported with this answer`() throws {
    let found = try Self.findings(
      "\(SweepCommandTests.curl) || curl -s \"$UNDERSTUDY_BASE_URL/dogs\" > /dev/null")
    #expect(
      found.first
        == "error: status 404: it then sent GET /dogs, which breaks the contract: /path: no path of the contract matches "
        + "`/dogs` [req.path.unknown]",
      "\(found)")
    #expect(found.contains { $0.hasPrefix("error: reset: ") } && !found.contains { $0.contains("status 200") })
  }

  @Test func `a redirect that is followed breaks nothing`() throws {
    #expect(try Self.findings(SweepCommandTests.curl.replacing("-sf", with: "-sfL")) == [])
  }
}
