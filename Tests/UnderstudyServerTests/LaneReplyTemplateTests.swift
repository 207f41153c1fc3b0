import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// Replies of a lane with templates.
extension OverSockets.LaneReplyTests {
  @Test func `a reply with template true is filled in its body and headers, each time anew`() async throws {
    try await withLane { client, _ throws in
      let reply =
        #"{"operation": "readChat", "json": {"room": "{{request.path.room}}", "id": "{{uuid}}", "q": "{{request.query.cursor}}"}, "#
        + #""headers": {"Location": "/chat/{{uuid}}", "X-Room": ["{{add request.path.room 1}}", "plain"]}, "template": true}"#
      #expect(try client.send("POST", "/__admin/lanes/a/replies", reply).status == 201)
      let responses = try (0..<2).map { _ in try client.send("GET", "/~a/chat/7?cursor=%22b%22") }
      for response in responses {
        let root = try JSONParser.parse(Array(response.body.utf8)).root
        #expect(root["room"]?.text == "7" && root["q"]?.text == "\"b\"", "\(response.body)")
        #expect(response["location"] == "/chat/\(root["id"]?.text ?? "?")")
        #expect(response.fields.filter { $0.name == "x-room" }.map(\.value) == ["8", "plain"])
      }
      #expect(Set(responses.map(\.body)).count == 2)
    }
  }

  @Test func `a tag in a reply that is no template is sent as text, with a warning unless it says so`() async throws {
    try await withLane { client, _ throws in
      let replies = "/__admin/lanes/a/replies"
      let added = try client.json("POST", replies, #"{"operation": "readChat", "text": "a {{uuid}}"}"#)
      let warning = "`{{uuid}}` is sent as text: add `template: true`, or `template: false` to send it as it is"
      #expect(added["warning"]?.text == warning)
      #expect(try client.read() == ["200 a {{uuid}}"])
      let plain = #"{"operation": "readChat", "headers": {"X-A": "{{uuid}}"}, "template": false}"#
      #expect(try client.json("POST", replies, plain)["warning"] == nil)
    }
  }

  @Test(arguments: [
    (
      #"{"operation": "readChat", "text": "{{divide 1 request.query.cursor}}", "template": true}"#, "the divisor is 0"
    ),
    (
      #"{"operation": "readChat", "text": "a\n {{add request.query.cursor 'x'}}", "template": true}"#, ""
    ),
    (
      #"{"operation": "readChat", "text": "a\n {{date request.query.cursor parse='dd.MM.yyyy'}}", "template": true}"#,
      "`0` is not a date, at `date request.query.cursor parse='dd.MM.yyyy'` in line 2, column 4 of the body"
    ),
    (
      #"{"operation": "readChat", "headers": {"X-A": "{{base64 request.query.cursor decode=true}}"}, "template": true}"#,
      "`0` is not a string in base64, at `base64 request.query.cursor decode=true` in line 1, column 3 of the header field `X-A`"
    ),
  ]) func `a template that cannot be filled is a 500 with its tag and the reason`(
    reply: String, reason: String
  ) async throws {
    try await withLane { client, _ throws in
      let added = try client.send("POST", "/__admin/lanes/a/replies", reply)
      guard !reason.isEmpty else {
        #expect(added.status == 400 && added.body.contains("`'x'` is not a number"), "\(added.body)")
        return
      }
      let response = try client.send("GET", "/~a/chat/7?cursor=0")
      let root = try JSONParser.parse(Array(response.body.utf8)).root
      #expect(response.status == 500 && root["title"]?.text == "Template not filled")
      #expect(root["detail"]?.text.contains(reason) == true, "\(response.body)")
    }
  }

  @Test func `a value with line breaks does not become a header field`() async throws {
    try await withLane { client, _ throws in
      let reply =
        #"{"operation": "readChat", "headers": {"X-A": "a{{request.query.cursor}}"}, "template": true}"#
      _ = try client.send("POST", "/__admin/lanes/a/replies", reply)
      let response = try client.send("GET", "/~a/chat/7?cursor=1%0D%0ASet-Cookie:%20a=1")
      #expect(response.status == 500 && response["set-cookie"] == nil)
      #expect(
        response.body.contains("the header field `X-A` cannot have a value with line breaks"), "\(response.body)")
    }
  }

  @Test func `a template of a lane is filled after its state was stored`() throws {
    let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock()
    let body = #"{"operation": "readChat", "json": {"a": "{{upper request.path.room}}"}, "template": true}"#
    let lane = Lane(mock.newState())
    _ = try lane.add(LaneReplyReader.read(Array(body.utf8), for: mock), by: mock)
    let stored = Lane(try JSONDecoder().decode(LaneState.self, from: JSONEncoder().encode(lane.value)))
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/chat/x")
    let reply = mock.reply(to: request, body: [], in: stored, within: .unlimited)
    #expect(reply.map { String(decoding: $0.body, as: UTF8.self) } == #"{"a":"X"}"#)
  }
}
