import Foundation
import Testing
import UnderstudyTestSupport

struct FetchTests {
  private typealias Page = ContractServer.Page

  private static func text(_ path: String, in folder: String) throws -> String {
    try String(contentsOf: URL(filePath: folder).appending(path: path), encoding: .utf8)
  }

  @Test func `a contract is saved with what it refers to, and can be used without a network`() throws {
    let other = try ContractServer(["/x/owner.json": Page(text: "{\"type\":\"string\"}")])
    defer { other.stop() }
    let server = try ContractServer([
      "/api/shop.yaml": Page(text: "# as it is\n" + Shop.referring(to: "parts/pet.yaml")),
      "/api/parts/pet.yaml": Page(
        text:
          "type: object\nproperties:\n  kind: {$ref: /shared/kind.yaml}\n  owner: {$ref: '\(other.url)/x/owner.json#'}\n"
      ),
      "/shared/kind.yaml": Page(text: "type: string\n"),
    ])
    let saved = try TemporaryFolder()
    let result = try Command.run("fetch", "\(server.url)/api/shop.yaml", "--allow-remote-refs", in: saved.path)
    #expect(result.output == "")
    #expect(
      result.error.hasPrefix("saved shop.yaml (")
        && result.error.hasSuffix(" and 3 files that it refers to\nnext: understudy init shop.yaml\n"),
      "\(result.error)")
    #expect(result.code == 0)
    server.stop()
    #expect(try Self.text("shop.yaml", in: saved.path) == "# as it is\n" + Shop.referring(to: "parts/pet.yaml"))
    #expect(
      try Self.text("parts/pet.yaml", in: saved.path) == """
        type: object
        properties:
          kind: {$ref: "../shop.refs/127.0.0.1-\(server.server.port)/shared/kind.yaml"}
          owner: {$ref: "../shop.refs/127.0.0.1-\(other.server.port)/x/owner.json#"}

        """)
    let linted = try Command.run("lint", "shop.yaml", in: saved.path)
    #expect(linted.code == 0, "\(linted.output)")
  }

  @Test func `an update shows what has changed, and nothing is replaced without it`() throws {
    let server = try ContractServer(["/openapi.json": Page(text: "{\"openapi\":\"3.1.0\",\"paths\":{}}")])
    defer { server.stop() }
    try withProject(["api.json": "{\n  \"openapi\": \"3.0.3\",\n  \"paths\": {}\n}\n"]) { folder in
      let refused = try Command.run("fetch", "\(server.url)/openapi.json", "-o", "api.json", in: folder)
      #expect(
        refused.error == """
          error: api.json exists with other content
            help: `--update` shows what has changed and saves it; `-o FILE` saves it elsewhere

          """)
      #expect(refused.code == 2)
      let updated = try Command.run("fetch", "\(server.url)/openapi.json", "-o", "api.json", "--update", in: folder)
      #expect(
        updated.output == """
          --- a/api.json
          +++ b/api.json
          @@ -1,4 +1,4 @@
           {
          -  "openapi": "3.0.3",
          +  "openapi": "3.1.0",
             "paths": {}
           }

          """)
      #expect(updated.code == 0)
      #expect(try Self.text("api.json", in: folder) == "{\n  \"openapi\": \"3.1.0\",\n  \"paths\": {}\n}\n")
      let again = try Command.run("fetch", "\(server.url)/openapi.json", "-o", "api.json", in: folder)
      #expect(again.error == "api.json: nothing has changed\n")
    }
  }

  @Test func `no document is saved outside the folder`() throws {
    let contract = Shop.referring(to: "%2e%2e%2f%2e%2e%2fescaped.yaml")
    let server = try ContractServer([
      "/a/shop.yaml": Page(text: contract), "/a/%2e%2e%2f%2e%2e%2fescaped.yaml": Page(text: "type: string\n"),
    ])
    defer { server.stop() }
    try withProject(["in/side/keep": ""]) { folder in
      let result = try Command.run("fetch", "\(server.url)/a/shop.yaml", in: folder + "/in/side")
      #expect(result.code == 0, "\(result.error)")
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
      #expect(files.count == 2 && files.allSatisfy { $0.hasPrefix("in/side/") }, "\(files)")
    }
  }

  @Test func `credentials go to the host of the URL alone`() throws {
    let other = try ContractServer(["/pet.yaml": Page(text: "type: object")])
    defer { other.stop() }
    let server = try ContractServer(["/shop.yaml": Page(text: Shop.referring(to: "\(other.url)/pet.yaml"))])
    defer { server.stop() }
    try withProject([:]) { folder in
      let result = try Command.run(
        "fetch", "\(server.url)/shop.yaml", "--allow-remote-refs", "--header", "Authorization: Bearer ${TOKEN}",
        in: folder,
        environment: ["TOKEN": "secret"])
      #expect(result.code == 0, "\(result.error)")
      #expect(server.server.printed.contains("asked for /shop.yaml Bearer secret\n"))
      #expect(!other.server.printed.contains("secret"))
    }
  }

  @Test func `a URL is expected`() throws {
    let result = try Command.run("fetch", "shop.yaml")
    #expect(result.error.hasPrefix("error: `shop.yaml` is not a URL to fetch from\n"))
    #expect(result.code == 2)
  }
}
