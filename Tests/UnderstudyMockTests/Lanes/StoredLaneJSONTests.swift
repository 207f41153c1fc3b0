import Foundation
import Testing
import UnderstudyJSON
import UnderstudyMock
import UnderstudySchema
import UnderstudySockets
import UnderstudyTestSupport

/// Lanes stored before `JSONValue`, which had the JSON of sockets and replies in strings.
struct StoredLaneJSONTests {
  private static let replies = #"""
    [{"answered":0,"given":0,"key":"c/readChat","number":1,"operation":"readChat","position":0,"steps":[{"stream":{"events":"[\"Hel\",{\"event\":\"done\",\"data\":{\"b\":1.50,\"a\":[true]}},{\"pause\":\"20ms\"},{\"text\":\"no JSON\"},{\"cut\":1E2},{\"end\":\"stall\"}]","status":200}}]}]
    """#

  private static let sockets = #"""
    {"applied":{},"faults":[{"kind":{"reorder":{}},"text":"reorder"}],"held":{},"lastHold":0,"outputs":[],"reordered":[{"action":{"emit":{"_0":"chat","_1":"[{\"type\":\"join\",\"uid\":7.0,\"b\":1.50,\"a\":[\"é\",null,12345678901234567890]}]","attachments":[]}},"namespace":"/","socket":2}],"scenarioFaults":[],"sockets":[{"connection":"{\"auth\":{},\"request\":{\"query\":{\"room\":\"7\"},\"header\":{\"upgrade\":\"websocket\"}}}","description":0,"id":2,"namespace":"/","values":{"all":"{\"type\":\"join\",\"uid\":7.0,\"b\":1.50,\"a\":[\"é\",null,12345678901234567890]}","uid":"7.0"}}],"timers":[{"acknowledgement":0,"attachments":[],"due":60000000,"environment":"{\"auth\":{},\"request\":{\"query\":{\"room\":\"7\"},\"header\":{\"upgrade\":\"websocket\"}},\"namespace\":\"/\",\"socket\":{\"all\":{\"type\":\"join\",\"uid\":7.0,\"b\":1.50,\"a\":[\"é\",null,12345678901234567890]},\"uid\":7.0},\"event\":[{\"type\":\"join\",\"uid\":7.0,\"b\":1.50,\"a\":[\"é\",null,12345678901234567890]}],\"name\":\"join\"}","member":2,"namespace":"/","rule":"0/0","step":0}],"underWay":[]}
    """#

  private static var lane: Data {
    Data(
      #"""
      {"checks":[],"clock":{"offset":0,"stopped":1795945131942000},"faults":[{"isDelay":false,"text":"sockets=reorder"}],
      "findings":[],"forced":[],"frameCount":0,"frames":[],"history":[],"historyStart":-9223372036854775808,
      "isObserved":true,"latest":0,"machines":{},"openedAt":1795945131941999,"origin":{"advance":[0,0],"checks":[],
      "faults":[{"isDelay":false,"text":"sockets=reorder"}],"forced":[],"name":{"text":"a"},"stopsClock":true},
      "positions":{},"replies":\#(replies),"replyCount":1,"reportedFrames":{},"requests":0,
      "resources":{"collections":{},"created":0,"deleted":[],"lastTime":0},"sockets":\#(sockets),"turns":{}}
      """#.utf8)
  }

  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `a stored lane is decoded, and its sockets and replies are stored with the same text`() throws {
    let state = try JSONDecoder().decode(LaneState.self, from: Self.lane)
    #expect(try text(state.sockets) == Self.sockets)
    #expect(try text(state.replies) == Self.replies)
    let value = try JSONValue(parsing: #"{"type":"join","uid":7.0,"b":1.50,"a":["é",null,12345678901234567890]}"#)
    let uid = try #require(JSONValue.Number("7.0"))
    #expect(state.sockets.sockets.map(\.values) == [["all": value, "uid": .number(uid)]])
    #expect(state.sockets.reordered == [SocketOutput(2, "/", .emit("chat", .array([value]), attachments: []))])
  }

  @Test func `a timer of a stored lane goes on with the values that its socket has and its event had`() throws {
    let declaration = """
      {"transport": "websocket", "path": "/ws", "rules": [{"on": {"event": "join"}, "do": [
        {"emit": "chat", "arguments": ["{{event.0.b}}", "{{socket.all.a}}", "{{request.query}}", "{{name}}"]}]}]}
      """
    var reader = SocketReader()
    let script = SocketScript(reader.descriptions(try JSONParser.parse(Array(declaration.utf8)).root))
    var state = try JSONDecoder().decode(LaneState.self, from: Self.lane).sockets
    state.faults = []
    script.apply(.time, to: &state, at: 60_000_000)
    let arguments = try JSONValue(parsing: #"[1.50,["é",null,12345678901234567890],{"room":"7"},"join"]"#)
    #expect(state.takeOutputs().first == SocketOutput(2, "/", .emit("chat", arguments, attachments: [])))
  }

  @Test func `a stored stream of a reply is sent as it was written`() async throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Chat, version: "1"}
      paths:
        /chat:
          get:
            operationId: readChat
            responses: {"200": {description: ok, content: {text/event-stream: {schema: {type: string}}}}}
      """
    let text = String(decoding: Self.lane, as: UTF8.self)
    let mock = try ContractFixture(contract).mock()
    let key = try #require(mock.operations.first?.key)
    let data = Data(
      text.replacing(#""key":"c/readChat""#, with: #""key":"\#(key)""#).replacing(#",{\"end\":\"stall\"}"#, with: "")
        .utf8)
    let lane = Lane(try JSONDecoder().decode(LaneState.self, from: data))
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/chat")
    let reply = try #require(mock.reply(to: request, body: [], in: lane, within: .unlimited))
    guard case .script(let script)? = reply.sockets else { return #expect(Bool(false)) }
    #expect(
      String(decoding: script.bytes(isSSE: true), as: UTF8.self)
        == "data: Hel\n\nevent: done\ndata: {\"b\":1.50,\"a\":[true]}\n\ndata: no JSON\n\n")
    #expect(script.steps.last == .cut(nil, .number(try #require(JSONValue.Number("1E2")))))
  }

  @Test(arguments: [
    ("sockets=reorder", "sockets=reorde", "`reorde` is not a fault of sockets"),
    ("sockets=reorder", "readChat=rset@20%", "`rset` is not a fault"),
    (#"{"stream":"#, #"{"fault":"rset","stream":"#, "`rset` is not a fault"),
  ])
  func `a stored fault that cannot be read is reported`(part: String, other: String, problem: String) throws {
    let text = String(decoding: Self.lane, as: UTF8.self).replacing(part, with: other)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LaneState.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false)) }
    #expect(context.debugDescription == problem)
  }

  @Test func `a stored stream that cannot be read is reported`() throws {
    let text = String(decoding: Self.lane, as: UTF8.self)
    for (part, other, problem) in [
      ("{\\\"end\\\":\\\"stall\\\"}", "{\\\"end\\\":\\\"soon\\\"}", "expected `stall` or `drop` for `end`"),
      ("{\\\"end\\\":\\\"stall\\\"}]", "", "byte 101: expected a value"),
    ] {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(LaneState.self, from: Data(text.replacing(part, with: other).utf8))
      }
      guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false)) }
      #expect(context.debugDescription == problem)
    }
  }
}
