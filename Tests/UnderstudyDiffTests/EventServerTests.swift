import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// The servers, credentials and bindings of AsyncAPI documents.
struct EventServerTests {
  private static func document(
    server: String = "protocol: wss, pathname: /v1", operation: String = "", message: String = "",
    schemes: String = "key: {type: httpApiKey, in: query, name: key}, user: {type: userPassword}"
  ) -> String {
    """
    asyncapi: 3.0.0
    info: {title: Chat, version: "1"}
    servers: {main: {host: example.com, \(server)}}
    channels: {main: {address: chat, messages: {say: {payload: {type: string}\(message)}}}}
    operations: {onSay: {action: receive, channel: {$ref: "#/channels/main"}\(operation)}}
    components: {securitySchemes: {\(schemes)}}
    """
  }

  private static let key = "protocol: wss, pathname: /v1, security: [{$ref: '#/components/securitySchemes/key'}]"
  private static let either = key.replacing("key'}]", with: "key'}, {$ref: '#/components/securitySchemes/user'}]")

  private func changes(_ old: String, _ new: String) throws -> [String] { try StructureTests.messages(old, new) }

  @Test func `another host or encryption of a server breaks nothing`() throws {
    let plain = Self.document(server: "protocol: ws, pathname: /v1/").replacing("example.com", with: "example.org")
    #expect(try changes(Self.document(), plain) == [])
  }

  @Test func `another protocol or path of the only server is a warning`() throws {
    #expect(
      try changes(Self.document(), Self.document(server: "protocol: mqtt, pathname: /v1"))
        == ["warning no server of before is left: was `ws /v1`, is `mqtt /v1` [diff.channel.server-removed]"])
    #expect(
      try changes(Self.document(), Self.document(server: "protocol: wss, pathname: /v2"))
        == ["warning no server of before is left: was `ws /v1`, is `ws /v2` [diff.channel.server-removed]"])
  }

  @Test func `AsyncAPI 2 and 3 of one server have no difference`() throws {
    let former = """
      asyncapi: 2.6.0
      info: {title: Chat, version: "1"}
      servers: {main: {url: "wss://example.com/v1", protocol: wss, security: [{key: []}]}}
      channels: {chat: {servers: [main], publish: {message: {name: say, payload: {type: string}}}}}
      components: {securitySchemes: {key: {type: httpApiKey, in: query, name: key}}}
      """
    #expect(try changes(former, Self.document(server: Self.key)) == [])
    #expect(try changes(Self.document(server: Self.key), former) == [])
  }

  @Test func `credentials that a server newly requires break clients`() throws {
    #expect(
      try changes(Self.document(), Self.document(server: Self.key))
        == ["error credentials are now required: `key` [diff.security.introduced]"])
    #expect(
      try changes(Self.document(server: Self.either), Self.document(server: Self.key))
        == ["error `user` is no longer accepted [diff.security.removed]"])
    #expect(
      try changes(Self.document(server: Self.key), Self.document(server: Self.either))
        == ["info `user` is now accepted [diff.security.added]"])
  }

  @Test func `credentials of an operation are judged beside the server's`() throws {
    let secured = ", security: [{$ref: '#/components/securitySchemes/user'}]"
    #expect(
      try changes(Self.document(), Self.document(operation: secured))
        == ["error credentials are now required: `user` [diff.security.introduced]"])
    #expect(try changes(Self.document(operation: secured), Self.document(operation: secured)) == [])
  }

  @Test func `another place of a key is another definition`() throws {
    let header = Self.document(server: Self.key, schemes: "key: {type: httpApiKey, in: header, name: key}")
    #expect(
      try changes(Self.document(server: Self.key, schemes: "key: {type: httpApiKey, in: query, name: key}"), header)
        == [
          "error the credentials `key` are now an API key in the header `key`, were an API key in the query parameter "
            + "`key` [diff.security.scheme-changed]"
        ])
  }

  @Test func `schemas of bindings are compared, and other members by their values`() throws {
    let narrow = ", bindings: {kafka: {key: {type: string, maxLength: 5}, bindingVersion: 0.4.0}}"
    let wide = ", bindings: {kafka: {key: {type: string}, bindingVersion: 0.5.0}}"
    #expect(
      try changes(Self.document(message: wide), Self.document(message: narrow))
        == [
          "error `key` of the binding `kafka` of the message `say`: `maxLength: 5` was added [diff.request.length]"
        ])
    #expect(
      try changes(Self.document(message: narrow), Self.document(message: wide)).allSatisfy { $0.hasPrefix("info") })
    let (once, twice) = (", bindings: {mqtt: {qos: 1}}", ", bindings: {mqtt: {qos: 2}}")
    #expect(
      try changes(Self.document(operation: once), Self.document(operation: twice))
        == [
          "warning the operation of the message `say` has another binding `mqtt`: `qos` is `2`, was `1` "
            + "[diff.channel.binding]"
        ])
    #expect(
      try changes(Self.document(), Self.document(operation: once))
        == ["info the operation of the message `say` now has the binding `mqtt` [diff.channel.binding]"])
  }
}
