import Testing
import UnderstudyMock
import UnderstudyTestSupport

@Suite struct LinterTests {
  static let examples = Rule.all.flatMap { rule in
    rule.examples.map { RuleExample(rule: rule, text: $0.text) }
  }

  struct RuleExample: CustomTestStringConvertible, Sendable {
    var rule: Rule
    var text: String
    var testDescription: String { rule.id }
  }

  @Test(arguments: examples)
  func `a rule complains at the marks of its examples and nowhere else`(_ example: RuleExample) {
    let marked = MarkedText(example.text)
    let options = Linter.Options(
      patternProblem: { pattern in
        pattern.count(where: { $0 == "(" }) == pattern.count(where: { $0 == ")" }) ? nil : "a group is not closed"
      }, fileExists: { _ in false })
    var access = FileAccess.none
    access.allow("no-such-folder")
    let (api, diagnostics) = ContractFixture(marked.text).read(within: access)
    let findings = api.map { Linter.lint($0, options: options) } ?? diagnostics
    let found = findings.filter { $0.rule == example.rule }.compactMap { $0.location?.range?.lowerBound }
    #expect(found == marked.offsets, "\(findings.map { "\($0.place) \($0.message)" })")
  }

  @Test func `every rule with a check of its own has examples`() {
    let unproven = LintRule.all.map(\.rule).filter(\.examples.isEmpty)
    #expect(unproven.isEmpty)
  }

  @Test func `every rule that checks is listed, and ids are unique`() {
    let listed = Rule.all.map(\.id)
    #expect(LintRule.all.map(\.rule.id).filter { !listed.contains($0) } == [])
    #expect(Set(listed).count == listed.count)
  }

  @Test func `a rule's severity is the one on the page`() {
    #expect(Rule.specRefUnresolved.severity == .error)
    #expect(Rule.named("spec.ref.siblings")?.severity == .warning)
    #expect(Rule.named("spec.schema.required-default")?.severity == .info)
  }

  @Test func `a broken reference that reading and linting both find is reported once`() throws {
    let api = try ContractFixture(operation: "responses: {\"200\": {$ref: \"#/components/responses/Nothing\"}}").api
    #expect(Linter.lint(api).filter { $0.rule == .specRefUnresolved }.count == 1)
  }

  @Test func `the last of 10,000 paths is compared with all others`() throws {
    func path(_ path: String) -> String { "  \(path): {get: {responses: {default: {description: OK}}}}\n" }
    let paths = (0..<10_000).map { path("/pets/a\($0)") } + [path("/{kind}/mine"), path("/pets/{name}")]
    let api = try ContractFixture(ContractFixture.text(paths: paths.joined())).api
    let found = Linter.lint(api).filter { $0.rule.id == "spec.path.ambiguous" }
    #expect(found.map(\.message) == ["the paths `/pets/{name}` and `/{kind}/mine` can match the same URL"])
  }

  @Test func `paths that take too many comparisons are reported`() throws {
    func path(_ path: String) -> String { "  \(path): {get: {responses: {default: {description: OK}}}}\n" }
    let paths = (0..<3_000).map { path("/a\($0)/{id}") } + (0..<3_000).map { path("/{id}/b\($0)") }
    let api = try ContractFixture(ContractFixture.text(paths: paths.joined())).api
    let found = Linter.lint(api).filter { $0.rule.id == "spec.path.ambiguous" && $0.severity == .info }
    #expect(found.count == 1)
    #expect(found.first?.message.contains("paths are not compared with all others: the limit of 4000000 steps") == true)
  }

  @Test func `schemas in other files are linted where they stand`() throws {
    let store = DocumentStore.inMemory([
      "api.yaml": """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths: {}
      components: {schemas: {Pet: {$ref: "models/pet.yaml"}}}
      """,
      "models/pet.yaml":
        "type: object\nproperties: {owner: {$ref: person.yaml#/Person}}\nrequired: [owner]\nminimum: 3\nmaximum: 1",
      "models/person.yaml": "Person: {type: string, format: int32}",
    ])
    let api = try #require(OpenAPIReader.read("api.yaml", from: store).api)
    let findings = Linter.lint(api)
    #expect(findings.map(\.place) == ["spec.schema.unsatisfiable 4:10", "spec.schema.type-format 1:32"])
    #expect(findings.map { $0.location?.path } == ["models/pet.yaml", "models/person.yaml"])
    #expect(api.files.map(\.path) == ["api.yaml", "models/pet.yaml", "models/person.yaml"])
  }

  @Test func `schemas that refer to each other in circles are visited once`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      components:
        schemas:
          A: {allOf: [{$ref: "#/components/schemas/B"}], properties: {self: {$ref: "#/components/schemas/A"}}}
          B: {allOf: [{$ref: "#/components/schemas/A"}], minimum: 3, maximum: 1}
      """
    ).api
    #expect(Linter.lint(api).map(\.rule.id) == ["spec.schema.unsatisfiable"])
  }

  @Test func `a schema as deep as a document may be is visited`() throws {
    let depth = 400
    let deep =
      String(repeating: #"{"items":"#, count: depth) + #"{"minimum":3,"maximum":1}"#
      + String(repeating: "}", count: depth)
    let api = try ContractFixture(
      #"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"components":{"schemas":{"A":\#(deep)}}}"#
    ).api
    #expect(Linter.lint(api).map(\.rule.id) == ["spec.schema.unsatisfiable"])
  }

  @Test func `a sound contract has no findings`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      security: [{token: []}]
      paths:
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          get:
            operationId: readPet
            responses:
              "200":
                description: OK
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      components:
        schemas: {Pet: {type: object, required: [name], properties: {name: {type: [string, "null"]}}}}
        securitySchemes: {token: {type: http, scheme: bearer}}
      """
    ).api
    #expect(Linter.lint(api).map(\.place) == [])
  }
}
