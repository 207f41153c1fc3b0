import UnderstudyMock

func answerRequests() async throws {
  let contract = try Contract(contentsOf: "specs/petstore.yaml", fixtures: "fixtures")
  for operation in contract.operations where operation.id == "readPet" {
    for cell in operation.cells { print(cell, cell.variants) }
  }

  let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/pets?limit=many")
  let reply = Mock(contracts: [contract]).reply(to: request, body: [])
  print(reply.status, reply.reason)

  for finding in contract.validate(request).findings { print(finding.rule.id, finding.message) }
  let result = contract.validate(reply.response, body: reply.body, to: request)
  print(result.isValid, result.findings.count)
}

func reportAMissingContract() {
  do {
    _ = try Contract(contentsOf: "specs/missing.yaml")
  } catch {
    print(error.diagnostics.count, "diagnostic:", error.diagnostics[0].rule.id)
  }
}
