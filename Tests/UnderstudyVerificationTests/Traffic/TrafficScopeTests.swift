import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

struct TrafficScopeTests {
  private static func api(_ servers: String) throws -> API {
    try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: Test, version: "1"}
      servers: [\(servers)]
      paths: {/pets: {get: {responses: {"200": {description: Ok}}}}}
      """
    ).api
  }

  @Test(
    arguments: [
      // Named by a server.
      (#"{url: "https://api.example/v1"}"#, "https://api.example/v1/pets?a", "inside /v1/pets?a"),
      (#"{url: "https://api.example/v1"}"#, "http://API.example:80/v1/x", "inside /v1/x"),
      (#"{url: "https://api.example/v1"}"#, "https://api.example/v2/x", "perhaps /v2/x"),
      (#"{url: "https://api.example"}"#, "https://api.example", "inside /"),
      (#"{url: "https://api.example:8443"}"#, "https://api.example/x", "perhaps /x"),
      (#"{url: "https://{r}.example", variables: {r: {default: eu}}}"#, "https://us.west.example/x", "inside /x"),
      (#"{url: "https://{r}.example", variables: {r: {default: eu}}}"#, "https://.example/x", "perhaps /x"),
      // Named by none.
      (#"{url: "https://api.example/v1"}"#, "http://localhost:4010/v1/x", "inside /v1/x"),
      (#"{url: "https://api.example"}"#, "http://localhost:4010/x", "perhaps /x"),
      (#"{url: "/"}"#, "http://localhost:4010/x", "perhaps /x"),
      (#"{url: "/"}"#, "ws://localhost/x", "outside"), (#"{url: "/"}"#, "blob:https://h/x", "outside"),
      (#"{url: "/"}"#, "", "outside"),
    ])
  func `the host decides, then the base path`(_ servers: String, _ url: String, _ expected: String) throws {
    #expect(try Self.text(TrafficScope([Self.api(servers)]).membership(of: url)) == expected)
  }

  @Test(
    arguments: [
      ("http://h:1", "http://h:1/v1/pets", "inside /v1/pets"),
      ("http://h:1/api", "http://h:1/api/pets", "inside /v1/pets"),
      ("http://h:1/api", "http://h:1/apis/pets", "outside"), ("http://h:1", "http://h:2/v1/pets", "outside"),
      ("https://h", "https://H:443/v1/pets", "inside /v1/pets"), ("http://h/api", "http://h/api", "inside /v1/"),
    ])
  func `a named base is the only one, and its path stands for the contract's`(
    _ base: String, _ url: String, _ expected: String
  ) throws {
    let scope = try TrafficScope(
      [Self.api(#"{url: "https://api.example/v1"}"#)], bases: [#require(Upstream(base))])
    #expect(Self.text(scope.membership(of: url)) == expected)
  }

  @Test func `strictly, only a host that is named counts`() throws {
    let scope = try TrafficScope([Self.api(#"{url: "https://api.example/v1"}"#)], isStrict: true)
    #expect(Self.text(scope.membership(of: "http://localhost/v1/pets")) == "outside")
    #expect(!scope.isEmpty)
    #expect(try TrafficScope([Self.api(#"{url: /v1}"#)], isStrict: true).isEmpty)
  }

  @Test func `everything that a mock recorded is its own`() throws {
    let scope = try TrafficScope([Self.api(#"{url: "https://api.example"}"#)])
    #expect(Self.text(scope.membership(of: "http://localhost:4010/x", isOwn: true)) == "inside /x")
  }

  private static func text(_ membership: TrafficScope.Membership) -> String {
    switch membership {
    case .inside(let target): "inside \(target)"
    case .perhaps(let target, _): "perhaps \(target)"
    case .outside: "outside"
    }
  }
}
