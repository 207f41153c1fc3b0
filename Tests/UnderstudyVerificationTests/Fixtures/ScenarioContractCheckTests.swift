import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct ScenarioContractCheckTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Chats, version: "1"}
    paths:
      /chat/{uid}:
        post:
          operationId: sendChat
          parameters:
            - {name: uid, in: path, required: true, schema: {type: string}}
            - {name: limit, in: query, schema: {type: integer}}
          requestBody:
            content:
              application/json:
                schema: {type: object, properties: {text: {type: string}, sender: {type: string}}}
          responses:
            "200":
              description: d
              content:
                application/json:
                  schema:
                    type: object
                    properties: {id: {type: integer}, sender: {type: object, properties: {nick: {type: string}}}}
            "400": {description: d, content: {application/json: {schema: {type: object}}}}
    components:
      securitySchemes: {token: {type: apiKey, in: header, name: idtoken}}
    """

  private func findings(_ rule: String) async throws -> [Report.Finding] {
    let scenario = """
      machine:
        states:
          open:
            final: true
            on:
              sendChat: \(rule)
      """
    let fixture = ContractFixture(Self.contract, fixtures: ["_scenarios/a.yaml": scenario])
    return try await fixture.verified().report.cases.flatMap(\.findings)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    let message: String
    var testDescription: String { rule }

    init(_ rule: String, _ message: String) { (self.rule, self.message) = (rule, message) }
  }

  private static let request = "no valid request has the value: "
  private static let answer = "no answer has the value: the answer 200 of sendChat "

  @Test(arguments: [
    Row("set: {x: \"{{request.path.uidd}}\"}", request + "/chat/{uid} has no `{uidd}`"),
    Row("set: {x: \"{{request.query.limits}}\"}", request + "sendChat declares no query parameter `limits`"),
    Row("set: {x: \"{{request.query.before}}\"}", request + "sendChat declares no query parameter `before`"),
    Row("set: {x: \"from {{request.body.sendr}}\"}", request + "the body has no field `sendr`"),
    Row("set: {x: \"{{request.body.other}}\"}", request + "the body of sendChat declares no field `other`"),
    Row("set: {x: \"{{request.header.idtokn}}\"}", request + "sendChat declares no header `idtokn`"),
    Row(
      "moves: [{who: \"{{request.path.uid}}\", set: {x: \"{{request.body.txt}}\"}}]",
      request + "the body has no field `txt`"),
    Row("moves: [{who: \"{{request.path.id}}\", set: {x: a}}]", request + "/chat/{uid} has no `{id}`"),
    Row("set: {x: \"{{response.body.idd}}\"}", answer + "declares no field `idd`"),
    Row("set: {x: \"{{response.body./sender/nik}}\"}", answer + "declares no field `nik`"),
    Row("set: {x: \"{{response.header.X-Id}}\"}", answer + "declares no header `X-Id`"),
    Row("set: {x: \"{{reqest.body.text}}\"}", "nothing gives `{{reqest.body.text}}` a value"),
    Row("set: {x: \"{{request.bdy.text}}\"}", "nothing gives `{{request.bdy.text}}` a value"),
    Row("set: {x: \"{{response.path.uid}}\"}", "nothing gives `{{response.path.uid}}` a value"),
    Row("set: {x: \"{{request.body.a.b}}\"}", request + "the body of sendChat declares no field `a`"),
    Row("set: {x: \"{{foo.bar}}\"}", "nothing gives `{{foo.bar}}` a value"),
    Row("set: {x: \"{{other.x}}\"}", "nothing gives `{{other.x}}` a value"),
    Row("set: {x: \"{{var.me}}\"}", "nothing gives `{{var.me}}` a value"),
  ]) func `a value that nothing has is reported where it is taken`(row: Row) async throws {
    let findings = try await findings("{\(row.rule)}")
    #expect(findings.map(\.message) == [row.message])
    #expect(findings.map(\.rule) == ["scenario.variable.unset"])
    #expect(findings.first?.location?.line == 6)
  }

  @Test func `a condition that no valid request meets is reported where it is`() async throws {
    let findings = try await findings("{when: {body: {txt: a}, query: {limit: many}}, answer: 200}")
    #expect(
      findings.map(\.message) == [
        "no valid request meets this condition: the body has no field `txt`",
        "no valid request meets this condition: query `limit` cannot be `many`",
      ])
    #expect(findings.map(\.rule) == ["fixture.request.unreachable", "fixture.request.unreachable"])
  }

  @Test func `two misspellings are two causes`() async throws {
    let findings = try await findings(
      "[{set: {x: \"{{request.body.sendr}}\"}}, {set: {y: \"{{request.body.txt}}\"}}]")
    #expect(Report.Cause.all(of: findings).count == 2)
  }

  @Test(arguments: [
    ("{header: idtoken}", ""), ("{header: idtoken, claim: user}", ""), ("{path: uid}", ""),
    ("{header: idtokn}", "sendChat declares no header `idtokn`"), ("{path: ui}", "/chat/{uid} has no `{ui}`"),
    ("{body: from}", "the body of sendChat declares no field `from`"),
  ]) func `what distinguishes the instances is part of some request`(per: String, reason: String) async throws {
    let scenario = "machine: {per: \(per), states: {open: {final: true, on: {sendChat: 200}}}}"
    let fixture = ContractFixture(Self.contract, fixtures: ["_scenarios/a.yaml": scenario])
    let found = try await fixture.verified().report.cases.flatMap(\.findings).map(\.message)
    let message = "no request has what distinguishes the instances: \(reason)"
    #expect(found == (reason.isEmpty ? [] : [message]))
  }

  @Test(arguments: [
    "set: {x: \"{{request.body.text}} {{request.path.uid}}\"}", "set: {x: \"{{request.query.limit}}\"}",
    "set: {x: \"{{response.body.id}}\"}", "set: {x: \"{{request.header.Idtoken}}\"}", "set: {x: \"{{now}}\"}",
    "set: {x: \"{{request.header.user-agent}}\"}", "set: {x: \"{{response.header.location}}\"}",
    "set: {x: \"{{response.body./sender/nick}}\"}", "answer: 400, set: {x: \"{{response.body.anything}}\"}",
    "when: {body: {text: a}, query: {limit: 2}}, answer: 400", "when: {body: {txt: a}}, answer: 400",
    "when: {body: {text: {present: true}}}, answer: 200",
  ]) func `a value that some request may have is in order`(rule: String) async throws {
    #expect(try await findings("{\(rule)}").map(\.message) == [])
  }
}
