import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct WrongStyleTests {
  static let tags: JSON = ["type": "array", "items": ["type": "string"]]
  static let numbers: JSON = ["type": "array", "items": ["type": "integer"]]

  static func problems(
    _ wire: String, _ schema: JSON, explode: Bool = true, isRequired: Bool = true
  ) -> [DecodingProblem] {
    let parameter = Parameter("tag", in: .query, isRequired: isRequired, explode: explode, schema: schema)
    let other = Parameter("tagged", in: .query)
    return OperationParameters([parameter, other], specification: .openAPI31, schemas: .of(.openAPI31))
      .decode(ParameterInput(target: "/?" + wire))[0].problems
  }

  @Test(arguments: [
    (
      "tag[]=a", "tag[]",
      "the query parameter `tag` was sent with brackets, as `tag[]=`; expected the key alone, again for each item: `tag=a&tag=b`"
    ),
    (
      "tag%5B%5D=a&tag%5B%5D=b", "tag[]",
      "the query parameter `tag` was sent with brackets, as `tag[]=`; expected the key alone, again for each item: `tag=a&tag=b`"
    ),
    (
      "tag[0]=a", "tag[0]",
      "the query parameter `tag` was sent with brackets, as `tag[0]=`; expected the key alone, again for each item: `tag=a&tag=b`"
    ),
    (
      "tag=[%22a%22]", "tag",
      "the query parameter `tag` holds a JSON array as text; expected the key again for each item: `tag=a&tag=b`"
    ),
    ("", "tag", "the query parameter `tag` is required and missing"),
    ("Tag=a", "tag", "the query parameter `tag` is required and missing; `Tag` was sent, but names are case-sensitive"),
    ("tga=a", "tag", "the query parameter `tag` is required and missing; `tga` was sent: was `tag` meant?"),
    ("tagged=a", "tag", "the query parameter `tag` is required and missing"),
  ])
  func `lists that were sent in another way are recognised`(wire: String, key: String, sentence: String) throws {
    let problem = try #require(Self.problems(wire, Self.tags).first)
    #expect(problem.sentence == sentence)
    #expect(problem.key == key)
    #expect(!problem.isRecovered)
  }

  @Test(arguments: [
    "[%22a%22", "[\\%22a\\%22]", "%5B'a',%20'b'%5D", "Optional([%22Swift%22])", "Optional(%22a%22)",
  ])
  func `the text that a program prints for a list is refused`(wire: String) throws {
    let problem = try #require(Self.problems("tag=\(wire)", Self.tags).first)
    #expect(
      problem.sentence
        == "the query parameter `tag` holds a list as a program prints it; expected the key again for each item: `tag=a&tag=b`"
    )
    #expect(problem.kind == .style && !problem.isRecovered)
  }

  @Test(arguments: ["(a%20b)", "%28%0A%20a,%0A%20b%0A%29", "[a, b]", "[a]"])
  func `words in brackets are perhaps a list`(wire: String) throws {
    let found = Self.problems("tag=\(wire)", Self.tags)
    #expect(found.map(\.isRecovered) == [true])
    #expect(found.first?.sentence.hasSuffix("`tag=a&tag=b` (read as one item)") == true)
    #expect(Self.problems("tag=\(wire)&tag=c", Self.tags).isEmpty)
  }

  @Test(arguments: ["a(b)", "(a", "a]", "Optional", "%22a%22"])
  func `a word with a bracket in it is a word`(wire: String) {
    #expect(Self.problems("tag=\(wire)", Self.tags).isEmpty)
  }

  @Test func `commas are certainly wrong between numbers, and perhaps between words`() throws {
    let certain = try #require(Self.problems("tag=1,2", Self.numbers).first)
    #expect(certain.kind == .style && !certain.isRecovered)
    let likely = try #require(Self.problems("tag=a,b", Self.tags).first)
    #expect(likely.kind == .style && likely.isRecovered)
    #expect(Self.problems("tag=Seoul,+Korea", Self.tags).isEmpty)
    #expect(Self.problems("tag=a%2Cb", Self.tags).isEmpty)
  }

  @Test func `a key that repeats where one value is declared`() throws {
    let problem = try #require(Self.problems("tag=a&tag=b", Self.tags, explode: false).first)
    #expect(problem.sentence == "the query parameter `tag` repeats its key; expected one value: `tag=a,b`")
  }

  @Test func `brackets for an object are reported with its style`() {
    let object: JSON = ["type": "object", "properties": ["R": ["type": "integer"], "G": ["type": "integer"]]]
    let start = "the query parameter `tag` was sent with brackets, as `tag[R]=`; expected "
    #expect(
      Self.problems("tag[R]=1", object).map(\.sentence) == [start + "a key for each member, without `tag`: `R=&G=`"])
    #expect(
      Self.problems("tag[R]=1", object, explode: false).map(\.sentence)
        == [start + "the key alone, with alternating names and values: `tag=R,100,G,200`"])
  }

  @Test func `brackets are a problem even where the parameter is optional`() {
    #expect(Self.problems("tag[]=a", Self.tags, isRequired: false).map(\.kind) == [.style])
    #expect(Self.problems("", Self.tags, isRequired: false).isEmpty)
  }

  @Test func `hostile queries cost little`() {
    let many = String(repeating: "a=b&", count: 20_000)
    #expect(WirePairs(Query(Array(many.utf8))).isTruncated)
    #expect(Query(Array(many.utf8)).pairs.count == Query.pairLimit)
    #expect(Self.problems(String(repeating: "&=", count: 50_000), Self.tags).map(\.kind) == [.missing])
    #expect(Self.problems("tag=" + String(repeating: "[", count: 50_000), Self.tags).isEmpty)
  }
}
