import Foundation
import Testing
import UnderstudyTestSupport

/// Contracts that are named by a URL.
@Suite(.waitsForProcesses)
struct ContractURLTests {
  private typealias Page = ContractServer.Page

  private static let yaml = Page(type: "application/yaml", text: Shop.contract)

  @Test func `a contract at a URL is linted like a file`() throws {
    let server = try ContractServer(["/api/shop.yaml": Self.yaml])
    defer { server.stop() }
    try withProject([:]) { folder in
      let result = try Command.run("lint", "\(server.url)/api/shop.yaml", in: folder)
      #expect(result.error == "checked 1 contract: 0 errors, 0 warnings, 0 notes\n")
      #expect(result.code == 0)
    }
  }

  @Test func `it is fetched once, at the start, and served with the fixtures of its name`() throws {
    let server = try ContractServer(["/shop.yaml?v=2": Self.yaml])
    defer { server.stop() }
    try withProject(["fixtures/shop/readPet/404.txt": "gone"]) { folder in
      let mock = try ServedMock(["\(server.url)/shop.yaml?v=2"], in: folder)
      defer { mock.stop() }
      for _ in 0..<3 { #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Tom\"}") }
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "gone")
      try write(["fixtures/shop/readPet/404.txt": "gone for good"], in: folder)
      #expect(mock.waits(for: "reloaded"))
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "gone for good")
      #expect(server.count(of: "/shop.yaml?v=2") == 1)
    }
  }

  @Test func `a project can begin with a URL`() throws {
    let server = try ContractServer(["/shop.yaml": Self.yaml])
    defer { server.stop() }
    try withProject([:]) { folder in
      #expect(try Command.run("init", "\(server.url)/shop.yaml", in: folder).code == 0)
      let config = try String(contentsOfFile: "\(folder)/understudy.yaml", encoding: .utf8)
      #expect(config.contains("  - \"\(server.url)/shop.yaml\"\n"))
      let verified = try Command.run("verify", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    }
  }

  // MARK: - Pages

  static let pages = [
    "<html><script>SwaggerUIBundle({ url: '/v1/shop.yaml', dom_id: '#swagger-ui' })</script></html>",
    "<!doctype html><redoc spec-url=\"v1/shop.yaml\"></redoc>",
    "<html><script src=\"https://cdn.example.com/redoc.standalone.js\"></script><script>Redoc.init('v1/shop.yaml')</script>",
    "<html><script src='./swagger-ui-bundle.js'></script><script src=\"./swagger-initializer.js\"></script></html>",
    "<html><script>JSON.parse('{\\\"urls\\\":[{\\\"url\\\":\\\"v1/shop.yaml\\\",\\\"name\\\":\\\"V1\\\"}]}')</script></html>",
    "<html><script>SwaggerUIBundle({configUrl: \"/config\"})</script></html>",
    "<html><head><link rel=\"service-desc\" href=\"/v1/shop.yaml\"></head></html>",
    "<html><script id=\"api-reference\" data-url=\"/v1/shop.yaml\"></script></html>",
  ]

  @Test(arguments: pages) func `the contract is found behind a page that shows it`(_ page: String) throws {
    let server = try ContractServer([
      "/docs": Page(type: "text/html", text: page), "/v1/shop.yaml": Self.yaml,
      "/swagger-initializer.js": Page(
        type: "text/javascript", text: "window.ui = SwaggerUIBundle({ url: \"/v1/shop.yaml\" })"),
      "/config": Page(text: "{\"urls\": [{\"url\": \"/v1/shop.yaml\", \"name\": \"V1\"}]}"),
    ])
    defer { server.stop() }
    try withProject([:]) { folder in
      let result = try Command.run("lint", "\(server.url)/docs", in: folder)
      #expect(
        result.error == """
          \(server.url)/docs shows the contract \(server.url)/v1/shop.yaml
          checked 1 contract: 0 errors, 0 warnings, 0 notes

          """)
      #expect(result.code == 0)
    }
  }

  @Test func `a page or a redirect leads to no other host without permission`() throws {
    let other = try ContractServer(["/shop.yaml": Self.yaml])
    defer { other.stop() }
    let server = try ContractServer([
      "/docs": Page(type: "text/html", text: "<redoc spec-url=\"\(other.url)/shop.yaml\"></redoc>"),
      "/moved": Page(status: 302, location: "\(other.url)/shop.yaml"),
    ])
    defer { server.stop() }
    try withProject([:]) { folder in
      let page = try Command.run("lint", "\(server.url)/docs", in: folder)
      #expect(
        page.error == """
          error: cannot fetch the contract from \(server.url)/docs: it names a contract on another host: \
          \(other.url)/shop.yaml
            help: give that URL, or allow other hosts with `--allow-remote-refs`

          """)
      #expect(page.code == 3)
      let moved = try Command.run("lint", "\(server.url)/moved", in: folder)
      #expect(moved.error.contains("it redirects to another host: \(other.url)/shop.yaml"), "\(moved.error)")
      #expect(other.count(of: "/shop.yaml") == 0)
      #expect(try Command.run("lint", "\(server.url)/docs", "--allow-remote-refs", in: folder).code == 0)
    }
  }

  @Test func `a contract that stands in the page itself is read there`() throws {
    let contract = """
      {"openapi": "3.0.3", "info": {"title": "A {brace} in \\"quotes\\"", "version": "1"}, "paths": {
        "/a": {"get": {"operationId": "a", "responses": {"200": {"description": "OK"}}}}}}
      """
    let page = "<html><script>let options = {\"swaggerDoc\": \(contract), \"customOptions\": {}};</script></html>"
    let server = try ContractServer(["/docs": Page(type: "text/html", text: page)])
    defer { server.stop() }
    try withProject([:]) { folder in
      let routes = try Command.run("routes", "\(server.url)/docs", in: folder)
      #expect(routes.output.contains("GET    /a  a"), "\(routes)")
    }
  }

  @Test func `a page without a contract is named, and what was expected`() throws {
    let server = try ContractServer(["/": Page(type: "text/html", text: "<html>Hello</html>")])
    defer { server.stop() }
    let result = try Command.run("lint", server.url + "/")
    #expect(
      result.error == """
        error: cannot fetch the contract from \(server.url)/: it is neither a contract nor a page that shows one
          help: expected Swagger 2.0 or OpenAPI 3.x, as JSON or YAML; open it in a browser and look for its address there

        """)
    #expect(result.code == 3)
  }

  @Test func `a redirect is followed, and a missing document is an error`() throws {
    let server = try ContractServer([
      "/latest": Page(status: 302, location: "/v1/shop.yaml"), "/v1/shop.yaml": Self.yaml,
      "/round": Page(status: 302, location: "/round"),
    ])
    defer { server.stop() }
    #expect(try Command.run("lint", server.url + "/latest").code == 0)
    let missing = try Command.run("lint", server.url + "/nowhere")
    #expect(
      missing.error == """
        error: cannot fetch the contract from \(server.url)/nowhere: the server answers 404 Not Found
          help: expected the URL of a contract

        """)
    for (command, option) in [
      ("serve", "`--upstream URL` names a server that gets the requests"),
      ("verify", "`--live URL` names a server to validate"),
    ] {
      let mistaken = try Command.run(command, server.url + "/nowhere")
      #expect(mistaken.error.hasSuffix("  help: expected the URL of a contract; \(option)\n"), "\(mistaken.error)")
    }
    #expect(missing.code == 3)
    #expect(try Command.run("lint", server.url + "/round").error.contains("it redirects more than 5 times"))
  }

  @Test func `an unreachable host is an error with its reason`() throws {
    let result = try Command.run("serve", "http://127.0.0.1:1/shop.yaml", "--port", "0")
    #expect(
      result.error.hasPrefix("error: cannot fetch the contract from http://127.0.0.1:1/shop.yaml: "), "\(result.error)")
    #expect(
      result.error.hasSuffix(
        """

          help: nothing listens there: start the server, or check host and port; `--upstream URL` names a server that gets \
        the requests

        """),
      "\(result.error)")
    #expect(result.code == 3)
  }

  // MARK: - References

  private static let pet = "{type: object, required: [name], properties: {name: {type: string, example: Rex}}}"

  @Test func `references on the same host are followed`() throws {
    let server = try ContractServer([
      "/v1/shop.yaml": Page(text: Shop.referring(to: "../parts/pet.yaml").replacing("examples:", with: "x-no:")),
      "/parts/pet.yaml": Page(text: Self.pet),
    ])
    defer { server.stop() }
    try withProject([:]) { folder in
      let mock = try ServedMock(["\(server.url)/v1/shop.yaml"], in: folder)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Rex\"}")
      #expect(server.count(of: "/parts/pet.yaml") == 1)
    }
  }

  @Test func `references to other hosts are refused unless they are allowed`() throws {
    let other = try ContractServer(["/pet.yaml": Page(text: Self.pet)])
    defer { other.stop() }
    let contract = Shop.referring(to: "\(other.url)/pet.yaml")
    let server = try ContractServer(["/shop.yaml": Page(text: contract)])
    defer { server.stop() }
    try withProject(["shop.yaml": contract]) { folder in
      for spec in ["\(server.url)/shop.yaml", "shop.yaml"] {
        let refused = try Command.run("lint", spec, in: folder)
        #expect(refused.output.contains("`\(other.url)/pet.yaml` is on another machine"), "\(refused)")
        #expect(refused.output.contains("allow fetching it with `--allow-remote-refs`"))
        #expect(refused.code == 1)
        #expect(other.count(of: "/pet.yaml") == 0)
      }
      for spec in ["\(server.url)/shop.yaml", "shop.yaml"] {
        let allowed = try Command.run("lint", spec, "--allow-remote-refs", in: folder)
        #expect(allowed.code == 0, "\(allowed.output)")
      }
      #expect(other.count(of: "/pet.yaml") == 2)
    }
  }
}
