import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy import`, as a user runs it.
@Suite(.waitsForProcesses)
struct ImportTests {
  private static let mappings = """
    {
      "mappings": [
        {
          "request": {"method": "GET", "urlPath": "/pets/7"},
          "response": {"status": 200, "jsonBody": {"name": "Tom"}, "headers": {"Content-Type": "application/json"}}
        },
        {
          "request": {"method": "GET", "url": "/health"},
          "response": {"body": "up", "fixedDelayMilliseconds": 5}
        },
        {
          "request": {"urlPath": "/shop"},
          "response": {"proxyBaseUrl": "http://shop.example.com"}
        }
      ]
    }
    """

  private static let routes = """
    # Imported from WireMock.
    routes:
      GET /health:
        status: 200
        delay: 5ms
        headers:
          Content-Type: null
        text: up
      GET /pets/7:
        status: 200
        contentType: application/json
        json:
          name: Tom

    """

  private func text(_ path: String, in folder: String) throws -> String {
    try String(contentsOf: URL(filePath: folder).appending(path: path), encoding: .utf8)
  }

  @Test func `mappings of WireMock become routes, and the rest is listed with its location`() throws {
    try withProject(["mappings/all.json": Self.mappings]) { folder in
      let result = try Command.run("import", "wiremock", "mappings", in: folder)
      #expect(
        result.output == """
          wrote wiremock.yaml
          not carried over:
            1 proxy
              mappings/all.json:13:20: serve the upstream with `--upstream` instead
          carried over with a difference:
            1 url without a query: the route also responds to requests with a query
              mappings/all.json:8:43

          """)
      #expect(
        result.error == """
          3 stubs read, 2 carried over, 1 not
          next: understudy serve wiremock.yaml

          """)
      #expect(result.code == 0)
      #expect(try text("wiremock.yaml", in: folder) == Self.routes)
      #expect(try Command.run("lint", "wiremock.yaml", in: folder).code == 0)
    }
  }

  @Test func `strict fails for a part without a counterpart, and a dry run writes nothing`() throws {
    try withProject(["mappings/all.json": Self.mappings]) { folder in
      let result = try Command.run("import", "mappings/all.json", "--strict", "--dry-run", in: folder)
      #expect(result.output.hasPrefix("would write wiremock.yaml\nnot carried over:\n  1 proxy\n"))
      #expect(result.error == "3 stubs read, 2 carried over, 1 not\n")
      #expect(result.code == 1)
      #expect(!FileManager.default.fileExists(atPath: folder + "/wiremock.yaml"))
    }
  }

  @Test func `an existing file is replaced with --force alone`() throws {
    try withProject(["a.json": Self.mappings, "wiremock.yaml": "mine"]) { folder in
      let result = try Command.run("import", "a.json", in: folder)
      #expect(
        result.error == """
          error: wiremock.yaml exists, and the import would replace it
            help: choose another folder with `--out`, or replace the files with `--force`

          """)
      #expect(result.code == 2)
      #expect(try text("wiremock.yaml", in: folder) == "mine")
      #expect(try Command.run("import", "a.json", "--force", "--format", "json", in: folder).code == 0)
      #expect(try text("wiremock.yaml", in: folder) == Self.routes)
    }
  }

  @Test func `stubs of documented operations become fixtures of the contract`() throws {
    try withProject(Shop.files.merging(["a.json": Self.mappings]) { first, _ in first }) { folder in
      let result = try Command.run("import", "a.json", "--contract", "shop.yaml", "--out", "mock", in: folder)
      #expect(result.code == 0, "\(result)")
      #expect(result.output.hasPrefix("wrote mock/fixtures/shop/readPet/200.stub-1.yaml\nwrote mock/wiremock.yaml\n"))
      #expect(
        result.error.hasSuffix("next: understudy serve shop.yaml mock/wiremock.yaml --fixtures mock/fixtures\n"),
        "\(result.error)")
      let mock = try ServedMock(["shop.yaml", "mock/wiremock.yaml", "--fixtures", "mock/fixtures"], in: folder)
      #expect(try Command.run(Command.curl, ["-s", mock.url + "/pets/7"]).output == "{\"name\":\"Tom\"}")
      #expect(try Command.run(Command.curl, ["-s", mock.url + "/health"]).output == "up")
    }
  }

  @Test func `a scenario is served with its states`() throws {
    let mappings = """
      [
        {"scenarioName": "Cart", "requiredScenarioState": "Started",
         "request": {"urlPath": "/cart", "method": "GET"}, "response": {"body": "empty"}},
        {"scenarioName": "Cart", "newScenarioState": "Filled",
         "request": {"urlPath": "/cart", "method": "POST", "bodyPatterns": [{"contains": "pet"}]}, "response": {"status": 201}},
        {"scenarioName": "Cart", "requiredScenarioState": "Filled",
         "request": {"urlPath": "/cart", "method": "GET"}, "response": {"body": "one pet"}}
      ]
      """
    try withProject(["cart.json": mappings]) { folder in
      let result = try Command.run("import", "wiremock", "cart.json", in: folder)
      #expect(result.error.hasSuffix("next: understudy serve wiremock.yaml --scenario imported\n"), "\(result.error)")
      #expect(try Command.run("verify", "wiremock.yaml", in: folder).code == 0)
      let mock = try ServedMock(["wiremock.yaml", "--scenario", "imported"], in: folder)
      func get() throws -> String { try Command.run(Command.curl, ["-s", mock.url + "/cart"]).output }
      #expect(try get() == "empty")
      _ = try Command.run(Command.curl, ["-s", mock.url + "/cart", "-H", "Content-Type: text/plain", "-d", "a pet"])
      #expect(try get() == "one pet")
    }
  }

  @Test(arguments: [
    ("{\"mappings\": [{\"request\": {}, \"response\": {}}]}", "this is a stub of WireMock", "wiremock"),
    ("{\"lastMigration\": 1, \"routes\": []}", "this is an environment of Mockoon", "mockoon"),
    ("{\"info\": {\"_postman_id\": \"1\"}, \"item\": []}", "this is a Postman collection", "postman"),
    ("[{\"httpRequest\": {}, \"httpResponse\": {}}]", "this is an expectation of MockServer", "mockserver"),
    ("{\"consumer\": {}, \"provider\": {}, \"interactions\": []}", "this is a Pact file", "pact"),
    ("{\"data\": {\"pairs\": []}}", "this is a simulation of Hoverfly", "hoverfly"),
  ])
  func `serve and lint name the import of a file of another tool`(file: String, kind: String, tool: String) throws {
    try withProject(["file.json": file]) { folder in
      for command in ["lint", "serve"] {
        let result = try Command.run(command, "file.json", in: folder)
        #expect((result.output + result.error).contains(kind), "\(result)")
        #expect((result.output + result.error).contains("help: import it: understudy import \(tool) FILE"), "\(result)")
        #expect(result.code == 3)
      }
    }
  }

  @Test func `a file of no known tool is rejected with the names of all tools`() throws {
    try withProject(["a.json": "{\"a\": 1}"]) { folder in
      let result = try Command.run("import", "a.json", in: folder)
      #expect(
        result.error == """
          error: a.json is not a file of WireMock, Mockoon, Postman, MockServer, Pact or Hoverfly
            help: name the tool: understudy import wiremock|mockoon|postman|mockserver|pact|hoverfly FILE

          """)
      #expect(result.code == 2)
    }
  }
}
