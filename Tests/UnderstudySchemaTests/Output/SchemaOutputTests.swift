import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The standard output formats (Core 2020-12, 12).
struct SchemaOutputTests {
  /// A schema that traces, and its outputs.
  private struct Traced {
    let node: JSON
    let library: SchemaLibrary
    let output: SchemaOutput

    init(_ text: String) throws {
      self.init(try SchemaText.parse(text), .draft2020)
    }

    init(_ node: JSON, _ dialect: Dialect, formats: FormatAssertion = .never, content: Bool = false) {
      self.node = node
      library = SchemaLibrary(
        dialect: dialect, assertsFormats: formats, assertsContent: content, traces: true,
        load: { SuiteFile.remotes[$0] })
      output = SchemaOutput(of: node, in: library, base: "file:///here/")
    }

    func verdict(_ value: JSON) -> SchemaVerdict { library.schema(at: node).verdict(value, limit: 10_000) }
  }

  private static let polygon = """
    {
      "$id": "https://example.com/polygon",
      "$defs": {"point": {"properties": {"x": {"type": "number"}}, "required": ["x", "y"]}},
      "type": "array", "items": {"$ref": "#/$defs/point"}, "minItems": 3
    }
    """

  @Test func `basic is a flat list with both ways to each keyword`() throws {
    let schema = try Traced(Self.polygon)
    let basic = schema.output.basic(schema.verdict([["x": 1, "y": 2], ["x": "a"]]))
    #expect(
      JSONWriter.text(basic, .pretty) == """
        {
          "valid": false,
          "keywordLocation": "",
          "absoluteKeywordLocation": "https://example.com/polygon#",
          "instanceLocation": "",
          "errors": [
            {
              "valid": false,
              "keywordLocation": "/minItems",
              "absoluteKeywordLocation": "https://example.com/polygon#/minItems",
              "instanceLocation": "",
              "error": "expected at least 3 elements, found 2"
            },
            {
              "valid": false,
              "keywordLocation": "/items/$ref",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point",
              "instanceLocation": "/1",
              "error": "a subschema has errors"
            },
            {
              "valid": false,
              "keywordLocation": "/items/$ref/properties/x/type",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/properties/x/type",
              "instanceLocation": "/1/x",
              "error": "expected number, found string \\"a\\""
            },
            {
              "valid": false,
              "keywordLocation": "/items/$ref/required",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/required",
              "instanceLocation": "/1",
              "error": "the property `y` is missing"
            }
          ]
        }
        """)
  }

  @Test func `detailed nests related errors and leaves out levels with one error`() throws {
    let schema = try Traced(Self.polygon)
    let detailed = schema.output.detailed(schema.verdict([[:], ["x": "a", "y": 1], 3]))
    let errors = try #require(detailed["errors"])
    #expect(
      errors.elements.map { $0["keywordLocation"] } == [
        "/items/$ref", "/items/$ref/properties/x/type",
      ])
    #expect(
      errors[0]?["errors"]?.elements.map { $0["error"] } == [
        "the property `x` is missing", "the property `y` is missing",
      ])
    #expect(errors[0]?["error"] == nil)
    #expect(errors[1]?["instanceLocation"] == "/1/x")
  }

  @Test func `every alternative is below its choice`() throws {
    let schema = try Traced(#"{"oneOf": [{"type": "string"}, {"minimum": 5, "multipleOf": 2}]}"#)
    let choice = try #require(schema.output.detailed(schema.verdict(1))["errors"]?[0])
    #expect(choice["keywordLocation"] == "/oneOf")
    #expect(choice["error"] == "fits none of 2 alternatives; the nearest is number 2")
    #expect(choice["errors"]?.elements.map { $0["keywordLocation"] } == ["/oneOf/0/type", "/oneOf/1"])
    #expect(choice["errors"]?[1]?["errors"]?.count == 2)
  }

  @Test func `a failure on each of two hundred levels is written on a small stack`() throws {
    let schema = try Traced(##"{"required": ["b"], "properties": {"a": {"$ref": "#"}}}"##)
    let text = (0..<200).reduce("1") { inner, _ in #"{"a": \#(inner)}"# }
    let verdict = schema.verdict(try SchemaText.parse(text))
    let output = SmallStack.run(bytes: 128 << 10) {
      [schema.output.basic(verdict), schema.output.detailed(verdict)]
    }
    // Of each level what is missing and, but for the outermost and the last, around it the reference that leads there.
    #expect(output?.map { $0["errors"]?.count } == [200 + 198, 2])
  }

  @Test func `empty parts that double are not counted one by one`() throws {
    let doubling = (0..<40).map { level in
      ##""d\##(level)": {"allOf": [{"$ref": "#/$defs/d\##(level + 1)"}, {"$ref": "#/$defs/d\##(level + 1)"}]}"##
    }
    let schema = try Traced(
      ##"{"anyOf": [{"$ref": "#/$defs/d0"}, {"type": "integer"}], "$defs": {"d40": {}, "##
        + doubling.joined(separator: ", ") + "}}")
    guard case .notValidated = schema.library.schema(at: schema.node).verdict(1, fuel: 100_000) else {
      Issue.record("it was validated")
      return
    }
  }

  @Test func `the root stays, even when it holds one error only`() throws {
    let schema = try Traced(#"{"allOf": [{"type": "string"}]}"#)
    let detailed = schema.output.detailed(schema.verdict(1))
    #expect(detailed["keywordLocation"] == "")
    #expect(detailed["errors"]?[0]?["keywordLocation"] == "/allOf/0/type")
  }

  @Test func `a boolean schema fails as a whole`() throws {
    let schema = try Traced(#"{"properties": {"a": false}}"#)
    #expect(schema.output.basic(schema.verdict(["a": 1]))["errors"]?[0]?["keywordLocation"] == "/properties/a")
    let nothing = try Traced("false")
    #expect(nothing.output.detailed(nothing.verdict(1))["error"] == "no value is allowed here, found number 1")
  }

  @Test func `a value that fits has no errors, and without annotations no list of them`() throws {
    let schema = try Traced("true")
    #expect(
      JSONWriter.text(schema.output.basic(schema.verdict(1)))
        == #"{"valid":true,"keywordLocation":"","absoluteKeywordLocation":"file:///here/schema.json#","instanceLocation":""}"#
    )
  }

  @Test func `a value that was not validated is not valid, with a reason`() throws {
    let schema = try Traced(##"{"$ref": "#/no"}"##)
    #expect(
      schema.output.detailed(schema.verdict(1))["error"] == "not validated: the reference `#/no` leads nowhere")
  }

  /// The rules of the specification's own schema for output, and that both locations of a unit lead to one place.
  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"), arguments: SuiteFile.all)
  func `outputs for the official suite obey the specification`(file: SuiteFile) throws {
    let dialect = try #require(SuiteFile.dialects[file.draft].flatMap { Dialect(uri: $0) })
    for group in try file.groups() {
      let schema = Traced(
        JSON.make { $0.append(group.schema) }, dialect, formats: file.promise == .formats ? .always : .never,
        content: file.promise == .content)
      for test in group.tests {
        let verdict = schema.verdict(test.data)
        guard case .refused = verdict else {
          Self.checkAnnotations(schema, verdict, test.data, test.name)
          continue
        }
        let basic = schema.output.basic(verdict)
        for unit in (basic["errors"] ?? [basic]).elements {
          #expect(unit["errors"] == nil)
          Self.check(unit, schema.node, schema.library, test.data, test.name)
        }
        var pending = [schema.output.detailed(verdict)]
        while let unit = pending.popLast() {
          Self.check(unit, schema.node, schema.library, test.data, test.name)
          pending += unit["errors"]?.elements.map { $0 } ?? []
        }
      }
    }
  }

  /// That the annotations of the tree are those of the list, in the same order, and their locations lead to one place.
  private static func checkAnnotations(_ schema: Traced, _ verdict: SchemaVerdict, _ value: JSON, _ test: String) {
    let annotations = schema.library.schema(at: schema.node).annotations(of: value, for: schema.output)
    #expect(annotations.gap == nil, "\(test)")
    let listed = elements(schema.output.basic(verdict, annotations)["annotations"])
    var found: [JSON] = []
    var pending = Array(elements(schema.output.detailed(verdict, annotations)["annotations"]).reversed())
    while let unit = pending.popLast() {
      #expect(unit["valid"] == true, "\(test)")
      #expect(unit["annotation"] != nil || (unit["annotations"]?.count ?? 0) > 1, "\(test)")
      checkLocations(unit, schema.node, schema.library, value, test)
      if unit["annotation"] != nil {
        found.append(.object(unit.members.filter { $0.name != "annotations" }.map { ($0.name, $0.value) }))
      }
      pending += elements(unit["annotations"]).reversed()
    }
    #expect(listed == found, "\(test)")
  }

  private static func elements(_ list: JSON?) -> [JSON] { list.map { Array($0.elements) } ?? [] }

  private static func check(_ unit: JSON, _ schema: JSON, _ library: SchemaLibrary, _ value: JSON, _ test: String) {
    #expect(unit["valid"] == false, "\(test)")
    #expect(unit["error"]?.isString == true || (unit["errors"]?.count ?? 0) > 0, "\(test)")
    checkLocations(unit, schema, library, value, test)
  }

  private static func checkLocations(
    _ unit: JSON, _ schema: JSON, _ library: SchemaLibrary, _ value: JSON, _ test: String
  ) {
    let instance = unit["instanceLocation"]?.string.flatMap { JSONPointer($0) }
    #expect(instance.flatMap { value[$0] } != nil, "\(test)")
    guard let route = unit["keywordLocation"]?.string.flatMap({ JSONPointer($0) }) else {
      Issue.record("\(test): no keywordLocation")
      return
    }
    guard !route.tokens.contains(where: { $0 == "$dynamicRef" || $0 == "$recursiveRef" }) else { return }
    var (place, parent) = (schema, schema)
    for token in route.tokens {
      let isReference = token == "$ref" && place["$ref"]?.isString == true
      let next = isReference ? library.target(ofReference: place) : place[JSONPointer([token])]
      guard let next else {
        Issue.record("\(test): \(route) leads nowhere at \(token)")
        return
      }
      (place, parent) = (next, place)
    }
    // A keyword belongs to the schema that holds it, even when its value has an identifier of its own.
    let location =
      unit["annotation"] == nil
      ? library.absoluteLocation(of: place)
      : library.absoluteLocation(of: parent) + JSONPointer(Array(route.tokens.suffix(1))).fragment
    let absolute = URIReference(location).resolved(against: URIReference("file:///here/"))
    #expect(unit["absoluteKeywordLocation"]?.string == absolute.description, "\(test)")
  }
}
