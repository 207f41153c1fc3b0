import Testing
import UnderstudyMock
import UnderstudyRecording
import UnderstudyTestSupport

/// The contract of a data file in YAML.
struct DataDraftTests {
  @Test func `the contract of data is written, and serves the same collections`() throws {
    let data = #"{"posts": [{"id": 1, "title": "a"}], "comments": [{"id": "x", "postId": 1}], "me": {"a": 1}}"#
    let lowered = try ContractFixture(contracts: ["db.json": data]).mock()
    let text = try #require(DataDraft.yaml(of: lowered.contracts[0].compiled, title: "Blog"))
    let written = try ContractFixture(contracts: ["blog.yaml": text]).mock()
    #expect(written.contracts[0].api.title == "Blog")
    #expect(written.contracts[0].compiled.lint() == [])
    #expect(
      written.operations.map(\.compiled.operation.id) == lowered.operations.map(\.compiled.operation.id))
    for path in ["/posts", "/posts?title_like=A&_page=1", "/comments?_expand=post", "/posts/1/comments", "/me"] {
      let (one, other) = (lowered.send(path), written.send(path))
      #expect(one.text == other.text && one.status == 200, "\(path)")
      #expect(one.header("Link") == other.header("Link"))
    }
    let client = LaneClient(written)
    client.send(.post, "/posts", ["Content-Type": "application/json"], body: "{}")
    #expect(client.send("/posts/2").status == 200)
  }

  @Test func `a contract that was read as it is has no draft`() throws {
    #expect(DataDraft.yaml(of: try ContractFixture(MockContract.notes).contract().compiled) == nil)
  }
}
