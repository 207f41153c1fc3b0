import HTTPTypes
import Testing
import UnderstudyMock

struct URLRewriterTests {
  private static func map(_ upstream: String, _ request: HTTPRequest, bases: [String] = ["/v1"]) throws -> URLRewriter {
    URLRewriter(try #require(Upstream(upstream)), request, bases: bases.map { Array($0.utf8) })
  }

  private static func request(_ path: String, _ fields: HTTPFields = HTTPFields()) -> HTTPRequest {
    HTTPRequest(method: .get, scheme: nil, authority: "localhost:4010", path: path, headerFields: fields)
  }

  private static func answer(_ name: HTTPField.Name, _ values: String...) -> HTTPResponse {
    HTTPResponse(status: .ok, headerFields: HTTPFields(values.map { HTTPField(name: name, value: $0) }))
  }

  // MARK: - Targets

  @Test(arguments: [
    ("http://up", "/v1/pets?a=%2F", "/v1/pets?a=%2F"),
    ("http://up/api", "/v1/pets?a=%2F", "/api/pets?a=%2F"),
    ("http://up/api", "/%761/pets", "/api/pets"),
    ("http://up/api", "/v10/pets", "/api/v10/pets"),
    ("http://up/api", "/pets", "/api/pets"),
    ("http://up/api", "/v1", "/api/v1"),
    ("http://up/api", "/v1/../pets", "/api/../pets"),
  ])
  func `the upstream's path replaces the contract's base path`(upstream: String, path: String, target: String) throws {
    let request = Self.request(path)
    let outbound = try Self.map(upstream, request).outbound(request)
    #expect(outbound.path == target)
    #expect(outbound.authority == "up")
    #expect(outbound.scheme == "http")
  }

  @Test func `the longest base path counts`() throws {
    let request = Self.request("/v1/admin/users")
    #expect(try Self.map("http://up/api", request, bases: ["/v1", "/v1/admin"]).outbound(request).path == "/api/users")
  }

  // MARK: - Fields

  @Test func `fields of one connection are not forwarded`() throws {
    let request = Self.request(
      "/v1/pets",
      [
        .connection: "keep-alive, X-Hop, Cache-Control", HTTPField.Name("X-Hop")!: "1", .cacheControl: "no-store",
        HTTPField.Name("Keep-Alive")!: "300", HTTPField.Name("Proxy-Connection")!: "keep-alive", .te: "trailers",
        .trailer: "X-Sum", .transferEncoding: "chunked", .upgrade: "websocket", .proxyAuthorization: "Basic eA==",
        .expect: "100-continue", .contentLength: "3", .authorization: "Bearer t", .accept: "*/*",
      ])
    let fields = try Self.map("http://up", request).outbound(request).headerFields
    #expect(fields.map(\.name.canonicalName).sorted() == ["accept", "authorization", "via"])
    #expect(fields[.via] == "1.1 understudy")
  }

  @Test func `the upstream does not learn the address of the client`() throws {
    let request = Self.request("/v1/pets")
    let names = try Self.map("http://up", request).outbound(request).headerFields.map(\.name.canonicalName)
    #expect(names == ["via"])
  }

  @Test(arguments: [(4, false), (5, true)])
  func `a request that came through too many proxies goes in circles`(count: Int, isLoop: Bool) {
    let lines = [String](repeating: "1.1 understudy", count: count - 1).joined(separator: ", ")
    var request = Self.request("/", [.via: lines])
    request.headerFields.append(HTTPField(name: .via, value: "1.1 understudy, 1.1 other"))
    #expect(URLRewriter.isLoop(request) == isLoop)
  }

  @Test(arguments: [
    ("http://up/api/pets/7?a=1#b", "http://localhost:4010/v1/pets/7?a=1#b"),
    ("http://UP:80/api", "http://localhost:4010/v1"),
    ("//up/api/pets", "http://localhost:4010/v1/pets"),
    ("/api/pets", "/v1/pets"),
    ("/apis/pets", "/apis/pets"),
    ("pets/7", "pets/7"),
    ("https://up/api/pets", "https://up/api/pets"),
    ("http://elsewhere/api/pets", "http://elsewhere/api/pets"),
  ])
  func `a redirect leads back through the proxy`(location: String, seen: String) throws {
    let map = try Self.map("http://up/api", Self.request("/v1/pets"))
    #expect(map.inbound(Self.answer(.location, location)).headerFields[.location] == seen)
    #expect(map.inbound(Self.answer(.contentLocation, location)).headerFields[.contentLocation] == seen)
  }

  @Test func `without a Host a redirect keeps its path only`() throws {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/pets")
    let map = try Self.map("http://up", request)
    #expect(map.inbound(Self.answer(.location, "http://up/pets/7")).headerFields[.location] == "/pets/7")
  }

  @Test(arguments: [
    ("s=1; Domain=api.example.com; Path=/api; HttpOnly", "s=1; Path=/v1; HttpOnly"),
    ("s=1; domain=.Example.com", "s=1"),
    ("s=1; Domain=other.com", "s=1; Domain=other.com"),
    ("s=1; Domain=ample.com", "s=1; Domain=ample.com"),
    ("s=Domain=api.example.com", "s=Domain=api.example.com"),
    ("s=1; Path=/; Secure; SameSite=Lax", "s=1; Path=/; SameSite=Lax"),
    ("__Host-s=1; Path=/; Secure", "__Host-s=1; Path=/; Secure"),
    ("s=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "s=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT"),
  ])
  func `a cookie of the upstream is rewritten for the client`(cookie: String, seen: String) throws {
    let map = try Self.map("https://api.example.com/api", Self.request("/v1/pets"))
    #expect(map.inbound(Self.answer(.setCookie, cookie)).headerFields[.setCookie] == seen)
  }

  @Test func `every cookie of an answer is kept, in order`() throws {
    let map = try Self.map("http://up", Self.request("/"))
    let fields = map.inbound(Self.answer(.setCookie, "a=1; Domain=up", "b=2")).headerFields
    #expect(fields[values: .setCookie] == ["a=1", "b=2"])
  }
}
