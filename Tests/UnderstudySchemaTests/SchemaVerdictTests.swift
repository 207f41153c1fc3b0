import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The verdict about a value when a part of its schema is broken.
struct SchemaVerdictTests {
  private func verdict(_ schema: String, _ value: String) throws -> SchemaVerdict {
    try SchemaText.schema(schema).verdict(try SchemaText.parse(value))
  }

  @Test func `a broken reference makes validation impossible, and is reported with its position`() throws {
    let schema = ##"{"properties": {"a": {"$ref": "#/no"}}}"##
    guard case .notValidated(let reason) = try verdict(schema, #"{"a": 1}"#) else {
      Issue.record("validated")
      return
    }
    #expect(reason.message == "not validated: the reference `#/no` leads nowhere")
    #expect(reason.schema.pointer.description == "/properties/a/$ref")
  }

  @Test func `an unreachable broken reference has no effect`() throws {
    guard case .accepted = try verdict(##"{"properties": {"a": {"$ref": "#/no"}}}"##, #"{"b": 1}"#) else {
      Issue.record("not accepted")
      return
    }
  }

  @Test func `a failure outside of the broken part is reported`() throws {
    guard case .refused(let failures) = try verdict(##"{"type": "string", "$ref": "#/no"}"##, "1") else {
      Issue.record("not refused")
      return
    }
    #expect(failures.map(\.message).first == "expected string, found number 1")
  }

  @Test(arguments: [
    #"{"$schema": "urn:unknown"}"#, ##"{"$ref": "#"}"##, ##"{"not": {"$ref": "#/no"}}"##,
    #"{"pattern": "^(a+)+$"}"#,
  ])
  func `no other value passes without validation`(schema: String) throws {
    guard case .notValidated = try verdict(schema, #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!""#)
    else {
      Issue.record("validated")
      return
    }
  }
}

/// What can be proved beside what cannot be validated.
struct SchemaDoubtTests {
  private static let runaway = #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!""#

  @Test func `a value with an invalid part is refused, and the part that was not validated is named`() throws {
    let schema = try SchemaText.schema(
      ##"{"properties": {"a": {"$ref": "#/nope"}, "b": {"type": "integer"}, "c": {"pattern": "^(a+)+$"}}}"##)
    let value = try SchemaText.parse(#"{"a": 1, "b": "x", "c": \#(Self.runaway)}"#)
    guard case .refused(let failures) = schema.verdict(value) else {
      Issue.record("not refused")
      return
    }
    #expect(failures.map(\.kind) == [.broken, .notValidated, .notValidated])
    #expect(failures.map(\.instance.description) == ["/b", "/a", "/c"])
    #expect(
      failures.map(\.schema.pointer.description) == [
        "/properties/b/type", "/properties/a/$ref", "/properties/c/pattern",
      ])
  }

  @Test func `an abandoned pattern is reported with the string and its position`() throws {
    let schema = try SchemaText.schema(#"{"items": {"pattern": "^(a+)+$"}}"#)
    guard case .notValidated(let reason) = schema.verdict(try SchemaText.parse(#"["a", \#(Self.runaway)]"#)) else {
      Issue.record("validated")
      return
    }
    #expect(reason.instance.description == "/1")
    #expect(reason.schema.pointer.description == "/items/pattern")
    #expect(reason.help?.contains("fix the schema") == false)
  }

  @Test(arguments: [
    ##"{"anyOf": [{"$ref": "#/nope"}, {"type": "integer"}]}"##, ##"{"not": {"$ref": "#/nope"}}"##,
    ##"{"if": {"$ref": "#/nope"}, "then": {"type": "integer"}}"##,
    // Choices in choices are remembered; what was given up must not be.
    nested(##"{"$ref": "#/nope"}"##), nested(#"{"pattern": "^((a+)+b|a*!)$"}"#),
  ])
  func `a result that depends on an unvalidated part proves nothing`(schema: String) throws {
    let value = JSON.string(String(repeating: "a", count: 60) + "!")
    guard case .notValidated = try SchemaText.schema(schema).verdict(value) else {
      Issue.record("validated")
      return
    }
  }

  private static func nested(_ inner: String) -> String {
    (0..<5).reduce(inner) { inner, _ in #"{"anyOf": [\#(inner), {"maxLength": 0}]}"# }
  }
}

/// Where the text of a value is pointed to.
struct SchemaFailureLocationTests {
  @Test(arguments: [
    (#"{"properties": {"a": {"type": "string"}}}"#, #"{"a": ↓12}"#),
    (#"{"additionalProperties": false}"#, #"{↓"a": 12}"#),
    (#"{"unevaluatedProperties": false}"#, #"{↓"a": [1]}"#),
    (#"{"required": ["a"]}"#, #"↓{}"#),
    (#"{"propertyNames": {"maxLength": 1}}"#, #"{↓"ab": 12}"#),
    (#"{"items": {"minItems": 1}}"#, #"[[1], ↓[]]"#),
    (#"{"additionalProperties": false}"#, #"{"a": 1, ↓"a": 12}"#),
  ])
  func `each failure points to the keyword or value to change`(schema: String, value: String) throws {
    let marked = MarkedText(value)
    let failures = try SchemaText.schema(schema).failures(JSONParser.parse(marked.source).root)
    #expect(failures.compactMap { $0.location.range?.lowerBound } == marked.offsets)
  }
}
