import HTTPTypes
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Personal data in recordings: found, listed and replaced.
struct PersonalDataTests {
  private static let body = """
    {
      "phoneNumber": "+82 10-1234-5678", "birth": "2001-04-09", "email": "alice@corp.example", "nick": "앨리스김",
      "author": {"name": "Alice Kim"}, "chats": [{"chat": "see you at the library"}, {"chat": "ok then"}],
      "file": "/Users/alice/app/server.py", "id": "6371c1d8", "name": "Library", "state": "open", "count": 12,
      "error": "Traceback (most recent call last):\\n  File \\"/home/alice/a.py\\", line 1\\nValueError: no"
    }
    """

  @Test func `personal data is found by name and shape`() throws {
    let finding = try #require(PersonalScan.finding(in: Array(Self.body.utf8), of: "a.json"))
    #expect(
      finding.places == [
        "phone /phoneNumber", "birthday /birth", "email /email", "name /nick", "name /author/name",
        "free text /chats/*/chat (2 times)", "local path /file", "traceback /error",
      ])
    #expect(finding.count == 9)
  }

  @Test func `personal data is found by the format of the contract, and in texts`() throws {
    var settings = RecordingSettings()
    let contract = ContractFixture.text(
      paths: """
          /users:
            post:
              operationId: addUser
              requestBody: {content: {application/json: {schema: {type: object}}}}
              responses:
                "201":
                  description: Added.
                  content: {application/json: {schema: {properties: {reach: {type: string, format: phone}}}}}
                "500": {description: Broken., content: {text/plain: {}}}

        """)
    let trace = "Traceback (most recent call last):\n  File \"/home/alice/a.py\", line 1\nValueError: no"
    let exchanges: [RecordedSession.ShortExchange] = [
      (#"POST /users {"a":1}"#, #"201 {"reach": "ext. 555-0177-88"}"#),
      (#"POST /users {"a":2}"#, "500 text/plain: \(trace)"),
    ]
    let listed = try RecordedSession(contract: contract, settings: settings).record(exchanges).report.personal
    #expect(listed.flatMap(\.places) == ["phone /reach", "traceback in the text"])
    settings.personal = .replace
    let replaced = try RecordedSession(contract: contract, settings: settings).record(exchanges).files.values
    #expect(!replaced.contains { $0.contains("0177") || $0.contains("alice") }, "\(replaced)")
  }

  @Test func `a page with a stack keeps all but the names in its paths`() throws {
    var settings = RecordingSettings()
    settings.personal = .replace
    let contract = ContractFixture.text(
      paths: """
          /page:
            get: {operationId: page, responses: {"500": {description: Broken., content: {text/html: {}}}}}

        """)
    let page = "<!DOCTYPE html>\n<pre>Error: no\n    at /home/alice/a.js:1</pre>\n</html>"
    let exchanges: [RecordedSession.ShortExchange] = [("GET /page", "500 text/html: \(page)")]
    let files = try RecordedSession(contract: contract, settings: settings).record(exchanges).files.values
    #expect(files.contains { $0.contains("Error: no") && $0.contains("</html>") }, "\(files)")
    #expect(!files.contains { $0.contains("alice") }, "\(files)")
  }

  @Test(arguments: [
    #"{"name": "Tom", "status": "available", "id": "0101234567"}"#, #"{"phone": "none", "mobile": true}"#,
    #"{"url": "https://a.example/home/page", "path": "/v1/home/list"}"#, #"{"chat": "opened"}"#,
    #"{"total": "2024-01-01", "at": "me@", "sha": "a@b"}"#,
  ]) func `what says nothing about a person is not listed`(body: String) {
    let finding = PersonalScan.finding(in: Array(body.utf8), of: "a.json")
    #expect(finding == nil, "\(finding?.places ?? [])")
  }

  @Test(arguments: [
    ("2001-04-09T00:00:00Z", "birth", "^2001-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T00:00:00Z$"),
    ("010409", "birth", "^01(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])$"),
    ("09.04.2001", "birth", "^(0[1-9]|1[0-2])[.](0[1-9]|1[0-2])[.]2001$"),
    ("+82 10-1234-5678", "mobile", "^[+]82 1[0-9]-[0-9]{4}-[0-9]{4}$"),
    ("see /home/alice/a, (/Users/bob/b)", "file", "^see /home/user/a, [(]/Users/user/b[)]$"),
  ]) func `a fake has the form of its value`(value: String, name: String, form: String) throws {
    var settings = RecordingSettings()
    settings.personal = .replace
    let body = JSONWriter.text(.object([(name, .string(value))]))
    let recorded = try RecordedSession(contract: Self.contract, settings: settings).record([
      ("POST /users \(body)", "201 \(body)")
    ])
    let file = try #require(recorded.files.first { $0.key.hasSuffix(".json") })
    let fake = try #require(try JSONParser.parse(Array(file.value.utf8)).root[name]?.text)
    #expect(try Pattern(ecma: form).matches(fake) == .yes, "\(fake)")
  }

  private static let contract = ContractFixture.text(
    paths: """
        /users/{mail}:
          parameters: [{name: mail, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readUser
            responses:
              "200":
                description: A user.
                content: {application/json: {schema: {type: object, properties: {phone: {type: string, pattern: "^010[0-9]{8}$"}}}}}
        /users:
          post:
            operationId: addUser
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: {"201": {description: Added., content: {application/json: {schema: {type: object}}}}}
      """)

  private func recorded(_ personal: RecordingSettings.Personal) throws -> RecordedSession.Result {
    var settings = RecordingSettings()
    settings.personal = personal
    let user =
      #"{"phone": "01012345678", "email": "alice@corp.example", "nickname": "Alice", "bio": "likes long walks"}"#
    return try RecordedSession(contract: Self.contract, settings: settings).record([
      ("POST /users \(user)", "201 \(user)"), ("GET /users/alice%40corp.example", "200 \(user)"),
    ])
  }

  @Test func `by default it is written, and listed`() throws {
    let recorded = try recorded(.list)
    let (files, report) = (recorded.files, recorded.report)
    #expect(files.values.contains { $0.contains("alice@corp.example") })
    #expect(report.personal.map(\.path).count == 2 && report.replacedPersonal.isEmpty)
    #expect(report.personal.first?.places.contains("phone /phone") == true)
  }

  @Test func `fakes have the form of the values, and are the same in every file`() throws {
    let recorded = try recorded(.replace)
    let (files, report) = (recorded.files, recorded.report)
    let text = files.values.joined()
    for value in ["12345678", "alice", "Alice", "long walks"] { #expect(!text.contains(value), "\(value): \(text)") }
    let documents = try files.filter { $0.key.hasSuffix(".json") }.map {
      try JSONParser.parse(Array($0.value.utf8)).root
    }
    #expect(documents.count == 2 && Set(documents.map { JSONWriter.text($0) }).count == 1)
    let phone = try #require(documents.first?["phone"]?.text)
    #expect(phone.hasPrefix("010") && phone.utf8.count == 11)
    #expect(documents.first?["email"]?.text.hasSuffix("@example.com") == true)
    #expect(report.breaches.isEmpty && report.personal.isEmpty)
    #expect(report.replacedPersonal.map(\.kind) == ["email", "free text", "name", "phone"])
  }

  private func replaced(_ session: [RecordedSession.ShortExchange]) throws -> RecordedSession.Result {
    var settings = RecordingSettings()
    settings.personal = .replace
    return try RecordedSession(contract: Self.contract, settings: settings).record(session)
  }

  @Test func `no condition has a fake, which a client does not send`() throws {
    let session = [("Alice", "a"), ("Robert", "b")].map { name, plan in
      (
        request: #"POST /users {"nickname":"\#(name)","plan":"\#(plan)"}"#,
        answer: #"201 {"nickname":"\#(name)"}"#
      )
    }
    let files = try replaced(session).files
    #expect(
      files["addUser/201.other.yaml"] == "when:\n  body:\n    plan: b\nbodyFile: bodies/201.other.json\n", "\(files)")
  }

  @Test func `responses that only personal data tells apart are replayed in their order`() throws {
    let session = ["alice", "robert"].map { name in
      (request: "GET /users/\(name)%40corp.example", answer: #"200 {"email":"\#(name)@corp.example"}"#)
    }
    let result = try replaced(session)
    #expect(
      result.files["_scenarios/recorded.yaml"]?.contains("readUser: [200, 200.other]") == true, "\(result.files)")
    #expect(result.files.values.allSatisfy { !$0.contains("when:") }, "\(result.files)")
  }

  @Test func `it is written and not listed where that is asked for`() throws {
    let recorded = try recorded(.keep)
    let (files, report) = (recorded.files, recorded.report)
    #expect(files.values.contains { $0.contains("Alice") } && report.personal.isEmpty)
  }

  @Test(arguments: [
    ("FCMtoken", ["fcm", "token"]), ("userIDtoken", ["user", "id", "token"]), ("APIkey", ["api", "key"]),
    ("XMLHttp", ["xml", "http"]), ("userIDs", ["user", "ids"]), ("apiKey", ["api", "key"]), ("IDs", ["ids"]),
  ]) func `a name is split into its words`(name: String, words: [String]) {
    #expect(SecretNames.words(of: name) == words)
  }
}
