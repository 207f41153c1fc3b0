import Testing
import UnderstudyText

struct PercentEncodingTests {
  @Test(arguments: [("a%20b", "a b"), ("%C3%A9", "é"), ("%f0%9F%98%80", "😀"), ("a+b", "a+b"), ("%25", "%"), ("", "")])
  func `sequences are decoded`(_ text: String, _ expected: String) {
    #expect(PercentEncoding.decode(text) == expected)
  }

  @Test(arguments: ["%", "%2", "%GG", "a%2", "%C3", "%FF", "%C0%80", "%ED%A0%80"])
  func `a truncated, non-hex or non-UTF-8 sequence is refused`(_ text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }

  @Test func `a plus is a space only in forms`() {
    #expect(PercentEncoding.decode(ArraySlice("a+b%2B".utf8), plusIsSpace: true) == "a b+")
  }

  @Test func `raw bytes need not be UTF-8`() {
    #expect(PercentEncoding.decodeBytes(ArraySlice("%FF%00".utf8)) == [0xFF, 0])
  }

  @Test func `reserved characters are encoded and decode to themselves`() {
    #expect(PercentEncoding.encode("aZ09-._~ /é%") == "aZ09-._~%20%2F%C3%A9%25")
    #expect(PercentEncoding.encode("a/b c", keeping: "/") == "a/b%20c")
    let all = String(decoding: (0..<128).map { UInt8($0) }, as: UTF8.self) + "é😀"
    #expect(PercentEncoding.decode(PercentEncoding.encode(all)) == all)
  }
}
