import JSONSchema
import Understudy
import UnderstudyServer

// MARK: A schema

let schema = try CompiledSchema(
  #"{"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 2}}}"#)
precondition(schema.problems.isEmpty && schema.accepts(["name": "Rex"]))
for failure in schema.failures(["name": "R"]) { print("\(failure.pointer) \(failure.keyword): \(failure.message)") }
print(schema.sample()?.description ?? "no sample")

// MARK: A contract, its cells and its fixtures

let contract = try Contract(contentsOf: "specs/petstore.yaml", fixtures: "fixtures")
for cell in contract.operations.flatMap(\.cells) where cell.operation == "readPet" { print(cell, cell.variants) }
print(
  (try await contract.verifyFixtures(in: "fixtures")).isPassed
    ? "the fixtures are valid" : "the fixtures break the contract")

// MARK: A mock without a socket

let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/pets?limit=many")
let reply = Mock(contracts: [contract]).reply(to: request, body: [])
print(reply.status, reply.reason)
for diagnostic in contract.validate(request).findings { print(diagnostic.rule.id, diagnostic.message) }

// MARK: A mock on a port

var options = Mock.Options()
options.force("findPets", "200.none")
let forced = Mock(contracts: [contract], options: options)
for diagnostic in forced.diagnostics { print(diagnostic) }
try await withMockServer(forced) { server in
  print(server.baseURL.hasPrefix("http://127.0.0.1:") && server.port > 0 ? "listening" : "not listening")
}

do {
  _ = try Contract(contentsOf: "specs/missing.yaml")
} catch {
  print(error.diagnostics.count, "diagnostic:", error.diagnostics[0].rule.id)
}
