import Testing
import UnderstudyTestSupport
import UnderstudyText

struct SourceFileTests {
  @Test(arguments: [
    ("↓abc", 1, 1), ("ab↓c", 1, 3), ("abc↓", 1, 4), ("a\n↓b", 2, 1), ("a\r\n↓b", 2, 1), ("a↓\r\nb", 1, 2),
    ("é↓b", 1, 2),
    ("x\n😀😀↓b", 2, 3), ("e\u{301}↓b", 1, 3), ("a\n\n\n↓", 4, 1), ("\n↓", 2, 1), ("↓", 1, 1),
  ])
  func `lines and columns count from one, columns by code points`(_ text: String, _ line: Int, _ column: Int) throws {
    let marked = MarkedText(text)
    let (source, offset) = (marked.source, try #require(marked.offsets.first))
    let position = source.position(of: offset)
    #expect(position.line == line && position.column == column)
    #expect(source.lineNumber(of: offset) == line)
  }

  @Test func `a location in joined files is in the file that has the offset`() {
    let files = ["a\nb", "", "c\nd"].enumerated().map { SourceFile(path: "\($0.offset)", text: $0.element) }
    let (two, second) = files[0].joined(with: files[1])
    let (all, third) = two.joined(with: files[2])
    #expect([second, third] == [4, 5])
    let places = [0..<1, 2..<3, 3..<3, 4..<4, 5..<6, 7..<8].map { Location(all, $0).description }
    #expect(places == ["0:1:1", "0:2:1", "0:2:2", "1:1:1", "2:1:1", "2:2:1"])
    #expect(Location(all).description == "0")
    #expect(all.bytes == files[0].bytes)
  }

  @Test func `a line of a longer text keeps its number`() {
    let source = SourceFile(path: "values.jsonl", bytes: Array("[1, x]".utf8), firstLine: 7)
    #expect(source.position(of: 4) == SourceFile(path: "", text: "\n\n\n\n\n\n[1, x]").position(of: 10))
    #expect(source.lineNumber(of: 4) == 7)
    #expect((6...8).map(source.line) == ["", "[1, x]", ""])
  }

  @Test func `a line of millions is counted and shown in part`() {
    let filler = String(repeating: "é", count: 1_500_000)
    let source = SourceFile(path: "one.json", text: filler + "x" + filler)
    let offset = filler.utf8.count
    #expect(source.position(of: offset).column == 1_500_001)
    #expect(source.position(of: offset * 2 + 1).column == 3_000_002)
    let (before, after) = source.surroundings(of: offset, limit: 3)
    #expect(before == ["é", "é", "é"] && after == ["x", "é", "é"])
  }

  @Test(arguments: [
    ("a\nb↓c\nd", "b", "c"), ("↓ab", "", "ab"), ("ab↓", "ab", ""), ("a\r\n↓\r\nb", "", ""), ("↓", "", ""),
  ])
  func `surroundings stay within their line`(_ text: String, before: String, after: String) throws {
    let marked = MarkedText(text)
    let found = try marked.source.surroundings(of: #require(marked.offsets.first), limit: 10)
    #expect(found.before == Array(before.unicodeScalars) && found.after == Array(after.unicodeScalars))
  }

  @Test func `offsets outside the text give its ends`() {
    let source = SourceFile(path: "text", text: "ab\ncd")
    #expect(source.position(of: -5).line == 1 && source.position(of: -5).column == 1)
    #expect(source.position(of: 99).line == 2 && source.position(of: 99).column == 3)
  }

  @Test func `lines have no line breaks, and missing lines are empty`() {
    let source = SourceFile(path: "text", text: "a\r\n😀\n\nlast")
    #expect((0...5).map(source.line) == ["", "a", "😀", "", "last", ""])
    #expect(SourceFile(path: "text", text: "\n").line(1).isEmpty)
    #expect(SourceFile(path: "text", bytes: [0x61, 0xFF]).line(1) == "a\u{FFFD}")
  }
}
