import Foundation
import Testing
import Understudy

/// The schemas that the OpenAPI Initiative publishes for its own documents.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct OfficialSchemaTests {
  private func document(_ path: String) throws -> JSON {
    try JSONParser.parse(Array(try Data(contentsOf: URL(fileURLWithPath: Corpora.path(path))))).root
  }

  private func swagger2() throws -> Schema {
    let schema = try document("OAI+OpenAPI-Specification/_archive_/schemas/v2.0/schema.json")
    return SchemaLibrary(dialect: .draft4).schema(at: schema)
  }

  @Test func `a large Swagger 2.0 document passes`() throws {
    let schema = try swagger2()
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(try document("slackapi+slack-api-specs/web-api/slack_web_openapi_v2.json")))
  }

  @Test func `a Swagger 2.0 document with a word too many is told where`() throws {
    let failures = try swagger2().failures(try document("Bungie-net+api/openapi-2.json"), limit: 500)
    let strays = failures.filter { $0.keyword == "additionalProperties" }
    #expect(!strays.isEmpty)
    #expect(strays.contains { $0.instance.tokens.suffix(2) == ["items", "description"] })
    #expect(strays.allSatisfy { $0.message.contains("`\($0.instance.tokens.last ?? "")` is not declared") })
  }
}
