import TestSupport
import Testing
import Understudy

struct ScenarioCaptureCheckTests {
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
          responses: {"200": {description: d}, "400": {description: d}}
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

  @Test(arguments: [
    ("set: {x: \"{{request.path.uidd}}\"}", "/chat/{uid} has no `{uidd}`"),
    ("set: {x: \"{{request.query.limits}}\"}", "sendChat declares no query parameter `limits`"),
    ("set: {x: \"from {{request.body.sendr}}\"}", "the body has no field `sendr`"),
    (
      "moves: [{who: \"{{request.path.uid}}\", set: {x: \"{{request.body.txt}}\"}}]",
      "the body has no field `txt`"
    ),
    ("moves: [{who: \"{{request.path.id}}\", set: {x: a}}]", "/chat/{uid} has no `{id}`"),
  ]) func `a value that no valid request has is reported`(rule: String, reason: String) async throws {
    let findings = try await findings("{\(rule)}")
    #expect(findings.map(\.message) == ["no valid request has the value: " + reason])
    #expect(findings.map(\.rule) == ["scenario.variable.unset"])
    #expect(findings.first?.place?.line == 6)
  }

  @Test(arguments: [
    "set: {x: \"{{request.body.text}} {{request.path.uid}}\"}", "set: {x: \"{{request.body.other}}\"}",
    "set: {x: \"{{response.body.id}}\"}", "set: {x: \"{{request.header.idtoken}}\"}", "set: {x: \"{{now}}\"}",
    "answer: 400, set: {x: \"{{request.body.sendr}}\"}",
  ]) func `a value that some request may have is in order`(rule: String) async throws {
    #expect(try await findings("{\(rule)}").map(\.message) == [])
  }
}
