import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct YAMLScalarTests {
  @Test(
    arguments: [
      // null and booleans
      ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("nULL", "\"nULL\""),
      ("nullx", "\"nullx\""),
      ("true", "true"), ("True", "true"), ("TRUE", "true"), ("false", "false"), ("False", "false"), ("FALSE", "false"),
      ("tRUE", "\"tRUE\""), ("TRue", "\"TRue\""), ("yes", "\"yes\""), ("no", "\"no\""), ("on", "\"on\""),
      ("off", "\"off\""),
      ("y", "\"y\""), ("N", "\"N\""),
      // numbers that stay as they are
      ("0", "0"), ("-0", "-0"), ("12", "12"), ("-7", "-7"), ("1.0", "1.0"), ("1e3", "1e3"), ("1.5E-03", "1.5E-03"),
      ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e400", "1e400"),
      // numbers that JSON spells otherwise
      ("+1", "1"), (".5", "0.5"), ("-.5", "-0.5"), ("+.5e1", "0.5e1"), ("1.", "1"), ("1.e3", "1e3"), ("0x1F", "31"),
      ("0xff", "255"),
      ("0o17", "15"), ("0x0", "0"), ("0xFFFFFFFFFFFFFFFFFFFFFFFF", "79228162514264337593543950335"),
      // strings that look like numbers
      ("012", "\"012\""), ("-01", "\"-01\""), ("007.5", "\"007.5\""), ("0x", "\"0x\""), ("0xG", "\"0xG\""),
      ("0o8", "\"0o8\""),
      ("0X1", "\"0X1\""), ("-0x1", "\"-0x1\""), ("0b1", "\"0b1\""), ("1_000", "\"1_000\""), ("1:30", "\"1:30\""),
      (".", "\".\""),
      ("+", "\"+\""), ("1e", "\"1e\""), ("1.2.3", "\"1.2.3\""), ("2020-01-01", "\"2020-01-01\""), (".inf", "\".inf\""),
      ("-.INF", "\"-.INF\""), (".nan", "\".nan\""), ("1 2", "\"1 2\""), ("١", "\"١\""),
      // quoted
      ("'1'", "\"1\""), ("\"true\"", "\"true\""), ("''", "\"\""), (#""\x41\u00e9\U0001F600\t""#, #""Aé😀\t""#),
      ("'it''s'", "\"it's\""),
      // tags
      ("!!str 1", "\"1\""), ("!!str", "\"\""), ("! 1", "\"1\""), ("!!int '1'", "1"), ("!!int 012", "12"),
      ("!!int -00", "-0"),
      ("!!int 0x1E", "30"), ("!!float 1", "1"), ("!!float '1.50'", "1.50"), ("!!bool 'true'", "true"),
      ("!!null ''", "null"),
      ("!!binary aGk=", "\"aGk=\""), ("!mine 1", "1"), ("!mine '1'", "\"1\""),
      ("!!timestamp 2020-01-01", "\"2020-01-01\""),
      ("!!map {a: 1}", "{\"a\":1}"), ("!!seq [a]", "[\"a\"]"), ("!mine [a]", "[\"a\"]"),
    ] as [(String, String)])
  func `scalars follow the core schema as far as JSON can`(_ text: String, _ expected: String) throws {
    let document = try YAMLReader.parse(SourceFile(path: "text.yaml", text: "a: \(text)\n"))
    #expect(try JSONWriter.text(#require(document.root["a"])) == expected)
  }

  @Test(arguments: [
    ("!!int a", "the value is not a !!int that JSON can hold"),
    ("!!int 1.5", "the value is not a !!int that JSON can hold"),
    ("!!int ''", "the value is not a !!int that JSON can hold"),
    ("!!float .inf", "the value is not a !!float that JSON can hold"),
    ("!!bool yes", "the value is not a !!bool that JSON can hold"),
    ("!!null 0", "the value is not a !!null that JSON can hold"),
    ("!!map x", "the value is not a !!map that JSON can hold"), ("!!str {}", "a mapping is not a !!str"),
    ("!!map []", "a list is not a !!map"),
  ])
  func `a tag that does not fit the value is refused`(_ text: String, _ message: String) {
    let source = SourceFile(path: "text.yaml", text: "a: \(text)\n")
    let problem = #expect(throws: TextProblem.self) { try YAMLReader.parse(source) }
    #expect(problem?.message == message)
    #expect(problem?.range.lowerBound == 3)
  }

  @Test func `a hexadecimal number beyond the limit is a string`() throws {
    func kind(_ digits: Int) throws -> JSON.Kind {
      let text = "0x" + String(repeating: "f", count: digits)
      return try YAMLReader.parse(SourceFile(path: "text.yaml", text: text)).root.kind
    }
    #expect(try kind(1_000) == .number)
    #expect(try kind(1_001) == .string)
  }

  @Test func `block scalars keep or fold their lines`() throws {
    let text = "a: |\n  one\n  two\nb: >-\n  one\n  two\n\n  three\nc: |2+\n   x\n\n"
    let root = try YAMLReader.parse(SourceFile(path: "text.yaml", text: text)).root
    #expect(root == ["a": "one\ntwo\n", "b": "one two\nthree", "c": " x\n\n"])
  }
}
