import Testing
import UnderstudySchema

@Suite struct PatternSamplerTests {
  static let patterns: [String] = [
    #"^[A-Z]{2}\d{3,}-(foo|bar)$"#, #"^(?=.*[A-Z])(?=.*\d).{8,12}$"#, #"^(\w+)@\1\.com$"#, #"^(?<a>x+)-\k<a>$"#,
    #"^#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})$"#, #"^\+?[1-9]\d{1,14}$"#, #"^[^/\s]+(/[^/\s]+)*$"#, #"^\p{Lu}\p{Ll}+$"#,
    #"^[\w.%+-]+@[\w.-]+\.[a-z]{2,}$"#, #"^(?!foo)[a-z]{3}$"#, #"^\u0041\x42\cJ$"#, #"a|b"#, #""#, #"^$"#,
    #"^(\d{1,3}\.){3}\d{1,3}$"#, #"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"#, #"^(([a-z]+)|(\d+))*?z$"#, #"^[\]\\-]+$"#,
    #"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"#, #"^.{20}$"#, #"^[^a-zA-Z0-9]$"#, #"\S"#, #"^\bword\b$"#,
    #"^\uD83D\uDE00$"#, #"^(?:(?:a{2}){3}b?)+$"#, #"^[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}$"#,
  ]

  @Test(arguments: patterns, ["0", "3"])
  func `a sample matches its pattern`(pattern: String, seed: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "string"}"#)
    let node: JSON = ["type": "string", "pattern": .string(pattern)]
    let sample = SampleGenerator(schemas: schema.library, seed: seed).sample(of: node, direction: .either)
    #expect(sample != nil)
  }

  @Test(arguments: [
    (#"^\\d{3}-\\d{4}$"#, "123-4567"), (#"^[a-z]+-$"#, "abc-"), (#"^[A-Z]{2}$"#, "AB"), ("^v(1|2)$", "v1"),
  ])
  func `plain samples run through the alphabet`(pattern: String, sample: String) throws {
    #expect(try SchemaUnderTest(#"{"type": "string", "pattern": "\#(pattern)"}"#).text() == "\"\(sample)\"")
  }

  @Test(arguments: ["(", "[a", "*", "(?i)a", "[z-a]", #"\\"#, "(?<n", "((a{9999}){9999}){9999}"])
  func `an invalid pattern has no sample`(pattern: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "string", "pattern": "\#(pattern)"}"#)
    #expect(schema.sample() == nil)
    #expect(try #require(schema.conflict()).hasPrefix("the pattern `"))
    let object = try SchemaUnderTest(
      #"{"required": ["a"], "properties": {"a": {"const": 1}, "b": {"type": "string", "pattern": "\#(pattern)"}}}"#)
    #expect(object.text() == #"{"a":1}"#)
  }

  @Test func `a signed number in braces is not a quantifier`() throws {
    let sample = try SchemaUnderTest(#"{"type": "string", "pattern": "^[a-z]{+2}$"}"#).text()
    // The second brace is what `+` repeats.
    #expect(sample == #""a{{{2}""#)
  }

  @Test(arguments: [
    ("^(a?){50}$", #""aa""#), (#"^(?:^|\\b)*b$"#, #""b""#), ("^(?:(?:(?:a?){9}){9}){9}$", #""aa""#),
    ("^(?:(?=b)){99}b$", #""b""#),
  ])
  func `an empty repetition replaces all remaining ones`(pattern: String, sample: String) throws {
    #expect(try SchemaUnderTest(#"{"type": "string", "pattern": "\#(pattern)"}"#).text() == sample)
  }

  @Test(arguments: ["^(a?){9999999999}$", "^(?:){9999999999}$", "^(?:(?:(?:(?:a?){200}){200}){200}){200}$"])
  func `an unbounded repetition of nothing ends`(pattern: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "string", "pattern": "\#(pattern)"}"#)
    #expect(schema.sample() == nil)
    #expect(try #require(schema.conflict()).hasPrefix("the pattern `"))
  }

  @Test func `lookaheads are written within the budget`() throws {
    let lookaheads = String(repeating: "(?=a{99999})", count: 1_400)
    #expect(try SchemaUnderTest(#"{"type": "string", "pattern": "^\#(lookaheads)a$"}"#).sample() == nil)
  }

  /// Patterns that take long to write a match of.
  static let laborious: [String] = [
    "^(?:" + (0..<300).map { "k\($0)" }.joined(separator: "|") + ")+$",
    "^[" + (0..<5_000).compactMap { Unicode.Scalar(0x1000 + 2 * $0).map(String.init) }.joined() + "]+$",
  ]

  @Test(arguments: laborious)
  func `every match that is written costs budget`(pattern: String) throws {
    let schema = try SchemaUnderTest(
      #"{"type": "string", "pattern": "\#(pattern)", "minLength": 2000, "not": {"minLength": 1}}"#)
    #expect(schema.sample() == nil)
  }

  @Test(arguments: [String(repeating: "{", count: 9_990) + "}", String(repeating: "a{", count: 6_000) + "}"])
  func `braces without a quantifier are read once`(pattern: String) throws {
    let schema = try SchemaUnderTest(#"{"type": "string", "pattern": "\#(pattern)"}"#)
    #expect(try #require(schema.sample()).text.hasPrefix(pattern))
  }

  @Test func `a match that would be too long is not written`() throws {
    #expect(try SchemaUnderTest(#"{"type": "string", "pattern": "^(a{300}){400}$"}"#).sample() == nil)
  }

  @Test func `samples hold characters of every kind that a class has`() throws {
    let texts = try (1...40).compactMap {
      try SchemaUnderTest(#"{"pattern": "^[0-9a-f-]{24}$", "type": "string"}"#).text(seed: String($0))
    }
    #expect(texts.count == 40)
    for kind in ["0"..."9", "a"..."f", "-"..."-"] as [ClosedRange<Character>] {
      #expect(texts.contains { $0.contains(where: kind.contains) })
    }
    #expect(texts.allSatisfy { $0.contains(where: \.isNumber) })
  }
}
