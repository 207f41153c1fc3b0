import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The page at `/` of a mock.
struct MockOverviewTests {
  private static let browser = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]

  private static let contract = """
    openapi: 3.0.3
    info: {title: "<script>alert(1)</script>", version: "1 & 2"}
    servers: [{url: /v1}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200":
              x-meaning: found
              description: OK
              content: {application/json: {schema: {type: object}, examples: {"O'Neil": {value: {}}}}}
            "404": {description: Gone}
        delete:
          operationId: deletePet
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Done}, 4XX: {description: No, content: {text/plain: {schema: {type: string}}}}}

    """

  private static let fixture = ContractFixture(contract, fixtures: ["readPet/404.json": "{}"])

  @Test func `a program gets the output of routes and the settings`() throws {
    let mock = try Self.fixture.mock { $0.force("readPet", "404") }
    for headers in [[:], ["Accept": "*/*"], ["Accept": "application/json"], ["Accept": "application/json, text/html"]] {
      let reply = mock.send("/", headers)
      #expect(reply.status == 200)
      #expect(reply.response.headerFields[.contentType] == "application/json")
      let root = try JSONParser.parse(reply.body).root
      #expect(root["contracts"]?[0]?["operations"]?[0]?["id"]?.string == "readPet")
      #expect(root["contracts"]?[0]?["operations"]?[0]?["cells"]?[1]?["answer"]?.string == "fixture")
      #expect(root["forced"]?["readPet"]?.string == "404")
    }
  }

  @Test func `a browser gets a page that holds everything it needs`() throws {
    let reply = try Self.fixture.mock().send("/?from=here", Self.browser)
    #expect(reply.response.headerFields[.contentType] == "text/html; charset=utf-8")
    let policy = try #require(HTTPField.Name("Content-Security-Policy"))
    #expect(reply.response.headerFields[policy]?.hasPrefix("default-src 'none'; img-src data:; ") == true)
    #expect(reply.text.firstMatch(of: /(src|href|action)\s*=\s*["']?\s*(https?:)?\/\//) == nil)
    #expect(reply.text.firstMatch(of: /@import|url\(|<img|<iframe|fetch\(/) == nil)
  }

  @Test func `text of the contract is escaped`() throws {
    let page = try Self.fixture.mock().send("/", Self.browser).text
    #expect(!page.contains("<script>alert"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("version 1 &amp; 2"))
  }

  @Test func `the matrix shows what answers each cell`() throws {
    let page = try Self.fixture.mock { $0.force("deletePet", "204") }.send("/", Self.browser).text
    #expect(
      page.contains(
        "<th scope=\"col\">200</th><th scope=\"col\">204</th><th scope=\"col\">404</th><th scope=\"col\">4XX</th>"))
    #expect(page.contains(">example<sup>+1</sup></a>"))
    #expect(page.contains("class=\"cell fixture\" href=\"#o0-404\" title=\"fixture 404.json\""))
    #expect(page.contains("class=\"cell empty forced\" href=\"#o1-204\""))
    #expect(page.contains("class=\"cell sample\" href=\"#o1-4XX\""))
  }

  @Test func `every cell and every name has a line that asks for it`() throws {
    let page = try Self.fixture.mock().send("/", Self.browser).text
    let lines = page.matches(of: /<code class="line">([^<]*)<\/code>/).map {
      String($0.1).replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
    }
    #expect(
      lines.map { $0.replacing(/pets\/\d+/, with: "pets/N") } == [
        "curl -i http://localhost/v1/pets/N -H 'Prefer: code=200'",
        "curl -i http://localhost/v1/pets/N -H 'Prefer: code=200, example=O'\\''Neil'",
        "curl -i http://localhost/v1/pets/N -H 'Prefer: code=404'",
        "curl -i -X DELETE http://localhost/v1/pets/N -H 'Prefer: code=204'",
        "curl -i -X DELETE http://localhost/v1/pets/N -H 'Prefer: code=400'",
      ])
  }

  @Test func `a contract that has an operation there keeps it`() throws {
    let contract = Self.contract.replacing("/v1", with: "/").replacing("/pets/{id}:", with: "/:")
    let mock = try ContractFixture(contract).mock()
    #expect(mock.send("/", Self.browser).operation?.id == "readPet")
  }

  @Test func `other methods and paths do not get it`() throws {
    let mock = try Self.fixture.mock()
    #expect(mock.send(.post, "/").status == 404)
    #expect(mock.send(.head, "/").status == 200)
    #expect(mock.send(.head, "/").body.isEmpty)
    #expect(mock.send("/v1").status == 404)
  }
}
