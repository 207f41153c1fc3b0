import Testing
import UnderstudyMock

struct BasePathsTests {
  @Test(arguments: [
    ("/", [""]), ("", [""]), ("https://h", [""]), ("https://h/v1/", ["/v1"]), ("https://h/v1", ["/v1"]),
    ("/v1", ["/v1"]), ("v1", ["/v1"]), ("./v1", ["/v1"]), (".", [""]), ("../v1", ["/v1"]), ("//h/v1", ["/v1"]),
    ("https://h/a/../b", ["/b"]), ("https://h/v1?x=1#y", ["/v1"]), ("http://h:8080/a%20b", ["/a%20b"]),
  ])
  func `the base path is the path of the server's URL`(url: String, paths: [String]) {
    #expect(BasePaths.from(Server(url)) == paths)
  }

  @Test func `variables give one base path for each value, the default first`() {
    let version = Server.Variable("version", default: "v2", values: ["v1", "v2", "v3"])
    let port = Server.Variable("port", default: "443", values: ["443", "8443"])
    let base = Server.Variable("base", default: "https://h/x", values: [])
    func paths(_ url: String) -> [String] {
      BasePaths.from(Server(url, variables: [port, version, base]))
    }
    #expect(paths("https://h:{port}/{version}") == ["/v2", "/v1", "/v3"])
    #expect(paths("{base}/{version}") == ["/x/v2", "/x/v1", "/x/v3"])
    #expect(paths("//{port}.h/a") == ["/a"])
    #expect(paths("https://h/{unknown}") == ["/{unknown}"])
  }

  @Test func `expansion is bounded, and equal paths of several servers are one`() {
    let digits = (0..<10).map(String.init)
    let variables = "abcd".map { Server.Variable(String($0), default: "0", values: digits) }
    let large = Server("/{a}{b}{c}{d}", variables: variables)
    #expect(BasePaths.from(large).count == BasePaths.expansionLimit)
    let servers = ["https://a/v1", "http://b/v1/", "/"].map { Server($0) }
    #expect(BasePaths.from(servers) == ["/v1", ""])
  }
}
