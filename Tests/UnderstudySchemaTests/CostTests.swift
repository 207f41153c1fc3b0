import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What validating costs is bounded, and what an honest value costs is well within the bound.
///
/// Bounds are counted in units of fuel.
struct CostTests {
  /// Whether the only failure is that a pattern was given up.
  private static func isGivenUp(_ failures: [SchemaFailure]) -> Bool {
    failures.count == 1 && failures[0].message.hasPrefix("not validated: ")
      && failures[0].message.contains("pattern") && failures[0].message.contains("needs too many steps on ")
  }

  // MARK: Patterns

  @Test(arguments: [
    ("a{0,900}a{0,900}[bc]$", 8_000), ("a*a*[bc]", 20_000), (#"^(a*)\1[bc]"#, 2_000_000),
    ("(a*)*[bc]", 100), ("[ab]*[ac]*[^a]", 50_000), (#"(?=a*a*b)a"#, 20_000),
  ])
  func `all positions where a match could begin share one limit`(pattern: String, count: Int) throws {
    let schema = try SchemaText.schema(JSONWriter.text(["pattern": .string(pattern)]))
    #expect(Self.isGivenUp(schema.failures(.string(String(repeating: "a", count: count)))))
  }

  @Test(arguments: [
    ("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "QUJD", "Q"),
    (#"^(.|\n)*$"#, "a\nbc", "\r"), ("^([0-9]{3}[a-z])+$", "123a", "1"), (#"^(?:[^"\\]|\\.)*$"#, #"ab\""#, #"""#),
    ("^(?:[a-z]+[0-9])*$", "abc1", "a"), ("^.*x$", "xxxx", "y"), ("b$", "aaab", "a"),
  ])
  func `a linear pattern matches a long string`(pattern: String, unit: String, wrongEnd: String) throws {
    let schema = try SchemaText.schema(JSONWriter.text(["pattern": .string(pattern)]))
    for count in [10, 50, 1_000, 25_000] {
      let text = String(repeating: unit, count: count)
      #expect(schema.failures(.string(text)).isEmpty)
      #expect(schema.failures(.string(text + wrongEnd)).map(\.keyword) == ["pattern"])
    }
  }

  @Test func `a megabyte of base64 is validated, as a name too`() throws {
    let pattern = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
    let text = String(repeating: "QUJD", count: 262_144)
    let schema = try SchemaText.schema(JSONWriter.text(["pattern": .string(pattern)]))
    #expect(schema.accepts(.string(text)))
    #expect(schema.failures(.string(text + "Q")).map(\.keyword) == ["pattern"])
    let names = try SchemaText.schema(#"{"patternProperties": {"\#(pattern)": true}, "additionalProperties": false}"#)
    #expect(names.accepts(try SchemaText.parse(#"{"\#(text)": 1}"#)))
    #expect(names.failures(try SchemaText.parse(#"{"\#(text)Q": 1}"#)).map(\.keyword) == ["additionalProperties"])
  }

  /// In the form of which steps are counted, `{2,}` is written twice.
  @Test func `a pattern whose steps cannot be counted still matches`() throws {
    let pattern = String(repeating: "[abc]{2,}x|", count: 800) + "[abc]{2,}y"
    let schema = try SchemaText.schema(JSONWriter.text(["pattern": .string(pattern)]))
    let others = String(repeating: "z", count: 150)
    #expect(schema.accepts(.string(others + "aay")))
    #expect(schema.failures(.string(others + "aaz")).map(\.keyword) == ["pattern"])
  }

  @Test func `a pattern of names is abandoned like any other`() throws {
    let schema = try SchemaText.schema(#"{"patternProperties": {"^(a+)+$": true}}"#)
    let name = String(repeating: "a", count: 60) + "!"
    #expect(Self.isGivenUp(schema.failures(try SchemaText.parse(#"{"\#(name)": 1}"#))))
  }

  @Test func `all matches of one validation share one limit`() throws {
    let schema = try SchemaText.schema(#"{"items": {"not": {"pattern": "a*a*[bc]"}}}"#)
    let text = JSON.string(String(repeating: "a", count: 100))
    #expect(schema.accepts(JSON.array([text]), fuel: 1_000_000))
    guard case .notValidated(let reason) = schema.verdict(.array(Array(repeating: text, count: 100)), fuel: 1_000_000)
    else {
      Issue.record("it was validated")
      return
    }
    #expect(Self.isGivenUp([reason]))
  }

  /// Braces that hold no number stand for themselves; such a pattern is only too long to be run.
  @Test(arguments: [("{", true), ("a{", true), ("a{1,", true), ("(?:a{", false), ("[", false), ("(", false)])
  func `a long text that is not a pattern is refused soon`(unit: String, isPattern: Bool) throws {
    let schema = try SchemaText.schema(#"{"format": "regex"}"#, formats: .always)
    #expect(schema.accepts(.string(String(repeating: unit, count: 1_000_000))) == isPattern)
  }

  // MARK: Numbers

  @Test func `a number of thousands of digits is divided by one of thousands`() throws {
    let divisor = String(repeating: "7", count: 20_000)
    let schema = try SchemaText.schema(#"{"multipleOf": \#(divisor)}"#)
    #expect(schema.accepts(try SchemaText.parse(divisor + divisor + divisor)))
    #expect(!schema.accepts(try SchemaText.parse(divisor + divisor + divisor.dropLast() + "8")))
    #expect(schema.accepts(try SchemaText.parse(divisor + "e5")))
  }

  @Test func `numbers of a million digits are not divided, and the failure has the reason`() throws {
    let schema = try SchemaText.schema(#"{"multipleOf": \#(String(repeating: "7", count: 500_000))}"#)
    let value = try SchemaText.parse(String(repeating: "7", count: 1_000_000))
    #expect(
      schema.failures(value).map(\.message) == [
        "not validated: too expensive, since a number with many digits is divided by another one"
      ])
  }

  @Test(arguments: ["type\": \"integer", "minimum\": 0, \"a\": \"", "multipleOf\": 1, \"a\": \"", "format\": \"int32"])
  func `a long number is paid for each time that it is read`(rule: String) throws {
    // Sixteen times the same.
    let doubling = (0..<4).map { level in
      let next = level == 3 ? #"{"\#(rule)"}"# : ##"{"$ref": "#/$defs/d\##(level + 1)"}"##
      return #""d\#(level)": {"allOf": [\#(next), \#(next)]}"#
    }
    let schema = try SchemaText.schema(
      ##"{"$ref": "#/$defs/d0", "$defs": {\##(doubling.joined(separator: ", "))}}"##, formats: .always)
    let value = try SchemaText.parse("1." + String(repeating: "0", count: 80_000))
    #expect(schema.accepts(value, fuel: 200_000))
    #expect(!schema.accepts(value, fuel: 150_000))
  }

  @Test func `long texts and numbers are paid for when they are compared`() throws {
    let numbers = (0..<10).map { "\(String(repeating: "7", count: 10_000))\($0)" }.joined(separator: ",")
    let schema = try SchemaText.schema(#"{"uniqueItems": true}"#)
    let value = try SchemaText.parse("[\(numbers)]")
    #expect(schema.accepts(value, fuel: 200_000))
    #expect(!schema.accepts(value, fuel: 100_000))
  }

  // MARK: Children

  @Test(arguments: [
    #"{"properties": {"p": {"type": "string"}}}"#, #"{"patternProperties": {"^q[0-9]+$": {"maximum": 0}}}"#,
    #"{"propertyNames": {"minLength": 1}}"#, #"{"dependentRequired": {"k1": ["k999"]}}"#,
  ])
  func `parts of one block are paid like blocks`(part: String) throws {
    let parts = (0..<200).map { part.replacing("p\":", with: "p\($0)\":").replacing("q[", with: "q\($0)[") }
    let schema = try SchemaText.schema(#"{"allOf": [\#(parts.joined(separator: ","))]}"#)
    let value = try SchemaText.parse("{" + (0..<1_000).map { #""k\#($0)": 1"# }.joined(separator: ",") + "}")
    #expect(schema.accepts(value))
    #expect(!schema.accepts(value, fuel: 10_000))
  }

  @Test func `valid parts cost fuel in a search for failures`() throws {
    let parts = (0..<2_000).map { #"{"properties": {"p\#($0)": {"type": "string"}}}"# }
    let schema = try SchemaText.schema(#"{"allOf": [\#(parts.joined(separator: ","))], "required": ["zzz"]}"#)
    let value = try SchemaText.parse("{" + (0..<1_000).map { #""k\#($0)": 1"# }.joined(separator: ",") + "}")
    guard case .refused(let failures) = schema.verdict(value, fuel: 300_000) else {
      Issue.record("not refused")
      return
    }
    #expect(
      failures.last?.message
        == "there may be more failures; validating the rest costs too much")
  }

  // MARK: Enumerations

  @Test func `thousands of values are compared with thousands of constants`() throws {
    let fractions = (0..<3_000).map { "\($0).5" }
    let schema = try SchemaText.schema(#"{"items": {"enum": [\#(fractions.joined(separator: ","))]}}"#)
    let values = repeatElement(fractions, count: 10).joined().joined(separator: ",")
    #expect(schema.accepts(try SchemaText.parse("[\(values)]")))
    #expect(schema.failures(try SchemaText.parse("[\(values), 3000.5, 7]")).map(\.keyword) == ["enum", "enum"])
  }

  @Test(arguments: [
    ("1", true), ("1.0", true), ("10e-1", true), ("1.5", true), ("15e-1", true), ("1.25", false), ("20", false),
    (#"{"b": 2.0, "a": [1]}"#, true), (#"{"a": [1.0], "b": 2}"#, true), (#"{"a": [1], "b": 3}"#, false),
    ("[1, [2]]", true), ("[1, [3]]", false), (#""x""#, true), ("null", false), ("1e400", true), ("10e399", true),
    ("-0", true), ("0.0", true),
  ])
  func `a long list of constants is compared by value`(value: String, fits: Bool) throws {
    let schema = try SchemaText.schema(
      #"{"enum": [0, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 1e400, {"a": [1], "b": 2}, [1, [2.0]], "x", 1]}"#)
    #expect(schema.accepts(try SchemaText.parse(value)) == fits)
  }

  // MARK: Notes for unevaluated*

  @Test(arguments: [
    (#"{"items": {}}"#, "unevaluatedItems"), (#"{"unevaluatedItems": {}}"#, "unevaluatedItems"),
    (#"{"additionalProperties": {}}"#, "unevaluatedProperties"),
    (#"{"unevaluatedProperties": {}}"#, "unevaluatedProperties"),
  ])
  func `all children of a value take one note`(part: String, keyword: String) throws {
    let parts = Array(repeating: part, count: 100).joined(separator: ",")
    let schema = try SchemaText.schema(#"{"allOf": [\#(parts)], "\#(keyword)": false}"#)
    let isArray = keyword == "unevaluatedItems"
    let children = (0..<20_000).map { isArray ? "0" : "\"k\($0)\": 0" }.joined(separator: ",")
    let value = try SchemaText.parse(isArray ? "[\(children)]" : "{\(children)}")
    // A note of each child in each part would be eight million.
    let fuel = part.contains("additional") ? 8_300_000 : 300_000
    #expect(schema.accepts(value, fuel: fuel))
  }

  @Test func `every note that is kept costs fuel`() throws {
    let parts = Array(repeating: #"{"patternProperties": {"^a": true}}"#, count: 100).joined(separator: ",")
    let schema = try SchemaText.schema(#"{"allOf": [\#(parts)], "unevaluatedProperties": {"const": 1}}"#)
    let members = (0..<1_000).map { "\"a\($0)\": 0" }.joined(separator: ",")
    let value = try SchemaText.parse("{\(members), \"b\": 1}")
    #expect(schema.accepts(value))
    #expect(!schema.accepts(value, fuel: 300_000))
  }

  @Test(arguments: [
    (
      #"{"contains": {"items": true, "allOf": [{"maxItems": 1}], "unevaluatedItems": false}, "minContains": 0, "#
        + #""unevaluatedItems": false}"#, "[[1, 2]]", false
    ),
    (#"{"prefixItems": [true], "items": true, "unevaluatedItems": false}"#, "[1, 2, 3]", true),
    (#"{"anyOf": [{"items": {"type": "string"}}, true], "unevaluatedItems": false}"#, #"["a"]"#, true),
    (#"{"anyOf": [{"items": {"type": "string"}}, true], "unevaluatedItems": false}"#, #"["a", 1]"#, false),
    (
      #"{"allOf": [{"properties": {"a": {"additionalProperties": true}}}], "unevaluatedProperties": false}"#,
      #"{"a": {"x": 1, "y": 2}}"#, true
    ),
    (
      #"{"allOf": [{"properties": {"a": {"additionalProperties": true}}}], "unevaluatedProperties": false}"#,
      #"{"a": {"x": 1, "y": 2}, "b": 1}"#, false
    ),
  ])
  func `the notes of one value do not affect another`(text: String, value: String, fits: Bool) throws {
    #expect(try SchemaText.schema(text).accepts(try SchemaText.parse(value)) == fits)
  }

  // MARK: Formats

  @Test func `a name of a hundred thousand characters is not a host`() throws {
    let schema = try SchemaText.schema(#"{"format": "idn-hostname"}"#, formats: .always)
    #expect(!schema.accepts(.string(String(repeating: "\u{30FB}", count: 1_000_000) + "\u{30AB}")))
    #expect(schema.accepts(.string("\u{30FB}\u{30AB}")))
  }

  // MARK: Choices

  @Test(arguments: [#"{"const": "OP"}"#, #"{"enum": ["OP"]}"#, #"{"type": "string", "pattern": "^OP$"}"#])
  func `nested choices do not cost exponentially, in any order of members`(tag: String) throws {
    let operators = ["neg", "abs", "not"].map { name in
      let op = tag.replacing("OP", with: name)
      return ##"{"properties": {"op": \##(op), "arg": {"$ref": "#"}}, "required": ["op", "arg"]}"##
    }
    let schema = try SchemaText.schema(
      #"{"oneOf": [{"type": "integer"}, \#(operators.joined(separator: ","))]}"#.replacing(
        "{\"properties", with: "{\"type\": \"object\", \"properties"))
    func value(_ leaf: String) throws -> JSON {
      try SchemaText.parse(
        String(repeating: #"{"arg": "#, count: 300) + leaf + String(repeating: #", "op": "not"}"#, count: 300))
    }
    #expect(schema.accepts(try value("1"), fuel: 50_000))
    #expect(!schema.accepts(try value("1.5"), fuel: 50_000))
    guard case .accepted = schema.verdict(try value("1")) else {
      Issue.record("it was not accepted")
      return
    }
  }

  @Test func `the cached result of a choice is not used for another value`() throws {
    let schema = try SchemaText.schema(
      ##"""
      {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "array",
        "items": {"anyOf": [{"const": 1}, {"const": 2}]}}]}}]}
      """##)
    #expect(schema.accepts(try SchemaText.parse("[[1, 2, 1, 2], null, [2, 2], [1]]")))
    #expect(!schema.accepts(try SchemaText.parse("[[1, 2, 1, 2], null, [2, 2], [1, 3]]")))
    #expect(!schema.accepts(try SchemaText.parse("[[1, 2, 3, 2], null]")))
  }

  @Test func `a large value of many alternatives is validated`() throws {
    let names = (0..<2_000).map { "\"c\($0)\"" }
    let constants = names.map { #"{"const": \#($0)}"# }.joined(separator: ",")
    let schema = try SchemaText.schema(#"{"items": {"oneOf": [\#(constants)]}}"#)
    #expect(schema.accepts(try SchemaText.parse("[\(names.joined(separator: ","))]")))
  }
}
