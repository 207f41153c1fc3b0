import Testing
import UnderstudyTestSupport

@testable import UnderstudyImport

struct PathPatternTests {
  @Test(arguments: [
    ("/users/[0-9]+", "/users/{p2:[0-9]+}"), ("/users/[^/]+/posts", "/users/{p2}/posts"), ("/a\\.b", "/a.b"),
    ("/users/.*", "/*"), (".*", "/*"),
  ]) func `an expression becomes the path of a route`(expression: String, route: String) throws {
    #expect(try #require(PathPattern(expression: expression)).route == route)
  }
}
