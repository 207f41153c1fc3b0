import Testing
import UnderstudyServer

@Suite struct ReceivedTargetTests {
  @Test(arguments: [
    ("/a/b?c=d", nil, "/a/b?c=d"), ("*", nil, "*"), ("//a/b", nil, "//a/b"),
    ("/a?u=http://b/c", nil, "/a?u=http://b/c"),
    ("http://host:80/a?b", "host:80", "/a?b"), ("https://host", "host", "/"), ("http://host?a", "host", "/?a"),
    ("a:b", nil, "a:b"), ("", nil, ""),
  ])
  func `a target has a path, and in its absolute form an authority`(target: String, authority: String?, path: String) {
    let parsed = ReceivedTarget(target)
    #expect(parsed.path == path)
    #expect(parsed.authority == authority)
  }
}
