import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The problems of a schema itself.
struct SchemaProblemTests {
  @Test(
    arguments: [
      (##"{"$ref": "#/$defs/nmae", "$defs": {"name": {}}}"##, "spec.schema.ref", "/$ref", "did you mean `name`?"),
      (#"{"$ref": "other.json"}"#, "spec.schema.ref", "/$ref", nil),
      (
        #"{"pattern": "a++"}"#, "spec.schema.pattern.invalid", "/pattern",
        "ECMA-262 has no possessive quantifiers"
      ),
      (
        #"{"patternProperties": {"(": {}}}"#, "spec.schema.pattern.invalid", "/patternProperties/(",
        #"write `\(` for the character"#
      ),
      (#"{"properties": {"a": {"required": 1}}}"#, "spec.schema.keyword", "/properties/a/required", nil),
      (#"{"type": "int"}"#, "spec.schema.keyword", "/type", "did you mean `integer`?"),
      (#"{"minLength": -1}"#, "spec.schema.keyword", "/minLength", nil),
      (#"{"items": 3}"#, "spec.schema.keyword", "/items", nil),
    ] as [(String, String, String, String?)])
  func `an invalid schema is reported with its position`(
    text: String, rule: String, pointer: String, help: String?
  ) throws {
    let problems = try SchemaText.schema(text).problems
    #expect(problems.map(\.rule.id) == [rule])
    #expect(problems.first?.location?.pointer == pointer)
    #expect(problems.first?.help == help)
  }

  @Test func `a schema with a broken reference accepts no value`() throws {
    let schema = try SchemaText.schema(##"{"anyOf": [{"not": {"$ref": "#/nowhere"}}]}"##)
    #expect(!schema.accepts(1))
    #expect(schema.failures(1).map(\.message) == ["not validated: the reference `#/nowhere` leads nowhere"])
  }

  @Test(arguments: [
    ("(", "spec.schema.pattern.invalid", "the pattern `(` is invalid"),
    ("^.{1,100000}$", "spec.schema.pattern.too-large", "the pattern `^.{1,100000}$` is not supported"),
    (
      "^(((a{1,100}){1,100}){1,100}){100}$", "spec.schema.pattern.too-large",
      "the pattern `^(((a{1,100}){1,100}){1,100}){100}$` is not supported"
    ),
    ("(?<=a+)b", "spec.schema.pattern.too-large", "the pattern `(?<=a+)b` is not supported"),
  ])
  func `only values that need an unusable pattern are not validated`(
    pattern: String, rule: String, reason: String
  ) throws {
    let plain = try SchemaText.schema(#"{"pattern": "\#(pattern)", "minimum": 3}"#)
    #expect(plain.problems.map(\.rule.id) == [rule])
    #expect(plain.failures("x").map(\.message) == ["not validated: \(reason)"])
    #expect(plain.accepts(3))
    #expect(plain.failures(2).map(\.keyword) == ["minimum"])
    let negated = try SchemaText.schema(#"{"not": {"pattern": "\#(pattern)"}}"#)
    #expect(negated.failures("x").map(\.message) == ["not validated: \(reason)"])
    let names = try SchemaText.schema(#"{"patternProperties": {"\#(pattern)": true, "^a$": false}}"#)
    #expect(names.problems.map(\.rule.id) == [rule])
    #expect(names.accepts([:]))
    #expect(names.accepts([1]))
    #expect(names.failures(["b": 1]).map(\.message) == ["not validated: \(reason)"])
    #expect(try !SchemaText.schema(#"{"not": {"patternProperties": {"\#(pattern)": true}}}"#).accepts(["b": 1]))
  }

  @Test func `a schema with too many rules is reported once`() throws {
    let schema = try SchemaText.schema(
      #"{"prefixItems": [\#(repeatElement("true", count: 300_100).joined(separator: ","))]}"#)
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.too-large"])
    #expect(schema.accepts([1]))
  }

  @Test func `the metaschemas are built in`() throws {
    let schema = try SchemaText.schema(#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#)
    #expect(schema.problems.isEmpty)
    #expect(schema.accepts(["type": "object"]))
    #expect(!schema.accepts(["type": "objekt"]))
  }

  @Test func `schemas compiled together validate like each alone`() throws {
    let root = try SchemaText.parse(
      ##"{"$defs": {"a": {"minimum": 3}, "b": {"items": {"$ref": "#/$defs/a"}}, "c": {"$ref": "#/$defs/b"}}}"##)
    let nodes = ["a", "b", "c"].compactMap { root["$defs"]?[$0] }
    let library = SchemaLibrary(dialect: .draft2020)
    library.prepare(nodes)
    let verdicts = nodes.map { node in [2, 3, [2], [3]].map { library.schema(at: node).accepts($0) } }
    #expect(verdicts == [[false, true, true, true], [true, true, false, true], [true, true, false, true]])
  }

  @Test func `of schemas compiled together each keeps its own problems`() throws {
    let root = try SchemaText.parse(##"{"$defs": {"a": {"$ref": "#/nowhere"}, "b": {"minimum": 3}}}"##)
    let nodes = ["a", "b"].compactMap { root["$defs"]?[$0] }
    let library = SchemaLibrary(dialect: .draft2020)
    library.prepare(nodes)
    #expect(nodes.map { library.schema(at: $0).problems.count } == [1, 0])
    #expect(nodes.map { library.schema(at: $0).accepts(3) } == [false, true])
  }
}
