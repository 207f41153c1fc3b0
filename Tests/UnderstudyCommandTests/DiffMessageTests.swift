import Testing
import UnderstudyTestSupport

/// `understudy diff` with the messages of sockets, and with days of notice.
@Suite(.waitsForProcesses)
struct DiffMessageTests {
  private static let events = """
    asyncapi: 3.0.0
    info: {title: Chat, version: "1"}
    channels:
      main:
        address: chat
        messages:
          said: {payload: {type: object, required: [text], properties: {text: {type: string}}}}
    operations:
      sendSaid: {action: send, channel: {$ref: "#/channels/main"}}
    """
  private static let changed = events.replacing("{type: string}", with: "{type: integer}")

  @Test func `a message of an AsyncAPI document has its channel and both places`() throws {
    try withProject(["old.asyncapi.yaml": Self.events, "new.asyncapi.yaml": Self.changed]) { folder in
      let result = try Command.run("diff", "old.asyncapi.yaml", "new.asyncapi.yaml", in: folder)
      #expect(
        steady(result.output) == """
          CHANNEL chat
          new.asyncapi.yaml:7:82: error: the message `said` `/text`: the type is now `integer`, was `string` [diff.response.type]
            7 |       said: {payload: {type: object, required: [text], properties: {text: {type: integer}}}}
              |                                                                                  ^^^^^^^
            old.asyncapi.yaml:7:82: note: before
              7 |       said: {payload: {type: object, required: [text], properties: {text: {type: string}}}}
                |                                                                                  ^^^^^^
            note: for example, `{"text":1}` is valid now, and was not before

          remark: the changes call for a new major version: `info.version` was 1, is 1
          checked: 2 in 2 cases, N ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          target: old.asyncapi.yaml
          verdict: failed: 1 error

          """)
      #expect(result.code == 1)
    }
  }

  @Test func `a folder compares the document beside a contract once`() throws {
    let files = [
      "a/shop.yaml": Shop.contract, "b/shop.yaml": Shop.contract, "a/shop.asyncapi.yaml": Self.events,
      "b/shop.asyncapi.yaml": Self.changed, "a/other.asyncapi.yaml": Self.events,
      "b/other.asyncapi.yaml": Self.events,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(result.output.contains("b/shop.asyncapi.yaml:7:82: error: the message `said` `/text`"))
      #expect(result.output.contains("found: 1 error, 0 warnings, 0 notes\n"), "\(result.output)\(result.error)")
    }
  }

  @Test func `a broken reference of an AsyncAPI document is an error with its position`() throws {
    let broken = Self.events.replacing("\"#/channels/main\"", with: "\"#/channels/none\"")
    try withProject(["old.yaml": Self.events, "new.yaml": broken]) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(
        result.error.hasPrefix(
          "new.yaml:9:44: error: the reference `#/channels/none` leads nowhere: `/channels` has no `none`"),
        "\(result.error)")
      #expect(result.code == 3)
    }
  }

  @Test func `notice is required by stability level`() throws {
    func contract(_ lines: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Shop, version: "1"}
      paths: {/pets: {get: {\(lines)responses: {"200": {description: OK}}}}}
      """
    }
    let files = [
      "old.yaml": contract(""), "none.yaml": contract("deprecated: true, "),
      "beta.yaml": contract("x-stability-level: beta, deprecated: true, "),
      "past.yaml": contract("deprecated: true, x-sunset: 2020-01-01, "),
    ]
    try withProject(files) { folder in
      func rules(_ new: String, _ arguments: String...) throws -> [String] {
        let result = try Command.run(Command.path, ["diff", "old.yaml", new] + arguments, in: folder)
        return result.output.matches(of: /\[(diff\.sunset\.[a-z-]+)\]/).map { String($0.1) }
      }
      #expect(try rules("none.yaml") == [])
      #expect(try rules("none.yaml", "--notice", "180") == ["diff.sunset.missing"])
      #expect(try rules("none.yaml", "--notice", "beta=30") == [])
      #expect(try rules("beta.yaml", "--notice", "beta=30") == ["diff.sunset.missing"])
      #expect(try rules("past.yaml") == ["diff.sunset.too-soon"])
      let result = try Command.run("diff", "old.yaml", "none.yaml", "--notice", "alpha=3", in: folder)
      #expect(result.error.hasPrefix("error: the value `alpha=3` is invalid for `--notice <days>`"), "\(result.error)")
      #expect(result.code == 2)
    }
  }
}
