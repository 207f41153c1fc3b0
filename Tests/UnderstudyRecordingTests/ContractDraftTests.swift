import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

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

  @Test func `a secret is hidden in the answers before the request that shows it to be one`() throws {
    let (yaml, _) = try draft(
      ("GET /notes", #"200 {"text": "autumn-meadow-42"}"#), ("GET /pets?access_token=autumn-meadow-42", "200 {}"))
    #expect(yaml.contains("text:"))
    #expect(!yaml.contains("autumn-meadow-42"), "\(yaml)")
  }

  @Test(arguments: ["autumn-meadow-42", "YXV0dW1uLW1lYWRvdy00Mg=="])
  func `a secret of a request that is left out is hidden in every encoding`(_ spelling: String) throws {
    let (yaml, _) = try draft(
      ("GET /notes", #"200 {"text": "it is \#(spelling) "}"#), ("GET /live?access_token=autumn-meadow-42", "101"))
    #expect(yaml.contains("it is "))
    #expect(!yaml.contains(spelling), "\(yaml)")
  }

  @Test func `headers of answers, a key of an unknown header and a password are in the draft`() throws {
    var entry = try RecordedSession.entry(#"POST /login {"password": "pw-long-77", "name": "ann"}"#, "201 {}")
    entry.requestFields.append(HTTPField(name: HTTPField.Name("X-Shop-Key")!, value: "aZ93kd02mQx81LwPq7"))
    for (name, value) in [("Location", "/users/7"), ("X-Total-Count", "3"), ("X-Request-Id", "abc"), ("Server", "x")] {
      entry.response?.fields.append(HTTPField(name: HTTPField.Name(name)!, value: value))
    }
    var draft = ContractDraft()
    draft.add(entry)
    let yaml = draft.yaml(title: "Users")
    #expect(yaml.contains("name: X-Shop-Key"), "\(yaml)")
    #expect(yaml.contains("format: password"), "\(yaml)")
    #expect(yaml.contains("Location:") && yaml.contains("X-Total-Count:"), "\(yaml)")
    #expect(!yaml.contains("X-Request-Id") && !yaml.contains("Server:"), "\(yaml)")
    #expect(ContractFixture(yaml).read().diagnostics.isEmpty)
  }

  @Test func `a password in a URL is hidden in its answer`() throws {
    var entry = try RecordedSession.entry("GET /notes", #"200 {"text": "you are ann, winter-harbour-7"}"#)
    entry.url = entry.url.replacing("127.0.0.1", with: "ann:winter-harbour-7@127.0.0.1")
    var draft = ContractDraft()
    draft.add(entry)
    let yaml = draft.yaml(title: "Notes")
    #expect(yaml.contains("you are ann, "))
    #expect(!yaml.contains("winter-harbour-7"), "\(yaml)")
  }

  private func schema(_ yaml: String) -> String {
    let lines = yaml.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.drop { $0 != "schema:" }.prefix { $0 != "example:" }.joined(separator: "|")
  }

  @Test func `a member has the type of all its values, and few objects require none`() throws {
    let (yaml, _) = try draft(
      ("GET /pet", #"200 {"id": 1, "tag": null, "at": "2026-11-21T09:41:00Z"}"#),
      ("GET /pet", #"200 {"id": 2.5, "tag": "x", "at": "2026-11-22T09:41:00Z", "more": []}"#))
    #expect(
      schema(yaml)
        == "schema:|type: object|properties:|id:|type: number|tag:|type:|- \"null\"|- string|"
        + "at:|type: string|format: date-time|more:|type: array|items: {}", "\(yaml)")
  }

  @Test func `a member is required if it is in five different objects, and an answer that is repeated is one`() throws {
    var draft = ContractDraft()
    for number in 1...4 {
      for _ in 0..<3 { draft.add(try RecordedSession.entry("GET /pet", #"200 {"id": \#(number), "name": "a"}"#)) }
    }
    #expect(schema(draft.yaml(title: "a")) == "schema:|type: object|properties:|id:|type: number|name:|type: string")
    draft.add(try RecordedSession.entry("GET /pet", #"200 {"id": 5}"#))
    #expect(
      schema(draft.yaml(title: "a"))
        == "schema:|type: object|required:|- id|properties:|id:|type: integer|name:|type: string")
  }

  @Test func `a refused request does not show what an operation takes`() throws {
    let (yaml, _) = try draft(
      ("POST /pets {\"name\":\"a\"}", "201"), ("POST /pets {\"name\":\"b\"}", "201"),
      ("POST /pets {\"name\":\"c\"}", "201"), ("POST /pets {\"name\":\"d\"}", "201"),
      ("POST /pets {\"name\":\"e\"}", "201"), ("POST /pets?limit=x", "400"), ("GET /pets?sort=a&sort=b", "200 []"),
      ("GET /pets?sort=a", "200 []"), ("GET /pets?sort=b", "200 []"), ("GET /pets?sort=c", "200 []"),
      ("GET /pets?sort=d", "200 []"))
    #expect(yaml.contains("required: true\n        content:\n"), "\(yaml)")
    #expect(!yaml.contains("limit"))
    #expect(
      yaml.contains(
        "- name: sort\n          in: query\n          required: true\n          schema:\n            type: array\n"))
  }

  @Test func `what only few requests and answers have is neither required nor all that there is`() throws {
    let (yaml, _) = try draft(
      ("POST /pets {\"name\":\"a\"}", "201"), ("GET /pets?sort=a", #"200 {"owner": null}"#))
    #expect(!yaml.contains("name: sort\n          in: query\n          required"), "\(yaml)")
    #expect(!yaml.contains("requestBody:\n        required"), "\(yaml)")
    #expect(yaml.contains("owner: {}"), "\(yaml)")
  }

  @Test func `a token in a path is an id, and no secret is written`() throws {
    let token = PlantedSecret.token
    let (yaml, _) = try draft(("GET /verify/\(token)/done", #"200 {"ok": true}"#))
    #expect(yaml.contains("/verify/{verifyId}/done"), "\(yaml)")
    #expect(!yaml.contains(token))
  }

  @Test func `the base path of a version goes to the server`() throws {
    let (yaml, _) = try draft(("GET /api/v1/pets", "200 []"), ("GET /api/v1/users", "200 []"))
    #expect(yaml.contains("- url: \"http://127.0.0.1:4010/api/v1\"\n"), "\(yaml)")
    #expect(yaml.contains("\n  /pets:\n"))
  }
}
