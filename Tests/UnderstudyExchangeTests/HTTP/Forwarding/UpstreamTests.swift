import Testing
import UnderstudyMock

struct UpstreamTests {
  @Test(arguments: [
    ("http://localhost:8080", "http://localhost:8080", "localhost"),
    ("https://API.example.com/v2/", "https://API.example.com/v2", "api.example.com"),
    ("http://[::1]:8080/a/b", "http://[::1]:8080/a/b", "[::1]"),
    ("HTTP://localhost/", "http://localhost", "localhost"),
  ])
  func `a base URL is read`(text: String, url: String, host: String) throws {
    let upstream = try #require(Upstream(text))
    #expect(upstream.url == url)
    #expect(upstream.host == host)
  }

  @Test(arguments: [
    "", "localhost", "localhost:8080", "//localhost", "ftp://localhost", "http://", "http://:80", "http:///path",
    "http://user:word@localhost", "http://localhost?a=1", "http://localhost#a", "http://localhost:port",
    "http://localhost:", "http://localhost:0", "http://localhost:65536", "http://local host", "http://h\r\nX: 1",
  ])
  func `an invalid base URL is refused`(text: String) {
    #expect(Upstream(text) == nil)
  }

  @Test(arguments: [
    ("https://api.example.com/x", true), ("https://API.example.com:443", true), ("//api.example.com", true),
    ("http://api.example.com", false), ("https://api.example.com:8443", false), ("https://example.com", false),
    ("/path", false),
  ])
  func `the same origin is the same scheme, host and port`(text: String, isOrigin: Bool) throws {
    let upstream = try #require(Upstream("https://api.example.com/v2"))
    #expect(upstream.isOrigin(of: URIReference(text)) == isOrigin)
  }
}
