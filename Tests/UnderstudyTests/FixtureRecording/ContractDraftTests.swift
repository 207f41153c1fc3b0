import TestSupport
import Testing
import Understudy

/// `--draft`: a first contract from traffic.
struct ContractDraftTests {
  private func draft(_ exchanges: (String, String)...) throws -> (yaml: String, findings: [String]) {
    var draft = ContractDraft()
    for (request, answer) in exchanges { draft.add(try RecordedSession.entry(request, answer)) }
    let yaml = draft.yaml(title: "Pets")
    let contract = ContractFixture(yaml)
    let (api, diagnostics) = contract.read()
    #expect(api != nil)
    return (yaml, diagnostics.map(\.message))
  }

  @Test func `ids are recognised by their shape, and siblings by their variation`() throws {
    let (yaml, findings) = try draft(
      ("GET /pets/7", #"200 {"name": "a"}"#), ("GET /pets/8", #"200 {"name": "b"}"#),
      ("GET /users/ann", #"200 {"mail": "a"}"#), ("GET /users/bob", #"200 {"mail": "b"}"#),
      ("GET /users/cid", #"200 {"mail": "c"}"#), ("GET /users/dan", #"200 {"mail": "d"}"#),
      ("GET /status", #"200 {"up": true}"#), ("GET /version", #"200 {"number": 1}"#),
      ("GET /health", #"200 {"ok": 1}"#),
      ("GET /info", #"200 {"about": "x"}"#))
    let paths = yaml.split(separator: "\n").filter { $0.hasPrefix("  /") || $0.hasPrefix("  \"/") }
    #expect(
      paths.map { $0.filter { $0 != "\"" } } == [
        "  /health:", "  /info:", "  /pets/{petId}:", "  /status:", "  /users/{userId}:", "  /version:",
      ], "\(yaml)")
    #expect(findings == [])
  }

  @Test func `a member is required if it was always there, and has the type of all its values`() throws {
    let (yaml, _) = try draft(
      ("GET /pet", #"200 {"id": 1, "tag": null, "at": "2026-11-21T09:41:00Z"}"#),
      ("GET /pet", #"200 {"id": 2.5, "tag": "x", "at": "2026-11-22T09:41:00Z", "more": []}"#))
    let lines = yaml.split(separator: "\n").map { $0.drop { $0 == " " } }
    let schema = lines.drop { $0 != "schema:" }.prefix { $0 != "example:" }
    #expect(
      schema.joined(separator: "|")
        == "schema:|type: object|required:|- id|- tag|- at|properties:|id:|type: number|tag:|type:|- \"null\"|- string|"
        + "at:|type: string|format: date-time|more:|type: array|items: {}", "\(yaml)")
  }

  @Test func `the base path of a version goes to the server`() throws {
    let (yaml, _) = try draft(("GET /api/v1/pets", "200 []"), ("GET /api/v1/users", "200 []"))
    #expect(yaml.contains("- url: \"http://127.0.0.1:4010/api/v1\"\n"), "\(yaml)")
    #expect(yaml.contains("\n  /pets:\n"))
  }
}
