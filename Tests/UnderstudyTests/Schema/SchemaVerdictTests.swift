import Testing
import Understudy

/// What can be said about a value when a part of its schema is broken.
struct SchemaVerdictTests {
  private func verdict(_ schema: String, _ value: String) throws -> Schema.Verdict {
    try SchemaText.schema(schema).verdict(try SchemaText.parse(value))
  }

  @Test func `a broken reference on the way makes a verdict impossible, and is named with its place`() throws {
    let schema = ##"{"properties": {"a": {"$ref": "#/no"}}}"##
    guard case .notJudged(let reason) = try verdict(schema, #"{"a": 1}"#) else {
      Issue.record("judged")
      return
    }
    #expect(reason.message == "not judged: the reference `#/no` leads nowhere")
    #expect(reason.schema.pointer.description == "/properties/a/$ref")
  }

  @Test func `a broken reference that nothing leads to does not matter`() throws {
    guard case .accepted = try verdict(##"{"properties": {"a": {"$ref": "#/no"}}}"##, #"{"b": 1}"#) else {
      Issue.record("not accepted")
      return
    }
  }

  @Test func `what is wrong without the broken part is wrong`() throws {
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
  func `nothing else that is not judged passes either`(schema: String) throws {
    guard case .notJudged = try verdict(schema, #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!""#) else {
      Issue.record("judged")
      return
    }
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
  func `each failure points to what has to be changed`(schema: String, value: String) throws {
    let marked = MarkedPlaces(value)
    let source = SourceFile(path: "value.json", text: marked.text)
    let failures = try SchemaText.schema(schema).failures(JSONParser.parse(source).root)
    #expect(failures.compactMap { $0.location.range?.lowerBound } == marked.offsets)
  }
}
