import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// That explaining costs little, never turns a refusal into a doubt, and always comes to the cause.
struct FailureCollectorTests {
  private func refusal(_ schema: String, _ value: String, limit: Int = 100) throws -> [SchemaFailure] {
    let (schema, value) = (try SchemaText.schema(schema), try SchemaText.parse(value))
    guard case .refused(let failures) = try SmallStack.runLarge({ schema.verdict(value, limit: limit) }) else {
      Issue.record("not refused")
      return []
    }
    return failures
  }

  private func nested(_ levels: Int, _ open: String, _ innermost: String, _ close: String) -> String {
    String(repeating: open, count: levels) + innermost + String(repeating: close, count: levels)
  }

  @Test func `a wrong leaf nine hundred levels deep is found`() throws {
    let schema = ##"{"properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}, "type": "object"}"##
    let failures = try refusal(schema, nested(900, #"{"v": 1, "next": "#, #"{"v": "x"}"#, "}"))
    #expect(failures.map(\.message) == [#"expected integer, found string "x""#])
    #expect(failures.first?.instance.tokens.count == 901)
  }

  /// A leaf and four operators, distinguished by `op`.
  private static let expression: String = {
    let operators = ["add", "sub", "mul", "div"].map { name in
      ##""\##(name)": {"type": "object", "properties": {"op": {"const": "\##(name)"}, "left": {"$ref": "#/$defs/e"}, "right": {"$ref": "#/$defs/e"}}, "required": ["op", "left", "right"]}"##
    }
    return ##"""
      {"$ref": "#/$defs/e", "$defs": {
        "leaf": {"properties": {"op": {"const": "leaf"}, "value": {"type": "number"}}, "required": ["op", "value"]},
        \##(operators.joined(separator: ",")),
        "e": {"oneOf": [{"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/add"}, {"$ref": "#/$defs/sub"},
                        {"$ref": "#/$defs/mul"}, {"$ref": "#/$defs/div"}]}}}
      """##
  }()

  private func tree(_ depth: Int, isWrong: Bool = true) -> String {
    guard depth > 0 else { return #"{"op": "leaf", "value": \#(isWrong ? #""x""# : "1")}"# }
    return """
      {"op": "add", "left": \(tree(depth - 1, isWrong: false)), "right": \(tree(depth - 1, isWrong: isWrong))}
      """
  }

  @Test(arguments: [9, 12])
  func `each level of an expression tree names its operator, and the wrong leaf comes last`(depth: Int) throws {
    let failures = try refusal(Self.expression, tree(depth))
    #expect(failures.first?.message == "fits none of 5 alternatives; the nearest is `add`")
    #expect(failures.last?.message == #"expected number, found string "x""#)
    #expect(failures.last?.instance.tokens == Array(repeating: "right", count: depth) + ["value"])
    #expect(failures.allSatisfy { $0.kind == .broken })
  }

  @Test func `with the errors of all alternatives the cause is among them`() throws {
    let library = SchemaLibrary(dialect: .draft2020, traces: true)
    let schema = library.schema(at: try SchemaText.parse(Self.expression))
    let failures = schema.failures(try SchemaText.parse(tree(9)), limit: 1_000)
    #expect(failures.contains { $0.message == #"expected number, found string "x""# })
  }

  @Test(arguments: [100, 480])
  func `a chain of choices ends with its cause`(levels: Int) throws {
    let schema = ##"""
      {"oneOf": [
        {"properties": {"kind": {"const": "a"}, "n": {"$ref": "#"}, "z": {"type": "integer"}}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}, "n": {"$ref": "#"}}, "required": ["kind"]}]}
      """##
    let value = nested(levels, #"{"kind": "a", "n": "#, #"{"kind": "a", "z": "bad"}"#, "}")
    for limit in [10, 20, 100] {
      let failures = try refusal(schema, value, limit: limit)
      #expect(failures.last?.message == #"expected integer, found string "bad""#)
      #expect(failures.count <= 10)
    }
  }

  @Test func `indistinguishable alternatives are refused, not abandoned`() throws {
    let branches = ["a", "b", "c", "d"].map {
      ##"{"type": "object", "properties": {"l": {"$ref": "#"}, "\##($0)": {"type": "integer"}}}"##
    }
    let schema = #"{"anyOf": [{"type": "integer"}, "# + branches.joined(separator: ",") + "]}"
    let failures = try refusal(schema, nested(7, #"{"l": "#, #""x""#, "}"))
    #expect(failures.contains { $0.instance.tokens.count == 7 && $0.message.hasSuffix(#"found string "x""#) })
  }

  private func object(_ prefix: String, _ count: Int, _ value: String) -> String {
    "{" + (0..<count).map { "\"\(prefix)\($0)\": \(value)" }.joined(separator: ",") + "}"
  }

  @Test func `twenty thousand missing names among twenty thousand others cost no more than their sum`() throws {
    let names = (0..<20_000).map { "\"r\($0)\"" }.joined(separator: ",")
    let failures = try refusal(#"{"required": [\#(names)]}"#, object("s", 20_000, "1"))
    #expect(failures.first?.message == "the property `r0` is missing")
    #expect(failures.first?.help == "a similar property exists: `s0`")
    #expect(failures.last?.message == "and at least 1000 more failures, not listed")
  }

  @Test func `twenty thousand undeclared names beside twenty thousand others cost no more than their sum`() throws {
    let schema = #"{"properties": \#(object("r", 20_000, "{}")), "additionalProperties": false}"#
    let failures = try refusal(schema, object("s", 20_000, "1"))
    #expect(failures.first?.help == "did you mean `r0`?")
    #expect(failures[99].help == "r0, r1, r2, r3, r4, r5, r6, r7 and 19992 more are declared")
  }

  @Test func `a thousand values outside of a hundred thousand are reported in all formats`() throws {
    let values = (0..<100_000).map { "\"v\($0)\"" }.joined(separator: ",")
    let wrong = (0..<1_000).map { "\"w\($0)\"" }.joined(separator: ",")
    let library = SchemaLibrary(dialect: .draft2020, traces: true)
    let schema = library.schema(at: try SchemaText.parse(#"{"items": {"enum": [\#(values)]}}"#))
    #expect(schema.failures(try SchemaText.parse("[\(wrong)]"), limit: 1_000).count == 1_000)
  }

  @Test func `a thousand broken references beside a thousand names are reported`() throws {
    let references = (0..<1_000).map { ##"{"$ref": "#/$defs/nope\##($0)"}"## }.joined(separator: ",")
    let schema = try SchemaText.schema(#"{"allOf": [\#(references)], "$defs": \#(object("name", 1_000, "true"))}"#)
    #expect(schema.problems.count == 1_000)
  }

  @Test func `failures beyond the limit are counted`() throws {
    let elements = (0..<500).map(String.init).joined(separator: ",")
    let failures = try refusal(#"{"items": {"type": "string"}}"#, "[\(elements)]")
    #expect(failures.count == 101)
    #expect(failures.last?.kind == .more)
    #expect(failures.last?.message == "and 400 more failures, not listed")
    #expect(try refusal(#"{"type": "string"}"#, "1", limit: 1).count == 1)
  }

  @Test func `a keyword on thousands of paths fails once`() throws {
    let links = (1...14).map {
      ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 - 1)"}, {"$ref": "#/$defs/d\##($0 - 1)"}]}"##
    }
    let schema =
      ##"{"$ref": "#/$defs/d14", "$defs": {"d0": {"type": "string"}, "## + links.joined(separator: ",") + "}}"
    #expect(try refusal(schema, "1").map(\.message) == ["expected string, found number 1"])
  }

  @Test func `an unevaluated child is found beside explained parts`() throws {
    let schema = ##"""
      {"$ref": "#/$defs/a", "properties": {"x": {"type": "integer"}}, "unevaluatedProperties": false,
       "$defs": {"a": {"properties": {"name": true}}}}
      """##
    #expect(
      try SchemaText.failures(schema, #"{"x": 1, "nmae": 2}"#) == [
        "/nmae unevaluatedProperties: the property `nmae` is not declared, and no others are allowed (did you mean `name`?)"
      ])
  }

  /// Where the collector finds no cause for what the evaluator refuses, it reports a value that was not looked into.
  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"), arguments: SuiteFile.all)
  func `every refusal of the official suite comes with its cause`(file: SuiteFile) throws {
    let dialect = try #require(SuiteFile.dialects[file.draft].flatMap { Dialect(uri: $0) })
    for group in try file.groups() {
      let library = SchemaLibrary(
        dialect: dialect, assertsFormats: file.promise == .formats ? .always : .never,
        assertsContent: file.promise == .content, load: { SuiteFile.remotes[$0] })
      let schema = library.schema(at: JSON.make { $0.append(group.schema) })
      for test in group.tests {
        for failure in schema.failures(test.data) where failure.kind == .broken {
          #expect(!failure.message.contains("not looked into"), "\(test.name)")
        }
      }
    }
  }
}
