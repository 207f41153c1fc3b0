import Foundation
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Sockets beside what REST remembers.
  @Suite struct SocketLifeTests {
    private static let program = "/usr/bin/curl"

    /// Users of one lane, by curl.
    private struct Users {
      let server: MockServer
      /// The prefix of the lane.
      let lane: String
      /// Whether their `idtoken` is a token, which names them.
      let haveTokens: Bool

      private func token(of user: String) -> String {
        guard haveTokens else { return user }
        let claims = Data(#"{"user_id":"\#(user)"}"#.utf8).base64EncodedString().replacing("=", with: "")
        return "eyJhbGciOiJub25lIn0.\(claims).c2lnbmF0dXJl"
      }

      /// The status and the body of the answer to a user.
      func send(_ user: String, _ method: String, _ path: String, _ form: String...) throws -> (code: Int, body: String)
      {
        let fields = form.flatMap { ["--data-urlencode", $0] }
        return try send(method, "/v1\(path)", fields + ["-H", "idtoken: \(token(of: user))"])
      }

      func send(_ method: String, _ path: String, _ options: [String]) throws -> (code: Int, body: String) {
        let output = try Command.run(
          SocketLifeTests.program,
          ["-q", "--noproxy", "*", "-s", "-X", method, "-w", "\n%{http_code}", server.baseURL + lane + path] + options,
          input: ""
        ).output
        let parts = output.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(parts.last ?? "") ?? 0, parts.dropLast().joined(separator: "\n"))
      }

      func statusOf(_ user: String, _ method: String, _ path: String, _ form: String...) throws -> Int {
        let fields = form.flatMap { ["--data-urlencode", $0] }
        return try send(method, "/v1\(path)", fields + ["-H", "idtoken: \(token(of: user))"]).code
      }

      func socket() throws -> SocketIOClient {
        let port = try #require(Int(server.baseURL.split(separator: ":").last ?? ""))
        return try SocketIOClient(port: port, "\(lane)/socket.io/")
      }

      /// The socket of a user who has said who that is.
      func socket(of user: String) throws -> SocketIOClient {
        let socket = try socket()
        try socket.emit("changesocketid", "\"\(user)\"")
        return socket
      }

      /// Sends an event that all sockets get after everything that came before it.
      func settle() throws {
        let sent = try send("POST", "/__admin/sockets", ["-d", #"{"emit": "settled"}"#])
        #expect(sent.code / 100 == 2, "\(sent.body)")
      }
    }

    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"),
      arguments: [("", "dodge"), ("/~a", "withdraw")])
    func `two users live one life by REST and by their sockets`(lane: String, end: String) async throws {
      let mock = try Mock.load(Project.path("specs/slp.yaml")) { $0.scenario = "life" }
      try await withMockServer(mock) { server in
        let users = Users(server: server, lane: lane, haveTokens: !lane.isEmpty)
        let (a, b) = ("userA", "userB")
        for (user, number) in [(a, 1), (b, 2)] {
          let status = try users.statusOf(
            user, "POST", "/user", "phoneNumber=+82101234567\(number)", "FCMtoken=t", "nick=\(user)",
            "birth=1997-03-21T00:00:00.000Z", "email=\(user)@example.com", "gender=0")
          #expect(status == 200)
        }
        let socketOfA = try users.socket(of: a)
        var socketOfB = try users.socket(of: b)
        for user in [a, b] {
          #expect(try users.statusOf(user, "POST", "/queue", "lat=37.5", "long=126.9", "studylist=Swift") == 200)
        }
        // They are not matched yet.
        #expect(try users.statusOf(a, "POST", "/chat/\(b)", "chat=early") == 201)
        #expect(try users.statusOf(a, "POST", "/queue/studyrequest", "otheruid=\(b)") == 200)
        #expect(try users.statusOf(b, "POST", "/queue/studyaccept", "otheruid=\(a)") == 200)

        let first = try users.send(a, "POST", "/chat/\(b)", "chat=안녕 & 1=1+1 😀")
        #expect(first.code == 200 && first.body.contains(#""from":"userA""#), "\(first.body)")
        #expect(try socketOfB.event() == "[\"chat\",\(first.body)]")
        let all = try users.send(b, "GET", "/chat/\(a)?lastchatDate=2000-01-01T00:00:00.000Z")
        #expect(all.body == "{\"payload\":[\(first.body)]}")
        // To another one than the partner.
        #expect(try users.statusOf(a, "POST", "/chat/userC", "chat=astray") == 201)
        let answer = try users.send(b, "POST", "/chat/\(a)", "chat=back")
        // The sender's own message did not come back.
        #expect(try socketOfA.event() == "[\"chat\",\(answer.body)]")

        // While the new socket has not said whose it is, REST alone has the message.
        socketOfB = try users.socket()
        let missed = try users.send(a, "POST", "/chat/\(b)", "chat=missed")
        let parts = first.body.components(separatedBy: "\"createdAt\":\"")
        let cursor = try #require(parts.last?.prefix { $0 != "\"" })
        let caughtUp = try users.send(b, "GET", "/chat/\(a)?lastchatDate=\(cursor)")
        #expect(caughtUp.body == "{\"payload\":[\(answer.body),\(missed.body)]}")
        try socketOfB.emit("changesocketid", "\"\(b)\"")
        let later = try users.send(a, "POST", "/chat/\(b)", "chat=later")
        #expect(try socketOfB.event() == "[\"chat\",\(later.body)]")

        if end == "dodge" {
          #expect(try users.statusOf(b, "POST", "/queue/dodge", "otheruid=\(a)") == 200)
          #expect(try users.statusOf(b, "POST", "/chat/\(a)", "chat=too late") == 201)
        } else {
          #expect(try users.statusOf(b, "POST", "/user/withdraw") == 200)
          #expect(try users.statusOf(b, "POST", "/chat/\(a)", "chat=too late") == 406)
        }
        #expect(try users.statusOf(a, "POST", "/chat/\(b)", "chat=too late") == 201)
        try users.settle()
        #expect(try socketOfA.event() == #"["settled"]"#)
        #expect(try socketOfB.event() == #"["settled"]"#)
      }
    }

    private static let notes = """
      openapi: 3.1.0
      info: {title: Notes, version: "1"}
      paths:
        /notes:
          post:
            operationId: createNote
            requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
            responses:
              "201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
          get:
            operationId: listNotes
            responses:
              "200":
                description: All
                content:
                  application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}, example: []}
        /notes/{noteId}:
          parameters: [{name: noteId, in: path, required: true, schema: {type: integer}}]
          get:
            operationId: readNote
            responses:
              "200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
              "404": {description: None}
          put:
            operationId: replaceNote
            requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
            responses:
              "200": {description: Changed, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
              "404": {description: None}
          delete:
            operationId: deleteNote
            responses: {"204": {description: Gone}, "404": {description: None}}
      components:
        schemas:
          Note:
            type: object
            required: [id, board, text]
            properties: {id: {type: integer, readOnly: true}, board: {type: integer}, text: {type: string}}
      x-understudy-events:
        transport: socketio
        events:
          watch: {from: client}
          created: {from: server, arguments: [{$ref: "#/components/schemas/Note"}]}
          changed: {from: server, arguments: [{$ref: "#/components/schemas/Note"}]}
          deleted: {from: server, arguments: [{type: integer}]}
        rules:
          - {on: {event: watch}, remember: {board: "{{event.0}}"}}
          - on: {operation: createNote, status: 201}
            to: {board: "{{response.body.board}}"}
            do: [{emit: created, argument: "{{response.body}}"}]
          - {on: {operation: replaceNote, status: 200}, to: all, do: [{emit: changed, argument: "{{response.body}}"}]}
          - {on: {operation: deleteNote, status: 204}, to: all, do: [{emit: deleted, argument: "{{request.path.noteId}}"}]}
      """

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `sockets get what a stateful mock has stored, changed and deleted`() async throws {
      var options = Mock.Options()
      options.isStateful = true
      let mock = Mock(contracts: [try Contract(Self.notes, name: "notes")], options: options)
      #expect(mock.complaints == [])
      try await withMockServer(mock) { server in
        let users = Users(server: server, lane: "", haveTokens: false)
        let (watching, other) = (try users.socket(), try users.socket())
        // The clients say it as a text and as a number; the items have numbers.
        try watching.emit("watch", #""3""#)
        try other.emit("watch", "4")
        func send(_ method: String, _ path: String, _ body: String) throws -> (code: Int, body: String) {
          try users.send(method, path, ["-H", "Content-Type: application/json", "-d", body])
        }
        let made = try send("POST", "/notes", #"{"board":3,"text":"Milk"}"#)
        #expect(made.code == 201)
        #expect(try watching.event() == "[\"created\",\(made.body)]")
        #expect(try users.send("GET", "/notes", []).body == "[\(made.body)]")
        let id = try #require(try JSONParser.parse(Array(made.body.utf8)).root["id"]?.int)
        let changed = try send("PUT", "/notes/\(id)", #"{"board":3,"text":"Bread"}"#)
        #expect(changed.code == 200 && changed.body.contains("Bread"))
        #expect(try send("PUT", "/notes/\(id)", #"{"board":"three"}"#).code / 100 == 4)
        #expect(try users.send("DELETE", "/notes/\(id)", []).code == 204)
        #expect(try users.send("DELETE", "/notes/\(id)", []).code == 404)
        try users.settle()
        for socket in [watching, other] {
          #expect(try socket.event() == "[\"changed\",\(changed.body)]")
          #expect(try socket.event() == "[\"deleted\",\(id)]")
          #expect(try socket.event() == #"["settled"]"#)
        }
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `a request that the admin API repeats sends its events, and holds up no later ones`() async throws {
      var options = Mock.Options()
      options.isStateful = true
      let mock = Mock(contracts: [try Contract(Self.notes, name: "notes")], options: options)
      try await withMockServer(mock) { server in
        let users = Users(server: server, lane: "", haveTokens: false)
        let watching = try users.socket()
        try watching.emit("watch", "3")
        let note = ["-H", "Content-Type: application/json", "-d", #"{"board":3,"text":"Milk"}"#]
        for (path, options) in [("/notes", note), ("/__admin/requests/1/again", []), ("/notes", note)] {
          #expect(try users.send("POST", path, options).code == 201)
          #expect(try watching.event().hasPrefix("[\"created\","))
        }
      }
    }

    @Test func `events of eight senders at once come in the order in which the lane has stored the notes`()
      async throws
    {
      var options = Mock.Options()
      options.isStateful = true
      let mock = Mock(contracts: [try Contract(Self.notes, name: "notes")], options: options)
      try await withMockServer(mock) { server in
        let watching = try SocketIOClient(port: server.port)
        try watching.emit("watch", "3")
        let senders = try (0..<8).map { _ in try RawClient(port: server.port) }
        for round in 0..<10 {
          for (number, sender) in senders.enumerated() {
            let body = #"{"board":3,"text":"\#(round)-\#(number)"}"#
            try sender.send(
              "POST /notes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
          }
          for sender in senders { #expect(try sender.response().status == 201) }
        }
        let reader = try RawClient(port: server.port)
        try reader.get("/notes")
        let notes = try (0..<80).map { _ in
          String(try watching.event().dropFirst("[\"created\",".count).dropLast())
        }
        #expect(try reader.response().body == "[\(notes.joined(separator: ","))]")
      }
    }
  }
}
