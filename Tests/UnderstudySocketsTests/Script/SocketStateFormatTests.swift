import Foundation
import Testing
import UnderstudyJSON
import UnderstudySockets

/// Sockets stored before `JSONValue`, which had JSON in strings.
struct SocketStateFormatTests {
  private static let stored = #"""
    {"applied":{},"faults":[{"event":"chat","kind":{"replaced":{"_0":"[{\"n\":1.0}]"}},"text":"chat.other"}],"held":{"3":[{"action":{"acknowledge":{"_0":7,"_1":"[\"ok\"]","attachments":[[1,2]]}},"namespace":"/","socket":1}]},"lastHold":3,"outputs":[{"action":{"accept":{}},"namespace":"/","socket":1},{"action":{"refuse":{"data":"{\"b\":1,\"a\":2}","message":"no"}},"namespace":"/","socket":2},{"action":{"refuse":{"message":"no"}},"namespace":"/","socket":3},{"action":{"cut":{"_0":"chat","_1":"[1.50]"}},"namespace":"/","socket":4},{"action":{"malformed":{"_0":"chat","_1":"[]"}},"namespace":"/a","socket":5}],"reordered":[],"scenarioFaults":[],"sockets":[],"timers":[{"attachments":[],"due":9,"environment":"{}","member":1,"namespace":"/","output":{"action":{"emit":{"_0":"late","_1":"[-0]","attachments":[]}},"namespace":"/","socket":1},"rule":"","step":0}],"underWay":[]}
    """#

  @Test func `each output of a stored state has its values, and is stored with the same text`() throws {
    var state = try JSONDecoder().decode(SocketState.self, from: Data(Self.stored.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(state), as: UTF8.self) == Self.stored)
    let number = { (spelling: String) in JSONValue.number(JSONValue.Number(spelling) ?? JSONValue.Number(0)) }
    #expect(state.faults.map(\.kind) == [.replaced([["n": number("1.0")]])])
    state.release(3)
    #expect(
      state.takeOutputs() == [
        SocketOutput(1, "/", .accept), SocketOutput(2, "/", .refuse(message: "no", data: ["b": 1, "a": 2])),
        SocketOutput(3, "/", .refuse(message: "no", data: nil)), SocketOutput(4, "/", .cut("chat", [number("1.50")])),
        SocketOutput(5, "/a", .malformed("chat", [])),
        SocketOutput(1, "/", .acknowledge(7, ["ok"], attachments: [[1, 2]])),
      ])
  }
}
