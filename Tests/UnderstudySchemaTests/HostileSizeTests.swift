import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Schemas and values that are far too large: each is validated in a bounded time, or reported as not validated.
///
/// What fails here hangs or crashes.
struct HostileSizeTests {
  @Test func `a million equal and a million different elements are distinguished`() throws {
    let schema = try SchemaText.schema(#"{"uniqueItems": true}"#)
    #expect(schema.accepts(try SchemaText.parse(Self.array((0..<1_000_000).map(String.init)))))
    #expect(!schema.accepts(try SchemaText.parse(Self.array(repeatElement("7", count: 1_000_000)))))
    let twin = try SchemaText.parse(Self.array((0..<1_000_000).map(String.init) + ["999999.0"]))
    #expect(schema.failures(twin).map(\.keyword) == ["uniqueItems"])
  }

  @Test func `five thousand nested allOf are refused as too deep`() {
    let text = String(repeating: #"{"allOf": ["#, count: 5_000) + "true" + String(repeating: "]}", count: 5_000)
    #expect(throws: TextProblem.self) { try SchemaText.schema(text) }
  }

  @Test func `the deepest possible nesting of allOf is validated`() throws {
    let text = String(repeating: #"{"allOf": ["#, count: 490) + #"{"minimum": 3}"# + String(repeating: "]}", count: 490)
    let schema = try SchemaText.schema(text)
    #expect(schema.accepts(3))
    #expect(schema.failures(2).map(\.keyword) == ["minimum"])
  }

  @Test func `five thousand allOf in a chain of references are validated`() throws {
    let links = (0..<5_000).map { ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}]}"## }
    let schema = try SchemaText.schema(
      ##"{"$ref": "#/$defs/d0", "$defs": {"## + links.joined(separator: ",") + #", "d5000": {"minimum": 3}}}"#)
    #expect(schema.accepts(3))
    #expect(schema.failures(2).map(\.keyword) == ["minimum"])
  }

  @Test(arguments: ["[", #"{"a":"#])
  func `a value of ten thousand levels is refused by the parser`(opening: String) {
    let closing = opening == "[" ? "]" : "}"
    let text = String(repeating: opening, count: 10_000) + "1" + String(repeating: closing, count: 10_000)
    #expect(throws: TextProblem.self) { try SchemaText.parse(text) }
  }

  @Test func `oneOf with ten thousand branches names the nearest`() throws {
    let branches = (0..<10_000).map { #"{"required": ["k\#($0)", "x"]}"# }
    let schema = try SchemaText.schema(#"{"oneOf": ["# + branches.joined(separator: ",") + "]}")
    #expect(schema.accepts(["k7": 1, "x": 2]))
    #expect(!schema.accepts(["k7": 1, "k8": 1, "x": 2]))
    let failures = schema.failures(["k9999": 1])
    #expect(
      failures.map(\.message) == [
        "fits none of 10000 alternatives; the nearest is number 10000", "the property `x` is missing",
      ])
  }

  @Test func `an enum of a hundred thousand values is looked up`() throws {
    let strings = (0..<100_000).map { "\"v\($0)\"" } + (0..<2_000).map { #"{"n": \#($0)}"# }
    let schema = try SchemaText.schema(#"{"items": {"enum": "# + Self.array(strings) + "}}")
    #expect(schema.accepts(try SchemaText.parse(Self.array(strings))))
    #expect(schema.failures(["v100000"]).map(\.keyword) == ["enum"])
  }

  @Test(arguments: [
    (#"{"maximum": 1e1000000000}"#, "1e999999999", true), (#"{"maximum": 1e1000000000}"#, "1e1000000001", false),
    (#"{"multipleOf": 1e1000000000}"#, "1e1000000000", true), (#"{"multipleOf": 1e1000000000}"#, "3", false),
    (#"{"multipleOf": 1e-1000000000}"#, "3", true), (#"{"multipleOf": 3}"#, "3e1000000000", true),
    (#"{"multipleOf": 7}"#, "1e1000000000", false), (#"{"type": "integer"}"#, "1e-1000000000", false),
    (#"{"type": "integer"}"#, "0e-99999999999999999999", true), (#"{"const": 1e1000000000}"#, "10e999999999", true),
    (#"{"enum": [1e99999999999999999999]}"#, "1", false), (#"{"minLength": 1e1000000000}"#, #""x""#, false),
    (#"{"maxItems": 1e1000000000}"#, "[1]", true), (#"{"minItems": 1000000000}"#, "[1]", false),
  ])
  func `exponents of any size are compared without expansion`(text: String, instance: String, fits: Bool) throws {
    let schema = try SchemaText.schema(text)
    let value = try SchemaText.parse(instance)
    #expect(schema.accepts(value) == fits)
    #expect(schema.failures(value).isEmpty == fits)
  }

  @Test(arguments: [
    "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}$", "^([a-z]+)*[@#]$", #"^(\w+\s?)*$"#, "^(?=(a+)+$)",
    "^(a*)*[bc]",
  ])
  func `patterns that backtrack without end are abandoned, on long strings too`(pattern: String) throws {
    let schema = try SchemaText.schema(JSONWriter.text(["pattern": .string(pattern)]))
    for text in [String(repeating: "a", count: 40) + "!", String(repeating: "a", count: 200_000) + "!"] {
      #expect(!schema.accepts(.string(text)))
      let messages = schema.failures(.string(text)).map(\.message)
      #expect(messages.count == 1)
      #expect(
        messages.allSatisfy { $0.hasPrefix("not validated: the pattern `\(pattern)` needs too many steps on string") })
    }
  }

  @Test func `a string of ten million characters is measured and matched`() throws {
    let schema = try SchemaText.schema(#"{"minLength": 10000000, "maxLength": 10000000, "pattern": "^(é|a)*b?$"}"#)
    let text = JSON.string(String(repeating: "é", count: 10_000_000))
    // A group for every character: more than anyone has memory for.
    let messages = schema.failures(text).map(\.message)
    #expect(messages.count == 1)
    #expect(
      messages.allSatisfy { $0.hasPrefix("not validated: the pattern `^(é|a)*b?$` needs too many steps on string") })
    let simple = try SchemaText.schema(#"{"minLength": 10000000, "maxLength": 10000000, "pattern": "^[éa]*b?$"}"#)
    #expect(simple.accepts(text))
    #expect(!simple.accepts(.string(String(repeating: "é", count: 9_999_999) + "c")))
    let lengths = try SchemaText.schema(#"{"minLength": 10000000, "maxLength": 10000000}"#)
    #expect(lengths.accepts(text))
  }

  /// A schema that wants much, and why it has no sample; `nil` where it has one.
  static let greedy: [(schema: String, reason: String?)] = [
    (
      #"{"type": "array", "minItems": 1000000000}"#,
      "`minItems` 1000000000 is more than the limit of 5000 elements"
    ),
    (#"{"type": "array", "minItems": 1e1000000000}"#, "is more than the limit of 5000 elements"),
    (#"{"type": "string", "minLength": 1000000000}"#, "is more than the limit of 50000 characters"),
    (#"{"type": "string", "pattern": "^a{1000000000}$"}"#, "is not supported"),
    (#"{"type": "string", "pattern": "^(((a{500}){500}){500}){500}$"}"#, "is not supported"),
    (#"{"type": "object", "minProperties": 1000000000}"#, "is more than the limit of 5000 properties"),
    (#"{"type": "object", "minProperties": 1001}"#, nil),
    (#"{"type": "integer", "multipleOf": 1e1000000000, "minimum": 1}"#, nil),
    (#"{"type": "number", "minimum": 1e-1000000000, "maximum": 2e-1000000000}"#, nil),
    (#"{"contains": {"const": 1}, "minContains": 1000000000, "type": "array"}"#, "no attempted value fits"),
    (##"{"type": "array", "minItems": 2, "items": {"$ref": "#"}}"##, "the schema requires infinitely nested values"),
    (
      ##"{"type": "object", "required": ["a", "b", "c"], "additionalProperties": {"$ref": "#"}}"##,
      "the schema requires infinitely nested values"
    ),
    (
      #"{"type": "array", "uniqueItems": true, "minItems": 3000, "items": {"type": "integer", "minimum": 1, "maximum": 3000}}"#,
      nil
    ),
    (#"{"type": "array", "uniqueItems": true, "minItems": 5000, "items": {"type": "integer"}}"#, nil),
    (
      #"{"type": "array", "uniqueItems": true, "minItems": 3, "items": {"type": "boolean"}}"#,
      "`minItems` 3 with `uniqueItems` needs more than the 2 different elements"
    ),
    (#"{"type": "array", "minItems": 3000, "items": {"type": "array", "minItems": 3000}}"#, "too many parts"),
    (
      #"{"oneOf": [\#(repeatElement(#"{"type": "object"}"#, count: 300).joined(separator: ","))]}"#,
      "fit more than one branch"
    ),
    (doubling("allOf"), "validating a value takes too many steps"),
    (doubling("oneOf"), "no attempted value fits `oneOf`"),
    (#"{"enum": \#(array((0..<200_000).map { "\"v\($0)\"" }))}"#, nil),
    (
      #"{"type": "string", "enum": \#(array((0..<50_000).map(String.init)))}"#,
      "`type` is string, but `enum` lists a number"
    ),
    (
      #"{"type": "array", "minItems": 2000, "uniqueItems": true, "items": {"enum": \#(array((0..<2_050).map(String.init)))}}"#,
      nil
    ),
    (
      #"{"type": "integer", "allOf": \#(array((0..<300).map { #"{"anyOf": [{"minimum": \#($0)}, {"type": "string"}]}"# }))}"#,
      nil
    ),
  ]

  /// Forty levels, each of which asks twice for the next.
  private static func doubling(_ keyword: String) -> String {
    let levels = (0..<40).map { level in
      ##""d\##(level)": {"\##(keyword)": [{"$ref": "#/$defs/d\##(level + 1)"}, {"maximum": 5, "allOf": [{"$ref": "#/$defs/d\##(level + 1)"}]}]}"##
    }
    return ##"{"$ref": "#/$defs/d0", "$defs": {"## + levels.joined(separator: ",") + #", "d40": {"type": "integer"}}}"#
  }

  @Test(arguments: greedy)
  func `samples of costly schemas are found soon, or refused with a reason`(
    text: String, reason: String?
  ) throws {
    let schema = try SchemaUnderTest(text)
    let (sample, conflict) = SampleGenerator(schemas: schema.library, seed: "0").attempt(
      schema.node, direction: .either)
    if let reason {
      #expect(sample == nil)
      #expect(try #require(conflict).reason.contains(reason))
    } else {
      #expect(schema.accepts(try #require(sample, "\(conflict?.reason ?? "")")))
    }
  }

  @Test(arguments: [
    (#"{"type": "array", "minItems": 3000, "items": {"type": "array", "minItems": 3000}}"#, false),
    (doubling("allOf"), false), (#"{"type": "object", "minProperties": 1000000000}"#, false),
    (#"{"type": "string", "minLength": 1000000000}"#, false),
    (##"{"type": "array", "minItems": 2, "items": {"$ref": "#"}}"##, true),
    (#"{"type": "array", "uniqueItems": true, "minItems": 3, "items": {"type": "boolean"}}"#, true),
  ])
  func `only a proved conflict is reported as one`(text: String, isProof: Bool) throws {
    let schema = try SchemaUnderTest(text)
    let conflict = try #require(SampleGenerator(schemas: schema.library, seed: "0").conflict(of: schema.node))
    #expect(conflict.isProof == isProof)
    #expect(conflict.description.hasPrefix(SampleConflict.givenUp) == !isProof)
  }

  @Test func `forty thousand names with colliding hashes are distinguished`() throws {
    // The hash looks at the length and at eight bytes of either end.
    let names = (10_000..<50_000).map { "\"the same\($0)the same\"" }
    func object(_ values: some Sequence<String>) -> String {
      "{" + zip(names, values).map { "\($0): \($1)" }.joined(separator: ",") + "}"
    }
    let integers = repeatElement(#"{"type": "integer"}"#, count: names.count)
    let schema = try SchemaText.schema(
      #"{"properties": "# + object(integers) + #", "required": "# + Self.array(names) + "}")
    let numbers = (0..<names.count).map(String.init)
    #expect(schema.accepts(try SchemaText.parse(object(numbers))))
    #expect(!schema.accepts(try SchemaText.parse(object(numbers.dropLast()))))
    #expect(!schema.accepts(try SchemaText.parse(object(numbers.dropLast() + ["true"]))))

    let listed = try SchemaText.schema(#"{"items": {"enum": "# + Self.array(names) + "}}")
    #expect(listed.accepts(try SchemaText.parse(Self.array(names))))
    #expect(!listed.accepts(["the same50000the same"]))

    let references = names.map { ##"{"$ref": "#/$defs/\##($0.dropFirst().dropLast())"}"## }
    let referring = try SchemaText.schema(
      #"{"allOf": "# + Self.array(references) + #", "$defs": "# + object(integers) + "}")
    #expect(referring.accepts(1))
    #expect(!referring.accepts("1"))
  }

  private static func array(_ elements: some Sequence<String>) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }
}
