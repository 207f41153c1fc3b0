import Testing
import UnderstudyMock

struct MediaRangeTests {
  @Test(arguments: [
    ("application/json", "application/json", true),
    ("Application/JSON", "application/json", true),
    ("application/json", "APPLICATION/json; charset=UTF-8", true),
    ("application/json; charset=utf-8", "application/json; Charset=\"UTF-8\"", true),
    ("application/json; charset=utf-8", "application/json", false),
    ("application/json; version=2", "application/json; version=2; charset=utf-8", true),
    ("application/json; version=2", "application/json; version=3", false),
    ("application/json; version=A", "application/json; version=a", false),
    ("multipart/form-data; boundary=x", "multipart/form-data; boundary=y", true),
    ("application/json", "application/problem+json", false),
    ("application/*+json", "application/problem+json", true),
    ("application/*+json", "application/json", false),
    ("application/*+json", "application/+json", false),
    ("text/*", "text/plain", true), ("text/*", "image/png", false),
    ("*/*", "image/png", true), ("*", "image/png", true),
  ])
  func `a key matches the types of its range`(key: String, actual: String, matches: Bool) throws {
    #expect(try #require(MediaRange(key)).matches(#require(MediaRange(actual))) == matches)
  }

  @Test(arguments: [
    (["*/*", "text/*", "text/plain"], "text/plain", 2),
    (["text/plain", "text/*", "*/*"], "text/plain", 0),
    (["*/*", "text/*"], "text/plain; charset=utf-8", 1),
    (["application/json", "application/json; version=2"], "application/json; version=2", 1),
    (["application/json", "application/json; version=2"], "application/json; version=3", 0),
    (["*/*", "application/*", "application/*+json", "application/hal+json"], "application/problem+json", 2),
    (["text/plain", "text/plain"], "text/plain", 0),
  ])
  func `only the most specific key applies`(keys: [String], actual: String, index: Int) throws {
    #expect(
      try MediaRange.mostSpecific(of: keys.compactMap { MediaRange($0) }, for: #require(MediaRange(actual))) == index)
  }

  @Test func `no key may fit`() throws {
    let keys = [try #require(MediaRange("application/json"))]
    #expect(try MediaRange.mostSpecific(of: keys, for: #require(MediaRange("text/html"))) == nil)
  }

  @Test(arguments: ["", "json", "/json", "text/", "*/json", "text/pl ain", "a/b/c", ";", "text/plain,text/html"])
  func `anything else is not a media type`(text: String) {
    #expect(MediaRange(text) == nil)
  }

  @Test func `parameters are read and written back`() throws {
    let range = try #require(MediaRange("Multipart/Form-Data ; Boundary=\"a;\\\"b\" ;x"))
    #expect(range.essence == "multipart/form-data")
    #expect(range["boundary"] == "a;\"b")
    #expect(range.description == "multipart/form-data; boundary=\"a;\\\"b\"")
  }

  @Test(arguments: [
    ("application/json", MediaRange.Syntax.json), ("application/problem+json", .json), ("text/json", .json),
    ("application/jsonl", .jsonSequence), ("application/json-seq", .jsonSequence),
    ("text/event-stream", .eventStream), ("application/x-www-form-urlencoded", .form), ("multipart/mixed", .multipart),
    ("image/svg+xml", .xml), ("text/xml", .xml), ("text/html", .text), ("image/png", .binary),
  ])
  func `a suffix selects the syntax`(type: String, syntax: MediaRange.Syntax) throws {
    #expect(try #require(MediaRange(type)).syntax == syntax)
  }
}
