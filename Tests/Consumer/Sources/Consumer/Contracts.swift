import Foundation
import UnderstudyMock

func answerRequests() async throws {
  let contract = try Contract(contentsOf: "specs/petstore.yaml", fixtures: "fixtures")
  for operation in contract.operations where operation.id == "readPet" {
    for cell in operation.cells { print(cell, cell.variants) }
  }

  let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/pets?limit=many")
  let reply = Mock(contracts: [contract]).reply(to: request)
  print(reply.status, reply.source)

  for finding in contract.validate(request).findings { print(finding.rule.id, finding.message) }
  let result = contract.validate(reply.response, body: reply.body, to: request)
  print(result.isValid, result.findings.count)
}

/// A contract in memory, and one at a URL.
private func contracts() throws -> [Contract] {
  let text = #"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {}}}}"#
  let petstore = try Contract(contentsOf: URL(filePath: "specs/petstore.yaml"), fixtures: URL(filePath: "fixtures"))
  return [try Contract(text, name: "memory"), petstore]
}

/// The options of a mock, with a clock of the program.
func passTime() throws {
  var options = Mock.Options()
  options.fault("readPet/404", "truncate@20%")
  options.delay("readPet", by: "100ms..2s")
  options.delay("readPet/default", by: "lognormal:200ms:0.4")
  options.expect(checks: "retry-after-401")
  options.clock = { Mock.Instant(Date(timeIntervalSince1970: 1_000)) }
  options.fault("readPte", "hang")
  options.scenario = "missing"
  let mock = Mock(contracts: try contracts(), options: options)
  for problem in mock.diagnostics { print(problem.message) }

  let start = options.clock()
  print(start.duration(to: start.advanced(by: .seconds(5))))
}

func reportAMissingContract() {
  do {
    _ = try Contract(contentsOf: "specs/missing.yaml")
  } catch {
    print(error.diagnostics.count, "diagnostic:", error.diagnostics[0].rule.id)
  }
}
