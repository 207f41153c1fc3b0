import Foundation
import Testing
import UnderstudyClient

/// The values of the interface, without a mock.
struct ValueTests {
  @Test func `a reply shows what it answers`() {
    let replies: [ScriptedReply] = [401, "200.empty", .hang, .status(503).delayed(.seconds(2)), .response(418)]
    #expect(replies.map(\.description) == ["401", "200.empty", "hang", "503 after 2s", "an inline 418"])
  }

  @Test func `a JSON value is read by names, positions and pointers`() throws {
    let value: JSONValue = ["user": ["nick": "a/b", "tags": [1, 2.5, .null, true]]]
    #expect(value["user"]?["nick"] == "a/b")
    #expect(value.at("/user/tags/1") == 2.5)
    #expect(value["user"]?["tags"]?[3]?.bool == true)
    #expect(value.at("/user/none") == nil)
    struct User: Decodable { let nick: String }
    #expect(try #require(value["user"]).decoded(as: User.self).nick == "a/b")
  }
}
