import Testing
import UnderstudySchema

struct YAMLRepairsTests {
  private static func read(_ text: String) throws -> JSON {
    try YAMLReader.parse(SourceFile(path: "a.yaml", text: text)).root
  }

  @Test(arguments: [
    ("a: |-\n    \t\n    text\nb: 1\n", "\t\ntext"), ("a: |\n  \tone\n  two\nb: 1\n", "\tone\ntwo\n"),
    ("a: |-\n\n    \t\tdeep\n    text\nb: 1\n", "\n\t\tdeep\ntext"),
    // A line that starts with white space is not folded (YAML 1.2.2, 8.1.3).
    ("a: >-\n    \tone\n    two\n    three\nb: 1\n", "\tone\ntwo three"),
  ])
  func `a tab may follow the indentation of a block scalar's first line`(text: String, value: String) throws {
    let root = try Self.read(text)
    #expect(root["a"]?.string == value)
    #expect(root["b"]?.int == 1)
  }

  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}"])
  func `a line break of YAML 1-1 is text`(character: String) throws {
    let root = try Self.read(
      "a: |-\n  one\(character)two\nb: x\(character)y\nc: \"x\(character)y\"\n\"k\(character)\": 1\n")
    #expect(root["a"]?.string == "one\(character)two")
    #expect(root["b"]?.string == "x\(character)y")
    #expect(root["c"]?.string == "x\(character)y")
    #expect(root["k\(character)"]?.int == 1)
  }

  @Test func `positions behind a repair are those of the file`() throws {
    let text = "a: |-\n    \t\n    x\u{2028}y\nb: [1, 2]\n"
    let root = try Self.read(text)
    let range = try #require(root["b"]?[1]?.range)
    #expect(Array(text.utf8)[range].elementsEqual("2".utf8))
  }

  @Test(arguments: ["k:\n  a: |\n  \tb: 1\n", "a: |\n\ttext\n", "a:\n\tb: 2\n"])
  func `a tab in the place of indentation is still refused`(text: String) {
    let problem = #expect(throws: TextProblem.self) { _ = try Self.read(text) }
    #expect(problem?.message == "expected spaces, found a tab")
  }
}
