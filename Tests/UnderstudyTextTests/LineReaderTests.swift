import Testing
import UnderstudyTestSupport
import UnderstudyText

/// Lines of files that are never held as a whole.
struct LineReaderTests {
  private func lines(_ text: String, limit: Int = 1 << 20) throws -> [String] {
    try withTemporaryFolder { folder in
      try write(["a.txt": text], in: folder)
      var reader = try LineReader(folder + "/a.txt", shownAs: "a.txt", maximumLineBytes: limit)
      var lines: [String] = []
      while let line = try reader.next() {
        lines.append(String(decoding: line, as: UTF8.self))
        #expect(reader.number == lines.count)
      }
      #expect(try reader.next() == nil)
      return lines
    }
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]), ("a\r\nb\n", ["a\r", "b"]),
  ])
  func `lines end at line breaks, which the last one does not need`(text: String, expected: [String]) throws {
    #expect(try lines(text) == expected)
  }

  @Test(arguments: [65_534, 65_535, 65_536, 65_537, 200_000])
  func `a line may be longer than a chunk`(length: Int) throws {
    let long = String(repeating: "x", count: length)
    #expect(try lines(long + "\n" + long + "\nend") == [long, long, "end"])
  }

  @Test func `a line beyond the limit is reported with its number`() throws {
    #expect(try lines("abcd\nabcd", limit: 4) == ["abcd", "abcd"])
    let problem = #expect(throws: FileProblem.self) { try lines("abcd\nabcde\n", limit: 4) }
    #expect(problem?.path == "a.txt")
    #expect(problem?.message == "line 2 is longer than 4 bytes; the rest was not read")
  }

  @Test func `a missing file is reported`() {
    let problem = #expect(throws: FileProblem.self) { _ = try LineReader("/nowhere/at/all") }
    #expect(problem?.kind == .missing)
  }
}
