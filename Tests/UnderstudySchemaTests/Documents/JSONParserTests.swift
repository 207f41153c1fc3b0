import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct JSONParserTests {
  /// A broken text with a mark at the problem, and the message about it.
  struct Broken: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    var help: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Broken(text: "↓↑", message: "expected a value, found the end of the text"),
    Broken(text: "[1, ↓x↑]", message: "expected a value, found `x`"),
    Broken(text: "[↓'↑a']", message: "expected a value, found `'`", help: "JSON strings need double quotes"),
    Broken(text: "[1] ↓/↑/ c", message: "expected the end of the text, found `/`", help: "a JSON text has one value"),
    Broken(text: "[↓#↑ c\n]", message: "expected a value, found `#`", help: "JSON has no comments"),
    Broken(
      text: "[↓N↑aN]", message: "expected a value, found `N`",
      help: "JSON numbers start with a digit or `-`; JSON has no NaN and no Infinity"),
    Broken(
      text: "[↓T↑rue]", message: "expected a value, found `T`", help: "JSON writes true, false and null in lower case"),
    Broken(text: "↓<↑html>", message: "expected a value, found `<`", help: "this looks like HTML or XML, not JSON"),
    Broken(text: "[↓t↑ru]", message: "expected `true`, found `t`"),
    Broken(text: "[↓é↑]", message: "expected a value, found `é`"),
    Broken(
      text: "{\"a\": 1↓,↑ }", message: "expected another member after the comma",
      help: "JSON allows no trailing comma: remove it"),
    Broken(
      text: "[1↓,↑]", message: "expected another element after the comma",
      help: "JSON allows no trailing comma: remove it"),
    Broken(text: "[1 ↓2↑]", message: "expected `,` or `]`, found `2`"),
    Broken(text: "{\"a\": 1 ↓\"↑b\": 2}", message: "expected `,` or `}`, found `\"`"),
    Broken(text: "[1↓}↑", message: "expected `,` or `]`, found `}`"),
    Broken(
      text: "{↓a↑: 1}", message: "expected a key in double quotes, found `a`", help: "JSON keys need double quotes"),
    Broken(text: "{\"a\" ↓1↑}", message: "expected `:` after the key, found `1`"),
    Broken(
      text: "\n{\"a\":\n[1]↓↑", message: "expected `}`, found the end of the text",
      help: "the object that starts in line 2 is never closed"),
    Broken(
      text: "[1,↓↑", message: "expected a value, found the end of the text",
      help: "the array that starts in line 1 is never closed"),
    Broken(text: "[-↓x↑]", message: "expected a digit after `-`, found `x`"),
    Broken(text: "[↓01↑]", message: "a number must not start with an extra 0"),
    Broken(text: "[1.↓]↑", message: "expected a digit after the decimal point, found `]`"),
    Broken(text: "[1e+↓]↑", message: "expected a digit in the exponent, found `]`"),
    Broken(text: "[↓\"↑abc]", message: "a string is not closed", help: "add the closing `\"`"),
    Broken(
      text: "[\"a↓\n↑\"]", message: "a string contains a raw control character U+000A",
      help: "add a missing closing quote, or write \\n for a line break"),
    Broken(
      text: "[\"a↓\u{1}↑\"]", message: "a string contains a raw control character U+0001", help: "write it as \\u00XX"),
    Broken(
      text: #"["↓\x↑"]"#, message: "a string contains an unknown escape",
      help: #"expected one of `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\uXXXX`; a backslash is `\\`"#),
    Broken(text: #"["↓\u12G4↑"]"#, message: #"expected four hex digits after \u"#),
    Broken(
      text: #"["é↓\uD83D↑"]"#, message: "a string contains half of a surrogate pair",
      help: #"a character beyond U+FFFF needs both halves: `\uD83D\uDE00`"#),
    Broken(
      text: #"["↓\uDE00↑"]"#, message: "a string contains half of a surrogate pair",
      help: #"a character beyond U+FFFF needs both halves: `\uD83D\uDE00`"#),
  ])
  func `a syntax error has a message and a position`(_ broken: Broken) throws {
    let marked = MarkedText(broken.text, path: "text.json")
    let problem = try #require(throws: TextProblem.self) { try JSONParser.parse(marked.source) }
    #expect(problem.message == broken.message)
    #expect(problem.help == broken.help)
    #expect(problem.range == marked.ranges.first)
  }

  @Test func `bytes that are not UTF-8 are refused at the first of them`() throws {
    let text = Array("[\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)
    let problem = try #require(throws: TextProblem.self) { try JSONParser.parse(text) }
    #expect(problem.kind == .encoding)
    #expect(problem.range == 2..<3)
    let utf16 = try #require(refusal(of: [0xFF, 0xFE, 0x5B, 0x00]))
    #expect(utf16.message == "the text is UTF-16; expected UTF-8")
  }

  private func refusal(of bytes: [UInt8]) -> TextProblem? {
    #expect(throws: TextProblem.self) { try JSONParser.parse(bytes) }
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)).root == [1])
  }

  @Test func `the deepest text is read and one level more is refused`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(try JSONParser.parse(nested(JSONParser.maximumDepth)).nodes.count == JSONParser.maximumDepth)
    let problem = try #require(refusal(of: nested(JSONParser.maximumDepth + 1)))
    #expect(problem.kind == .limit)
    #expect(problem.range.lowerBound == JSONParser.maximumDepth)
  }

  @Test func `a duplicate key is reported at its second position and the last one counts`() throws {
    let marked = MarkedText("{\"a\": 1,\n ↓\"a\"↑: 2, \"b\": {\"a\": 3}}", path: "text.json")
    let document = try JSONParser.parse(marked.source)
    #expect(document.root["a"] == 2)
    #expect(document.duplicates.map(\.range) == marked.ranges)
    #expect(document.duplicates.first?.message == "duplicate key `a` in one object")
    #expect(document.duplicates.first?.help == "the first is in line 1; remove one of them")
  }

  @Test func `duplicates among many keys are reported in the order of the text, up to a limit`() throws {
    let once = (0..<40).map { "\"k\($0)\": \($0)" }
    let few = try JSONParser.parse(
      Array("{\((once + ["\"k7\": 1", "\"k3\": 2", "\"k7\": 3"]).joined(separator: ","))}".utf8))
    #expect(few.duplicates.map(\.message) == ["k7", "k3", "k7"].map { "duplicate key `\($0)` in one object" })
    #expect(few.root["k7"] == 3)
    let many = try JSONParser.parse(Array("{\(Array(repeating: "\"a\":1", count: 500).joined(separator: ","))}".utf8))
    #expect(many.duplicates.count == 100)
  }

  @Test func `keys in different code points differ`() throws {
    let document = try JSONParser.parse(Array("{\"\u{E9}\": 1, \"e\u{301}\": 2}".utf8))
    #expect(document.duplicates.isEmpty)
    #expect(document.root["\u{E9}"] == 1)
    #expect(document.root["e\u{301}"] == 2)
  }

  @Test(arguments: [
    (#""\u0041\n\t\b\f\r\/\\\"""#, "A\n\t\u{8}\u{C}\r/\\\""), (#""\uD83D\uDE00""#, "😀"), (#""\u00e9x""#, "éx"),
    (#""\u20AC""#, "€"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"), (#""\u0000""#, "\0"),
  ])
  func `escapes are decoded`(_ text: String, _ expected: String) throws {
    #expect(try JSONParser.parse(Array(text.utf8)).root.isString(expected))
  }

  @Test func `each byte is read alike at every place of a string`() throws {
    for length in [1, 7, 8, 9, 15, 16, 17, 20] {
      for (position, byte) in (0..<length).flatMap({ position in (0..<128 as Range<UInt8>).map { (position, $0) } }) {
        var content = Array(repeating: UInt8(ascii: "b"), count: length)
        // Bytes beyond ASCII, of which the high bits are set.
        if length > 8, !(0...2).contains(position) { content.replaceSubrange(0..<3, with: "\u{20AC}".utf8) }
        content[position] = byte
        let text = Array("[\"".utf8) + content + Array("\", 1]".utf8)
        let read = try? JSONParser.parse(text).root[0]?.text
        switch byte {
        case UInt8(ascii: "\\") where position < length - 1:
          content.replaceSubrange(position...position + 1, with: [8])
          #expect(read == String(decoding: content, as: UTF8.self), "\(byte) at \(position) of \(length)")
        case 0..<0x20, UInt8(ascii: "\\"), UInt8(ascii: "\""):
          #expect(read == nil, "\(byte) at \(position) of \(length)")
        default: #expect(read == String(decoding: content, as: UTF8.self), "\(byte) at \(position) of \(length)")
        }
      }
    }
  }

  @Test(arguments: ["0", "-0", "1.0", "1e5", "1E+05", "-12.50e-3", "2147483648", "123456789012345678901234567890"])
  func `numbers keep their spelling`(_ text: String) throws {
    #expect(try JSONParser.parse(Array("[\(text)]".utf8)).root[0]?.text == text)
  }

  @Test func `every value has its position`() throws {
    let marked = MarkedText("↓{↓\"é\"↑: ↓[↓1↑, ↓\"😀\"↑]↑, ↓\"b\"↑: ↓null↑}↑", path: "text.json")
    let document = try JSONParser.parse(marked.source)
    #expect(document.nodes.indices.map { JSON(document: document, index: $0).range } == marked.ranges)
  }
}
