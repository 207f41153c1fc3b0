import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct QuickStartRequestTests {
  private static func contract(_ paths: String, server: String = "/") -> String {
    """
    openapi: 3.1.0
    info: {title: Trial, version: "1"}
    servers: [{url: "\(server)"}]
    paths:
    \(paths)

    """
  }

  private static let found = #"{"200": {description: Ok}}"#
  private static let lost = #"{"200": {description: Ok}, "404": {description: No}}"#
  private static let id = "{name: id, in: path, required: true, schema: {type: integer, minimum: 7, maximum: 7}}"

  @Test(
    arguments: [
      // Only what is documented is asked for.
      ("  /a: {get: {responses: \(Self.found)}}", "curl -i http://h/a -H 'Prefer: code=200'"),
      (#"  /a: {get: {responses: {default: {description: Any}}}}"#, "curl -i http://h/a -H 'Prefer: code=500'"),
      ("  /a: {post: {responses: \(Self.lost)}}", "curl -i -X POST http://h/a -H 'Prefer: code=404'"),
      ("  /a: {head: {responses: \(Self.lost)}}", "curl --head http://h/a -H 'Prefer: code=404'"),
      (
        "  /a/{id}/b: {get: {parameters: [\(Self.id)], responses: \(Self.lost)}}",
        "curl -i http://h/a/7/b -H 'Prefer: code=404'"
      ),
      // GET, then an error, then a plain path; else the first.
      (
        "  /a: {post: {responses: \(Self.lost)}}\n  /b/{id}: {get: {parameters: [\(Self.id)], responses: \(Self.found)}}",
        "curl -i http://h/b/7 -H 'Prefer: code=200'"
      ),
      (
        "  /a: {get: {responses: \(Self.found)}}\n  /b/{id}: {get: {parameters: [\(Self.id)], responses: \(Self.lost)}}",
        "curl -i http://h/b/7 -H 'Prefer: code=404'"
      ),
      (
        "  /a/{id}: {get: {parameters: [\(Self.id)], responses: \(Self.lost)}}\n  /b: {get: {responses: \(Self.lost)}}",
        "curl -i http://h/b -H 'Prefer: code=404'"
      ),
      (
        "  /a: {get: {}}\n  /b: {get: {responses: \(Self.lost)}}\n  /c: {get: {responses: \(Self.lost)}}",
        "curl -i http://h/b -H 'Prefer: code=404'"
      ),
      // A path without a value for its expression cannot be asked for.
      (
        "  /a/{id}: {get: {responses: \(Self.lost)}}\n  /b: {put: {responses: \(Self.found)}}",
        "curl -i -X PUT http://h/b -H 'Prefer: code=200'"
      ),
      // What the shell would take for its own is quoted.
      ("  /a;b&c: {get: {responses: \(Self.found)}}", "curl -i 'http://h/a;b&c' -H 'Prefer: code=200'"),
      ("  /a: {get: {}}", nil),
    ])
  func `the line asks for a documented answer of the operation that is the least to type`(
    paths: String, line: String?
  ) throws {
    try ContractFixture(Self.contract(paths)).withMock { mock in
      #expect(QuickStartRequest(of: mock)?.curl(to: "http://h") == line)
    }
  }

  @Test func `the base path stands before it, where there is one`() throws {
    let contract = Self.contract("  /a: {get: {responses: \(Self.lost)}}", server: "https://h.example/v1")
    try ContractFixture(contract).withMock {
      #expect(QuickStartRequest(of: $0)?.curl(to: "").contains(" /v1/a ") == true)
    }
    try ContractFixture(contract).withMock(basePaths: .fixed("")) {
      #expect(QuickStartRequest(of: $0)?.curl(to: "").contains(" /a ") == true)
    }
  }
}
