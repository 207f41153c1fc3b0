import UnderstudyMock
import UnderstudyServer

func serveAnswers() async throws {
  let contract = try Contract(contentsOf: "specs/petstore.yaml", fixtures: "fixtures")
  try await withMockServer(Mock(contracts: [contract])) { server in
    print(server.baseURL)  // http://127.0.0.1:49152
  }
}

func forceAnAnswer() async throws {
  let contract = try Contract(contentsOf: "specs/slp.yaml", fixtures: "fixtures")
  var options = Mock.Options()
  options.force("readChat", "200.empty")
  let mock = Mock(contracts: [contract], options: options)
  try await withMockServer(mock) { server in
    print("point the client at \(server.baseURL)/v1")
  }

  for diagnostic in mock.diagnostics { print(diagnostic) }
}
