import Testing
import UnderstudySchema
import UnderstudySockets

struct SocketArgumentsTests {
  @Test(
    arguments: [
      (nil, #"{"type":"a"}"#, "message", [#""{\"type\":\"a\"}""#]), ("type", #"{"type":"a"}"#, "a", [#"{"type":"a"}"#]),
      ("type", #"{"type":1}"#, "message", [#"{"type":1}"#]), ("type", "[1.50]", "message", ["[1.50]"]),
      ("type", "no JSON", "message", [#""no JSON""#]),
    ] as [(String?, String, String, [String])])
  func `the event of a text message is a member of its JSON`(key: String?, text: String, name: String, values: [String])
  {
    let event = WebSocketMessage.text(text).event(key: key)
    #expect(event.name == name && event.arguments.values.map { JSONWriter.text($0) } == values)
  }

  @Test func `a binary message is a placeholder with its bytes`() {
    let event = WebSocketMessage.binary([1, 2]).event(key: "type")
    #expect(event.name == "message")
    #expect(event.arguments == SocketArguments([["_placeholder": true, "num": 0]], attachments: [[1, 2]]))
  }
}
