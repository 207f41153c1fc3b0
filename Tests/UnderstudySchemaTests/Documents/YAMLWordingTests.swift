import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct YAMLWordingTests {
  @Test(arguments: [
    ("a: 1\n↓\t↑b: 2", "expected spaces, found a tab"),
    ("a:\n↓\t↑b: 2", "expected spaces, found a tab"),
    ("a: b↓:↑ c", "a `:` after a key is not allowed here"),
    ("description: Note↓:↑ this", "a `:` after a key is not allowed here"),
    ("a: ↓\"↑open\nb: 1\n", "a quoted string is not closed"),
    ("a: ↓'↑open\nb: 1\n", "a quoted string is not closed"),
    ("a: ↓@↑x", "a value cannot start with `@`"),
    ("a: ↓`↑x`", "a value cannot start with ```"),
    ("a: ↓%↑x", "a value cannot start with `%`"),
    ("a:\n  b: 1\n ↓c↑: 2", "expected a key of the mapping that starts in line 1, found `c`"),
    ("\na: [1, 2\nb↓:↑ 3", "expected `,` or `]` of the list that starts in line 2, found `:`"),
    ("\na: {x: 1\nb↓:↑ 3", "expected `,` or `}` of the mapping that starts in line 2, found `:`"),
    ("a: [1, 2↓↑", "expected `,` or `]` of the list that starts in line 1, found the end of the text"),
    ("- a\n↓b↑: 1", "expected a `- ` of the list that starts in line 1, found `b`"),
    ("a: 'x' ↓y↑", "expected a key of the mapping that starts in line 1, found `y`"),
    ("a: 1\n↓b↑\nc: 2", "expected `:` after this key"),
    ("a: *↓ ↑x", "expected a name of letters, digits, `-` and `_`, found a space"),
    ("a: \"↓\\↑q\"", "a string in double quotes contains an unknown escape"),
    ("a: ↓!↑e!x y", "a tag uses a prefix that no %TAG line declares"),
    ("↓%↑YAML 1.3\n---\na", "the %YAML line names a version other than 1.1 and 1.2"),
    ("↓%↑FOO\n---\na", "expected %YAML or %TAG; no other line may start with `%`"),
    ("é😀: a↓\u{1}↑b", "the character U+0001 is not allowed in YAML"),
    ("a: b↓\0↑", "the character U+0000 is not allowed in YAML"),
    ("\u{FEFF}é: ↓\u{7}↑", "the character U+0007 is not allowed in YAML"),
    ("a: ↓- b", "`-` is not allowed to start a list item here"),
  ])
  func `common errors have a message and a position`(_ text: String, _ message: String) throws {
    let marked = MarkedText(text)
    let found = try #require(throws: TextProblem.self) { try YAMLReader.parse(marked.source) }
    #expect(found.message == message)
    #expect([found.range.lowerBound] == marked.offsets)
  }
}
