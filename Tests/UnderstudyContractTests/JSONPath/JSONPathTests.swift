import Testing
import UnderstudyContract

struct JSONPathTests {
  /// The document of RFC 9535, section 1.5.
  private static let store = """
    {"store": {"book": [
      {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
      {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
      {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
      {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99}],
      "bicycle": {"color": "red", "price": 399}}}
    """

  private func paths(_ query: String, in text: String) throws -> [String] {
    let nodes = try JSONPath(query).nodes(in: JSON(parsing: text))
    return try #require(nodes).map { JSONPath.normalized($0) }
  }

  @Test(arguments: [
    ("$.store.book[*].title", [0, 1, 2, 3].map { "$['store']['book'][\($0)]['title']" }),
    ("$..author", [0, 1, 2, 3].map { "$['store']['book'][\($0)]['author']" }),
    ("$.store.*", ["$['store']['book']", "$['store']['bicycle']"]),
    ("$.store..price", [0, 1, 2, 3].map { "$['store']['book'][\($0)]['price']" } + ["$['store']['bicycle']['price']"]),
    ("$..book[2]", ["$['store']['book'][2]"]), ("$..book[2].publisher", []),
    ("$..book[-1]", ["$['store']['book'][3]"]),
    ("$..book[0,1]", ["$['store']['book'][0]", "$['store']['book'][1]"]),
    ("$..book[:2]", ["$['store']['book'][0]", "$['store']['book'][1]"]),
    ("$..book[?@.isbn]", ["$['store']['book'][2]", "$['store']['book'][3]"]),
    ("$..book[?@.price<10]", ["$['store']['book'][0]", "$['store']['book'][2]"]),
    ("$.store.bicycle['color', \"price\"]", ["$['store']['bicycle']['color']", "$['store']['bicycle']['price']"]),
    (
      "$..book[?match(@.author, '[A-Z][a-z]+ [A-Z][a-z]+')].price",
      [0, 1, 2].map { "$['store']['book'][\($0)]['price']" }
    ),
    ("$..book[?search(@.title, 'Ring')]['title']", ["$['store']['book'][3]['title']"]),
    ("$.store[?length(@) == 2]", ["$['store']['bicycle']"]),
    ("$[?count(@..price) > 4]", ["$['store']"]), ("$[?value(@..color) == 'red']", ["$['store']"]),
  ])
  func `the examples of the RFC select these nodes`(query: String, expected: [String]) throws {
    #expect(try paths(query, in: Self.store) == expected)
  }

  /// The array of section 2.3.4.3.
  @Test(arguments: [
    ("$[1:3]", [1, 2]), ("$[5:]", [5, 6]), ("$[1:5:2]", [1, 3]), ("$[5:1:-2]", [5, 3]),
    ("$[::-1]", [6, 5, 4, 3, 2, 1, 0]),
    ("$[-2:]", [5, 6]), ("$[::0]", []), ("$[:-5]", [0, 1]), ("$[-100:100:3]", [0, 3, 6]),
    ("$[9007199254740991:-9007199254740991:-9007199254740991]", [6]),
  ])
  func `slices count from both ends and in both directions`(query: String, expected: [Int]) throws {
    #expect(try paths(query, in: #"["a","b","c","d","e","f","g"]"#) == expected.map { "$[\($0)]" })
  }

  /// The table of section 2.3.5.3.
  @Test(arguments: [
    ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true), ("$.absent == 'g'", false),
    ("$.absent1 != $.absent2", false), ("$.absent != 'g'", true), ("1 <= 2", true), ("1 > 2", false),
    ("13 == '13'", false),
    ("'a' <= 'b'", true), ("'a' > 'b'", false), ("$.obj == $.arr", false), ("$.obj != $.arr", true),
    ("$.obj == $.obj", true),
    ("$.obj != $.obj", false), ("$.arr == $.arr", true), ("$.obj == 17", false), ("$.obj <= $.arr", false),
    ("$.obj < $.arr", false), ("$.obj <= $.obj", true), ("$.arr <= $.arr", true), ("1 <= $.arr", false),
    ("1 >= $.arr", false),
    ("1 > $.arr", false), ("1 < $.arr", false), ("true <= true", true), ("true > true", false), ("1 == 1.0e0", true),
    ("-0 == 0", true), ("!($.obj == 17) && ($.absent || $.arr)", true), ("!$.absent", true),
  ])
  func `comparisons follow the table of the RFC`(condition: String, holds: Bool) throws {
    let selected = try paths("$.list[?\(condition)]", in: #"{"obj": {"x": "y"}, "arr": [2, 3], "list": [0]}"#)
    #expect(selected.isEmpty != holds)
  }

  @Test(arguments: [
    ("", "expected `$` at the start of a JSONPath", 0), ("a.b", "expected `$` at the start of a JSONPath", 0),
    ("$.", "expected a name, `*` or `[`", 2), ("$.a ", "expected `.`, `[` or the end of the JSONPath", 3),
    ("$[a]", "expected a name in quotes, an index, a slice, `*` or `?`", 2),
    ("$[01]", "expected a name in quotes, an index, a slice, `*` or `?`", 2),
    ("$[-0]", "`-0` is not a valid index", 2), ("$[9007199254740992]", "`9007199254740992` is not a valid index", 2),
    ("$['a]", "the string has no end: expected `'`", 2),
    ("$['\\u12']", "expected four hexadecimal digits after `\\u`", 3),
    ("$['\\uD800']", "expected the second half of a surrogate pair", 3), ("$['\\\"']", "unknown escape in a string", 3),
    ("$[?@.a==@.*]", "this query may select several nodes: expected names and indices alone", 8),
    ("$[?1]", "a value is not a condition: expected a comparison such as `== 1`", 3),
    ("$[?!@.a==1]", "a comparison after `!` needs parentheses", 7),
    ("$[?size(@)==1]", "unknown function `size`: expected length, count, match, search or value", 3),
    ("$[?count(1)==1]", "`count` takes a query", 9), ("$[?match(@.a)]", "`match` takes 2 arguments, found 1", 3),
    ("$[?match(@.a,'a')==true]", "the result of `match` and `search` cannot be compared", 3),
    ("$[?(@.a]", "expected `)`", 7),
  ])
  func `a query that breaks the grammar has a problem with its position`(query: String, message: String, offset: Int) {
    let problem = #expect(throws: TextProblem.self) { try JSONPath(query) }
    #expect(problem?.message == message)
    #expect(problem?.range.lowerBound == offset)
  }

  @Test(arguments: [
    String(repeating: "(", count: 100_000), String(repeating: "@[?", count: 3_000),
    String(repeating: "length(", count: 1_000), String(repeating: "!(", count: 1_000),
  ])
  func `deep and long queries are refused`(filter: String) {
    let problem = #expect(throws: TextProblem.self) { try JSONPath("$[?\(filter)") }
    #expect(problem?.kind == .limit)
  }

  @Test func `an evaluation ends at its limit, and at its budget`() throws {
    let value = try JSON(parsing: "[" + Array(repeating: "[1,2,3,4,5,6,7,8]", count: 200).joined(separator: ",") + "]")
    let query = "$" + String(repeating: "[?$..*", count: 5) + String(repeating: "]", count: 5)
    #expect(try JSONPath(query).nodes(in: value) == nil)
    #expect(try JSONPath("$..*").nodes(in: value)?.count == 1_800)
    let budget = WorkBudget(1_000)
    #expect(try JSONPath("$..*").nodes(in: value, within: budget) == nil)
    #expect(budget.isExceeded)
  }

  @Test(
    arguments: [
      ("$.a['b'][0]", "/a/b/0"), ("$", ""), ("$['a/b']", "/a~1b"), ("$[-1]", nil), ("$..a", nil), ("$.a[*]", nil),
      ("$['a','b']", nil),
    ] as [(String, String?)])
  func `a query of names and indices is a pointer`(query: String, pointer: String?) throws {
    #expect(try JSONPath(query).pointer?.description == pointer)
  }

  @Test(arguments: [
    ("\\d+", "`\\d` is not part of I-Regexp (RFC 9485): expected a class such as `[0-9]`"),
    ("a{", "expected a number after `{`"),
    ("[]", "an empty class"), ("[a", "`[` without `]`"), ("*", "nothing to repeat before `*`"),
    ("(a", "`(` without `)`"),
    ("(?=a)", "nothing to repeat before `?`"), ("\\p{Greek}", "`Greek` is not a general category of Unicode"),
    ("[a--]", "expected a character after `-`"), ("a}", "`}` needs a backslash"),
  ])
  func `a pattern that is no I-Regexp never matches, and the query says why`(pattern: String, reason: String) throws {
    let text = pattern.replacing("\\", with: "\\\\")
    let query = try JSONPath("$[?search(@, '\(text)')]")
    #expect(query.brokenPatterns.map(\.reason) == [reason])
    #expect(query.nodes(in: ["1", "a", "a}"])?.count == 0)
  }

  @Test(arguments: [
    ("[0-9]{2,}", "123", true), ("a.c", "a\u{2028}c", true), ("a.c", "a\nc", false), ("a\\-b", "a-b", true),
    ("[\\-a]", "-", true), ("[-a]", "-", true), ("[a-]", "-", true), ("[^\\p{Lu}]", "x", true),
    ("[^\\p{Lu}]", "X", false),
    ("(a|b)*", "abba", true), ("a/b", "a/b", true), ("ab", "abc", false), ("[a^]", "^", true),
  ])
  func `I-Regexps match whole strings`(pattern: String, text: String, isMatch: Bool) throws {
    let query = try JSONPath("$[?match(@, '\(pattern.replacing("\\", with: "\\\\"))')]")
    #expect(query.brokenPatterns.isEmpty)
    #expect(query.nodes(in: [.string(text)])?.count == (isMatch ? 1 : 0))
  }
}
