import Testing
import UnderstudySchema

struct JSONPointerTests {
  /// The document of RFC 6901, section 5.
  static let document: JSON = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
  ]

  @Test(
    arguments: [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
      ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func `pointers find the values of RFC 6901`(_ text: String, _ expected: JSON) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(Self.document[pointer] == expected)
    #expect(pointer.description == text)
  }

  /// Section 6.
  @Test(
    arguments: [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%25d", 2), ("/e%5Ef", 3),
      ("/g%7Ch", 4), ("/i%5Cj", 5), ("/k%22l", 6), ("/%20", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func `fragments find the values of RFC 6901`(_ text: String, _ expected: JSON) throws {
    #expect(Self.document[try #require(JSONPointer(fragment: text))] == expected)
  }

  @Test(arguments: ["foo", "/a~", "/a~2", "/~x"]) func `an invalid pointer is refused`(_ text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test(arguments: [
    "/foo/00", "/foo/01", "/foo/+1", "/foo/-", "/foo/2", "/foo/99999999999999999999", "/foo/", "/foo/0/x", "/x",
  ])
  func `a pointer without a target finds nothing`(_ text: String) throws {
    #expect(Self.document[try #require(JSONPointer(text))] == nil)
  }

  @Test func `an escaped tilde does not start another escape`() {
    #expect(JSONPointer("/~01")?.tokens == ["~1"])
    #expect(JSONPointer(["~1/"]).description == "/~01~1")
  }

  @Test func `every value and key has its pointer`() throws {
    let document = try JSONParser.parse(Array(#"{"a/b":[0,[1],{"c":2}],"d":3}"#.utf8))
    let pointers = document.nodes.indices.map { JSON(document: document, index: $0).pointer.description }
    #expect(
      pointers == [
        "", "/a~1b", "/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b/1/0", "/a~1b/2", "/a~1b/2/c", "/a~1b/2/c", "/d", "/d",
      ])
  }
}
