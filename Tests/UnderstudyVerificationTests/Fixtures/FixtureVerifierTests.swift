import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct FixtureVerifierTests {
  @Test func `a fixture in order is a case that passed`() async throws {
    let verified = try await ContractFixture(
      VerifiedContract.pet(),
      fixtures: ["readPet/200.json": #"{"id": 1, "name": "Tom"}"#, "readPet/404.json": #"{"title": "No"}"#]
    ).verified()
    #expect(verified.messages == [])
    let cases = verified.report.cases.filter { $0.name.hasPrefix("fixture") }
    #expect(cases.map(\.name) == ["fixture 200.json", "fixture 404.json"])
    #expect(cases.map(\.subject.status) == ["200", "404"])
    #expect(cases.allSatisfy { $0.checked > 1 && $0.outcome == .validated })
    #expect(cases.map(\.subject.title) == ["GET /pets/{id}", "GET /pets/{id}"])
  }

  @Test
  func `a fixture is validated with the required headers, unless it leaves one out on purpose`()
    async throws
  {
    let contract = VerifiedContract.pet().replacing("{X-Total: {schema", with: "{X-Total: {required: true, schema")
    let body = "body: {id: 1, name: Tom}\n"
    for fixture in ["200.json": #"{"id": 1, "name": "Tom"}"#, "200.yaml": body] {
      let verified = try await ContractFixture(contract, fixtures: ["readPet/\(fixture.key)": fixture.value]).verified()
      #expect(verified.messages == [])
    }
    let left = "violates: [resp.header.missing]\n" + body
    #expect(try await ContractFixture(contract, fixtures: ["readPet/200.yaml": left]).verified().rules == [])
    let kept = "headers: {X-Total: 1}\n" + left
    #expect(
      try await ContractFixture(contract, fixtures: ["readPet/200.yaml": kept]).verified().rules == [
        "fixture.violates.kept"
      ])
  }

  @Test func `a finding has the line of the fixture and that of the contract`() async throws {
    let schema = VerifiedContract.petSchema.replacing("id: {type: integer", with: "id: {type: ↓integer")
    let verified = try await ContractFixture(
      VerifiedContract.pet(schema), fixtures: ["readPet/200.json": "{\n  \"id\": ↓\"1\",\n  \"name\": \"Tom\"\n}\n"]
    ).verified()
    #expect(verified.rules == ["resp.body.schema"])
    #expect(verified.places == verified.marks.sorted())
    #expect(verified.report.findings.first?.location?.pointer == "/body/id")
    #expect(verified.report.findings.first?.owner == .fixture)
  }

  @Test(arguments: [
    (["200.yaml": "body:\n  id: 1\n  name: ↓2\n"], "resp.body.schema"),
    (["200.yaml": "bodyFile: _pet.json\n", "_pet.json": "{\"id\": 1,\n \"name\": ↓2}"], "resp.body.schema"),
    (["200.json": "↓{\"id\": 1}"], "resp.body.schema"),
    (["200.json": "{\"id\": 1, ↓name: 2}"], "resp.body.unparsable"),
    (["200.yaml": "headers:\n  X-Total: ↓many\nbody: {id: 1, name: Tom}\n"], "resp.header.schema"),
    (["200.yaml": "body: {id: 1, name: Tom}\ncontentType: ↓text/csv\n"], "resp.content-type.undocumented"),
    (["200.yaml": "body: {id: 1, name: Tom, secret: ↓x}\n"], "resp.body.write-only"),
    (["200.yaml": "body: {id: 1, name: Tom}\ndelais: 3s\n"], "fixture.unknown-key"),
    (["200.yaml": "body: {id: 1, name: Tom}\nviolates: [↓resp.body.schema]\n"], "fixture.violates.kept"),
    (
      ["200.yaml": "body: {id: 1, name: ↓2}\nviolates: [resp.header.schema]\nheaders: {X-Total: many}\n"],
      "resp.body.schema"
    ),
    (
      ["200.yaml": "text: ↓\"{{request.path.id}}\"\ntemplate: true\ncontentType: application/json\n"],
      "resp.body.schema"
    ),
    (["404.json": "{\"title\": \"No\"}", "202.yaml": "text: \"\"\n"], "fixture.status.undocumented"),
    (["2.json": "{}"], "fixture.file-name"),
    (["200.yaml": "body: {id: 1, name: Tom}\nfault: slow\n"], "fixture.invalid"),
  ]) func `a seeded fault is reported once, under its rule and at its location`(
    files: [String: String], rule: String
  ) async throws {
    let fixtures = Dictionary(uniqueKeysWithValues: files.map { ("readPet/\($0.key)", $0.value) })
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    #expect(verified.rules == [rule])
    #expect(Set(verified.marks).isSubset(of: verified.places))
  }

  @Test(arguments: [
    ["200.yaml": "body: {id: 1, name: 2}\nviolates: [resp.body.schema]\n"],
    ["200.yaml": "body: {id: 1, name: Tom, tail: long}\nviolates: [resp.body.undeclared]\n"],
    ["404.yaml": "body: {}\nviolates: [resp.body.schema]\n"],
    ["418.yaml": "text: tea\ncontentType: text/plain\nviolates: [resp.content-type.undocumented]\n"],
    ["500.yaml": "text: oops\nviolates: [resp.status.undocumented]\n"],
    ["200.yaml": "bodyFile: _torn.json\nviolates: [resp.body.unparsable]\n", "_torn.json": "{\"id\": 1,"],
    ["200.yaml": "body: {id: 1, name: \"{{request.header.X-Trace}}\"}\ntemplate: true\n"],
    ["4XX.json": "{\"title\": \"No\"}", "200.yaml": "body: {id: 1, name: Tom}\nfault: truncate\ndelay: 3s\n"],
    ["200.yaml": "body: {id: 1, name: Tom}\nviolates: []\n"],
  ]) func `a fixture that breaks exactly the rules in violates is valid`(files: [String: String]) async throws {
    let fixtures = Dictionary(uniqueKeysWithValues: files.map { ("readPet/\($0.key)", $0.value) })
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    #expect(verified.messages == [])
  }

  @Test func `a property that the schema forbids is reported at its name`() async throws {
    let schema = "{type: object, properties: {id: {type: integer}}, additionalProperties: ↓false}"
    let verified = try await ContractFixture(
      VerifiedContract.pet(schema), fixtures: ["readPet/200.json": "{\"id\": 1, ↓\"nick\": \"T\"}"]
    ).verified()
    #expect(verified.rules == ["resp.body.schema"])
    #expect(verified.places == verified.marks.sorted())
  }

  @Test func `levels of the configuration hold for fixtures`() async throws {
    let fixtures = ["readPet/200.json": #"{"id": 1, "name": 2, "tail": 3}"#]
    var options = FixtureVerifier.Options()
    options.rules = RuleSettings(levels: [.responseBodySchema: .info])
    let weighed = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified(options)
    #expect(weighed.report.findings.map(\.severity) == [.info])
    options.rules = RuleSettings(scopes: [.init(operationId: "readPet", levels: [.responseBodySchema: .off])])
    #expect(try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified(options).rules == [])
    options.rules = RuleSettings(levels: [.responseBodyUndeclared: .warning, .responseBodySchema: .off])
    let valid = ["readPet/200.json": #"{"id": 1, "name": "Tom", "tail": 3}"#]
    #expect(
      try await ContractFixture(VerifiedContract.pet(), fixtures: valid).verified(options).rules == [
        "resp.body.undeclared"
      ])
  }

  @Test func `a second fixture for one cell is reported at the second`() async throws {
    let fixtures = ["readPet/200.json": #"{"id": 1, "name": "Tom"}"#, "readPet/200.yaml": "body: {id: 1, name: Tom}\n"]
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    #expect(verified.rules == ["fixture.duplicate"])
    #expect(verified.report.cases.first { !$0.findings.isEmpty }?.name == "fixture 200.yaml")
  }

  @Test func `a folder of fixtures without a contract is an error`() async throws {
    let files = ["fixtures/apii/x.bin": "", "fixtures/shop/a/200.json": "{}", "fixtures/_old/a/200.json": "{}"]
    var options = FixtureVerifier.Options()
    options.contracts = ["api"]
    let verified = try await ContractFixture(VerifiedContract.pet(), files: files).verified(options)
    #expect(verified.rules == ["fixture.contract.unknown", "fixture.contract.unknown"])
    #expect(
      verified.report.findings.map(\.help) == [
        "did you mean `api`?",
        "list its contract in understudy.yaml, or give the folder a name that starts with `_`",
      ])
  }

  @Test func `a folder of bodies, and one of another contract, are valid`() async throws {
    let shared = try await ContractFixture(VerifiedContract.pet(), files: ["fixtures/images/a.png": ""]).verified()
    #expect(shared.rules == [])
    var options = FixtureVerifier.Options()
    options.contracts = ["api", "apii"]
    #expect(
      try await ContractFixture(
        VerifiedContract.pet(), files: ["fixtures/apii/readPet/200.json": "{}"]
      ).verified(options).rules == [])
  }

  @Test func `a folder of no operation is reported`() async throws {
    let verified = try await ContractFixture(VerifiedContract.pet(), fixtures: ["readPets/200.json": "{}"]).verified()
    #expect(verified.rules == ["fixture.operation.unknown"])
  }

  @Test func `a fixture in a folder that is not read is reported, even alone`() async throws {
    let verified = try await ContractFixture(
      VerifiedContract.pet(), fixtures: ["404.json": "{}", "readPet/errors/404.json": "{}"]
    ).verified()
    #expect(verified.rules == ["fixture.misplaced", "fixture.misplaced"])
    #expect(
      verified.report.cases.first { !$0.findings.isEmpty && $0.name != "contract" }?.name == "fixture errors/404.json")
  }

  @Test func `sequences with unknown answers are reported`() async throws {
    let verified = try await ContractFixture(
      VerifiedContract.pet(), fixtures: ["_scenarios/a.yaml": "sequence:\n  readPet: [200, ↓500]\n"]
    ).verified()
    #expect(verified.rules == ["fixture.sequence.cell"])
    #expect(verified.places == verified.marks)
    #expect(verified.report.cases.last?.name == "scenario a")
  }

  /// A scenario names the collection as well.
  @Test func `mistakes in the descriptions of collections are reported once, each with its owner`() async throws {
    let contract = try Project.text("specs/slp.yaml")
    let verified = try await ContractFixture(
      contract + "\nx-understudy-resource: {messages: {↓creat: sendChat}}\n",
      fixtures: [
        "_resources.yaml": "messages: {create: ↓sendChta, list: readChat}\n",
        "_scenarios/a.yaml": "collections: [messages]\n",
      ]
    ).verified()
    #expect(verified.messages == ["unknown key `creat`", "unknown operation `sendChta`"])
    #expect(verified.report.findings.map(\.help) == ["did you mean `create`?", "did you mean `sendChat`?"])
    #expect(verified.report.findings.map(\.owner) == [.contract, .fixture])
    #expect(verified.places == verified.marks)
    #expect(verified.report.cases.filter { !$0.findings.isEmpty }.map(\.name) == ["collections"])
  }

  @Test func `a contract without descriptions of collections has no case for them`() async throws {
    let verified = try await ContractFixture(VerifiedContract.pet()).verified()
    #expect(!verified.report.cases.contains { $0.name == "collections" })
  }

  @Test func `the order is the same however much is done side by side`() async throws {
    var fixtures: [String: String] = [:]
    for number in 0..<300 {
      fixtures["readPet/200.n\(number).json"] = #"{"id": \#(number % 7 == 0 ? "null" : "1"), "name": "T"}"#
    }
    let one = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified()
    var options = FixtureVerifier.Options()
    options.width = 8
    let many = try await ContractFixture(VerifiedContract.pet(), fixtures: fixtures).verified(options)
    #expect(one.report.findings.count == 43)
    #expect(one.report.cases.map(\.name) == many.report.cases.map(\.name))
    #expect(one.report.findings.map(\.message) == many.report.findings.map(\.message))
  }

  @Test func `the parts of a divided run are the whole, each operation in one of them`() async throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let paths = names.map {
      "  /\($0): {get: {operationId: \($0), responses: {\"200\": {description: OK, content: {application/json: {schema: {}, example: 1}}}}}}\n"
    }
    let contract = "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:\n" + paths.joined()
    let fixtures = Dictionary(uniqueKeysWithValues: names.map { ("\($0)/200.json", "1") })
    let whole = try await ContractFixture(contract, fixtures: fixtures).verified()
    var parts: [String] = []
    for index in 1...3 {
      var options = FixtureVerifier.Options()
      options.shard = try #require(Shard("\(index)/3"))
      let part = try await ContractFixture(contract, fixtures: fixtures).verified(options)
      #expect(part.report.cases.first?.name == "contract")
      parts += part.report.cases.dropFirst().map { "\($0.subject.title) \($0.name)" }
    }
    #expect(parts.sorted() == whole.report.cases.dropFirst().map { "\($0.subject.title) \($0.name)" }.sorted())
    #expect(parts.count == 12)
  }
}
