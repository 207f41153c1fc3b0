import Foundation
import Testing
import UnderstudyTestSupport

/// An AsyncAPI document beside a contract, by the program.
struct AsyncAPITests {
  private static let document = """
    asyncapi: 3.0.0
    info: {title: Shop, version: "1"}
    servers:
      chat: {host: shop.example.com, protocol: socketio}
    channels:
      main:
        address: /
        messages:
          join: {payload: {type: string}}
          joined: {payload: {type: object}, examples: [{payload: {ok: true}}]}
          pet: {payload: {$ref: "shop.yaml#/paths/~1pets~1{id}/get/responses/200/content/application~1json/schema"}}
    operations:
      onJoin:
        action: receive
        channel: {$ref: "#/channels/main"}
        messages: [{$ref: "#/channels/main/messages/join"}]
        reply: {messages: [{$ref: "#/channels/main/messages/joined"}]}
      sendPet:
        action: send
        channel: {$ref: "#/channels/main"}
        messages: [{$ref: "#/channels/main/messages/pet"}]

    """

  private static let files = Shop.files.merging(
    ["shop.asyncapi.yaml": document, "fixtures/shop/_events/pet.json": #"{"name": "Tom"}"#]) { $1 }

  @Test func `its events are listed beside the operations, and counted as cells`() throws {
    try withProject(Self.files) { folder in
      let routes = try Command.run("routes", "shop.yaml", in: folder)
      #expect(
        routes.output.contains("\nEVENT  /socket.io/  socketio\n  recv    join\n  sent    pet  pet\n"),
        "\(routes.output)")
      let verify = try Command.run("verify", "shop.yaml", "--fail-on", "info", in: folder)
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    }
  }

  @Test func `its sockets are served, and events of clients are validated and acknowledged`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let polling = mock.url + "/socket.io/?EIO=4&transport=polling"
      let id = try #require(try Curl.get(polling).body.split(separator: "\"").dropFirst(3).first)
      let session = "\(polling)&sid=\(id)"
      func curl(_ arguments: String...) throws -> String {
        try Command.run("/usr/bin/curl", ["-q", "--noproxy", "*", "-s"] + arguments, input: "").output
      }
      _ = try curl(session, "-d", "40")
      _ = try curl(session)
      _ = try curl(session, "-d", #"421["join","u1"]"#)
      #expect(try curl(session) == #"431[{"ok":true}]"#)
      _ = try curl(session, "-d", #"42["join",7]"#)
      #expect(mock.waits(for: "expected string, found number 7 [event.schema]"), "\(mock.printed)")
      _ = try curl("\(mock.url)/__admin/sockets", "-d", #"{"emit": "pet", "fixture": "pet"}"#)
      #expect(try curl(session) == #"42["pet",{"name":"Tom"}]"#)
      let coverage = try curl("\(mock.url)/__admin/coverage")
      #expect(coverage.contains("\"cells\": 4,\n  \"served\": 2,"), "\(coverage)")
    }
  }

  @Test func `a document that appears, changes and has a mistake is loaded again`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      func events() throws -> String { try Curl.get(mock.url + "/__admin/operations").body }
      #expect(try !events().contains("socketio"))
      try write(["shop.asyncapi.yaml": Self.document], in: folder)
      #expect(mock.waits(for: "reloaded after a change of shop.asyncapi.yaml\n"), "\(mock.printed)")
      #expect(try events().contains("socketio"))
      try write(["shop.asyncapi.yaml": Self.document.replacing("action: send", with: "action: sned")], in: folder)
      #expect(mock.waits(for: "reloaded after a change of shop.asyncapi.yaml\n", count: 2), "\(mock.printed)")
      #expect(
        mock.printed.contains(
          "shop.asyncapi.yaml:19:13: error: the operation `sendPet` requires `action: send` or `action: receive`"),
        "\(mock.printed)")
    }
  }

  @Test func `verify names what the document says and the mock does not do`() throws {
    var files = Self.files
    files["shop.asyncapi.yaml"] =
      Self.document.replacing(
        "protocol: socketio}", with: "protocol: socketio, security: []}\n  bus: {protocol: kafka}")
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", in: folder)
      #expect(
        result.output.contains(
          """
          shop.asyncapi.yaml:5:19: warning: the protocol `kafka` is not served [asyncapi.ignored]
          """), "\(result.output)")
      #expect(
        result.output.contains(
          "shop.asyncapi.yaml:4:54: info: `security` of a server is not checked [asyncapi.ignored]"),
        "\(result.output)")
      #expect(result.code == 0)
    }
  }

  @Test func `an AsyncAPI document is no contract`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("verify", "shop.asyncapi.yaml", in: folder)
      #expect(
        result.error == """
          shop.asyncapi.yaml:1:1: error: this is an `asyncapi` document, not OpenAPI: expected `openapi: 3.0.x`, `3.1.x`, \
          `3.2.x` or `swagger: "2.0"` [spec.unparsable]
            1 | asyncapi: 3.0.0
              | ^^^^^^^^
            help: it declares the sockets of a contract that lies beside it: shop.asyncapi.yaml beside shop.yaml

          """)
      #expect(result.code == 3)
    }
  }
}
