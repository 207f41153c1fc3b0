import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyText

struct UnifiedDiffTests {
  @Test func `changed lines are shown with three lines around them`() {
    let old = (1...9).map { "\($0)\n" }.joined()
    #expect(
      UnifiedDiff.text(Array(old.utf8), Array(old.replacing("5\n", with: "five\nand a half\n").utf8), path: "n.txt")
        == """
        --- a/n.txt
        +++ b/n.txt
        @@ -2,7 +2,8 @@
         2
         3
         4
        -5
        +five
        +and a half
         6
         7
         8

        """)
  }

  @Test func `equal texts have no difference`() {
    #expect(UnifiedDiff.text([65, 10], [65, 10], path: "a") == "")
  }

  @Test(arguments: [
    ("", "a\n"), ("a\n", ""), ("a", "a\n"), ("a\n", "a"), ("a\nb\nc\n", "c\nb\na\n"), ("x", "y"),
    ((1...40).map { "\($0)\n" }.joined(), (1...40).filter { $0 % 9 != 0 }.map { "\($0)\n" }.joined() + "end"),
    ("a\nb\nc\nd\ne\nf\ng\nh\ni\n", "A\nb\nc\nd\ne\nf\ng\nh\nI\n"),
  ]) func `patch converts one text to the other`(old: String, new: String) throws {
    try withProject(["f.txt": old]) { folder in
      let diff = UnifiedDiff.text(Array(old.utf8), Array(new.utf8), path: "f.txt")
      let result = try Command.run("/usr/bin/env", ["patch", "-p1", "--posix"], in: folder, input: diff)
      #expect(result.code == 0, "\(result.output)\(result.error)\(diff)")
      #expect((try? String(contentsOfFile: folder + "/f.txt", encoding: .utf8)) ?? "" == new)
    }
  }

  @Test func `edits keep the rest byte for byte`() {
    let text = Array("abcdef".utf8)
    let edits = [
      TextEdit(4..<5, Array("E".utf8)), TextEdit(1..<1, Array("-".utf8)), TextEdit(0..<0, []), TextEdit(4..<6, []),
    ]
    #expect(String(decoding: TextEdit.apply(edits, to: text), as: UTF8.self) == "a-bcdEf")
  }
}
