import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct OpenAPIReaderTests {
  @Test(arguments: [
    ("swagger: \"2.0\"", Specification.swagger2),
    ("swagger: 2.0", .swagger2),
    ("openapi: 3.0.3", .openAPI30),
    ("openapi: \"3.0.0-rc1\"", .openAPI30),
    ("openapi: 3.1.1", .openAPI31),
    ("openapi: 3.1", .openAPI31),
    ("openapi: 3.2.0", .openAPI32),
  ])
  func `the version field chooses the reader`(_ line: String, _ specification: Specification) {
    let (api, diagnostics) = ContractFixture("\(line)\ninfo: {title: T, version: \"1\"}\npaths: {}").read()
    #expect(api?.specification == specification)
    #expect(diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("openapi: ↓4.0.0", "unknown version `4.0.0`"),
    ("openapi: ↓3", "unknown version `3`"),
    ("openapi: ↓30.1.0", "unknown version `30.1.0`"),
    ("swagger: ↓\"1.2\"", "unknown version `1.2`"),
    ("openapi: ↓[3]", "unknown version `array`"),
    ("↓swaggerVersion: \"1.2\"", "this is an `swaggerVersion` document, not OpenAPI"),
    ("↓asyncapi: 3.0.0", "this is an `asyncapi` document, not OpenAPI"),
    ("↓opanapi: 3.0.0", "the document has no version"),
    ("↓info: {}", "the document has no version"),
    ("↓log: {entries: []}", "this is a HAR, not OpenAPI"),
    ("↓info: {_postman_id: a}", "this is a Postman collection, not OpenAPI"),
    ("↓lastMigration: 1\nroutes: []", "this is an environment of Mockoon, not OpenAPI"),
    ("↓mappings: []", "this is a stub of WireMock, not OpenAPI"),
    ("↓posts: [{id: 1}]\nprofile: {name: typicode}", "this is a file of data, as json-server has them, not OpenAPI"),
    ("↓posts: [{id: 1}]\nusers: []", "this is a file of data, as json-server has them, not OpenAPI"),
    ("routes: ↓[{GET /health: ok}]", "`routes` is a list"),
    ("title: Shop\n↓GET /health: ok", "`GET /health` is a route without `routes:` above it"),
    ("↓- 1", "this is not an OpenAPI document"),
    ("↓hello", "this is not an OpenAPI document"),
  ])
  func `a document of no known version is refused with its place`(_ text: String, _ message: String) throws {
    let marked = MarkedText(text)
    let (api, diagnostics) = ContractFixture(marked.text).read()
    #expect(api == nil)
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostic.rule == .specUnparsable)
    #expect(diagnostic.message.utf8.starts(with: message.utf8), "\(diagnostic.message)")
    #expect(diagnostic.message.contains("expected `openapi: 3.0.x`"))
    #expect([diagnostic.location?.range?.lowerBound] == marked.offsets)
  }

  @Test func `a misspelt version field gets a suggestion`() {
    #expect(ContractFixture("opnapi: 3.0.0").read().diagnostics.first?.help == "did you mean `openapi`?")
  }

  @Test func `a broken text and a missing file are refused`() {
    let store = DocumentStore.inMemory(["a.json": "{\"openapi\": }"])
    let broken = OpenAPIReader.read("a.json", from: store)
    #expect(broken.api == nil)
    #expect(broken.diagnostics.map(\.place) == ["spec.unparsable 1:13"])
    let missing = OpenAPIReader.read("b.json", from: store)
    #expect(missing.api == nil)
    #expect(missing.diagnostics.map(\.rule.id) == ["config.unreadable"])
    #expect(missing.diagnostics.first?.location?.path == "b.json")
  }

  @Test(arguments: [
    ("specs/slp.yaml", "slp"), ("api", "api"), ("v1.2.json", "v1.2"), ("/x.y/openapi", "openapi"), ("a/.yaml", ".yaml"),
  ])
  func `the contract is called like its file`(_ path: String, _ name: String) {
    let api = OpenAPIReader.read(path, from: .inMemory([path: "openapi: 3.1.0\npaths: {}"])).api
    #expect(api?.name == name)
  }

  @Test func `a contract without info is read, with a warning`() {
    let (api, diagnostics) = ContractFixture(
      "openapi: 3.0.0\npaths: {/a: {get: {responses: {\"200\": {description: OK}}}}}"
    ).read()
    #expect(api?.operations.map(\.id) == ["GET_a"])
    #expect(diagnostics.map(\.rule.id) == ["spec.info.missing"])
    #expect(diagnostics.map(\.severity) == [.warning])
  }

  @Test func `an unquoted version in info is taken as text`() throws {
    let api = try ContractFixture("openapi: 3.0.0\ninfo: {title: T, version: 1.10}\npaths: {}").api
    #expect(api.version == "1.10")
    #expect(api.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("3.0.3", ["spec.field.missing"]), ("3.1.0", []), ("3.2.0", []),
  ])
  func `from 3_1 on a contract with components needs no paths`(_ version: String, _ rules: [String]) throws {
    let api = try ContractFixture("openapi: \(version)\ninfo: {title: T, version: \"1\"}\ncomponents: {}").api
    #expect(api.diagnostics.map(\.rule.id) == rules)
  }

  @Test(arguments: [
    "parameters: ↓{}", "parameters: [↓3]", "requestBody: ↓[]", "responses: ↓3", "security: ↓{}", "tags: ↓x",
    "operationId: ↓3", "callbacks: ↓[]", "deprecated: ↓yes please", "servers: ↓{}",
    "responses: {\"200\": ↓OK}", "responses: {\"200\": {content: ↓[]}}", "responses: {\"200\": {content: {a/b: ↓3}}}",
    "responses: {\"200\": {headers: {X: ↓3}}}", "responses: {\"200\": {links: ↓3}}",
    "parameters: [{name: ↓3, in: query}]", "parameters: [{name: a, in: ↓body}]",
    "parameters: [{name: a, in: query, required: ↓1}]", "security: [↓a]",
  ])
  func `a part of the wrong type is reported and left out`(_ operation: String) {
    let text =
      "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:\n  /pets:\n    get:\n      \(operation)\n    put: {}\n"
    let marked = MarkedText(text)
    let (api, diagnostics) = ContractFixture(marked.text).read()
    #expect(diagnostics.map(\.rule.id) == ["spec.type"])
    #expect(diagnostics.map { $0.location?.range?.lowerBound } == marked.offsets)
    #expect(api?.operations.map(\.id) == ["GET_pets", "PUT_pets"])
  }

  @Test(arguments: ["get: 3", "parameters: 3", "3", "[]", "null", "{$ref: \"#/nowhere\"}"])
  func `a broken path item costs that path alone`(_ item: String) {
    let value = item.contains(":") && !item.contains("$") ? "{\(item)}" : item
    let api = ContractFixture("openapi: 3.0.0\npaths:\n  /a: \(value)\n  /b: {get: {}}\n").read().api
    #expect(api?.operations.map(\.path).contains("/b") == true)
    #expect(api?.diagnostics.contains { $0.severity == .error } == true)
  }

  @Test func `an operation with thousands of responses and parameters is read in linear time`() throws {
    let responses = (100...599).flatMap { code in [code] }.map { "\"\($0)\": {description: Same}" }.joined(
      separator: ", ")
    let parameters = (0..<5_000).map { "{name: p\($0), in: query, schema: {}}" }.joined(separator: ", ")
    let api = try ContractFixture(
      "openapi: 3.1.0\npaths: {/a: {parameters: [\(parameters)], get: {parameters: [\(parameters)], responses: {\(responses)}}}}"
    ).api
    let operation = api.operations.first
    #expect(operation?.parameters.count == 5_000)
    #expect(operation?.responses.count == 500)
    #expect(Set(operation?.responses.map(\.meaning) ?? []).count == 500)
  }
}
