import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Annotations in the standard output formats (Core 2020-12, 12.4), and what bounds them.
struct AnnotationOutputTests {
  private struct Traced {
    let library: SchemaLibrary
    let output: SchemaOutput
    let schema: Schema

    init(_ text: String) throws {
      let node = try SchemaText.parse(text)
      library = SchemaLibrary(dialect: .draft2020, traces: true)
      output = SchemaOutput(of: node, in: library, base: "file:///here/")
      schema = library.schema(at: node)
    }

    func basic(_ value: JSON) -> JSON { output.basic(schema.verdict(value), annotations(value)) }
    func detailed(_ value: JSON) -> JSON { output.detailed(schema.verdict(value), annotations(value)) }

    func annotations(_ value: JSON, limit: Int = 1 << 20) -> Annotations {
      schema.annotations(of: value, for: output, limit: limit)
    }
  }

  private static let polygon = """
    {
      "$id": "https://example.com/polygon", "title": "Polygon",
      "$defs": {"point": {"description": "A point", "properties": {"x": {"type": "number", "default": 0}}}},
      "items": {"$ref": "#/$defs/point"}
    }
    """

  @Test func `basic is a flat list with both ways to each keyword`() throws {
    #expect(
      JSONWriter.text(try Traced(Self.polygon).basic([["x": 1]]), .pretty) == """
        {
          "valid": true,
          "keywordLocation": "",
          "absoluteKeywordLocation": "https://example.com/polygon#",
          "instanceLocation": "",
          "annotations": [
            {
              "valid": true,
              "keywordLocation": "/title",
              "absoluteKeywordLocation": "https://example.com/polygon#/title",
              "instanceLocation": "",
              "annotation": "Polygon"
            },
            {
              "valid": true,
              "keywordLocation": "/items",
              "absoluteKeywordLocation": "https://example.com/polygon#/items",
              "instanceLocation": "",
              "annotation": true
            },
            {
              "valid": true,
              "keywordLocation": "/items/$ref/description",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/description",
              "instanceLocation": "/0",
              "annotation": "A point"
            },
            {
              "valid": true,
              "keywordLocation": "/items/$ref/properties",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/properties",
              "instanceLocation": "/0",
              "annotation": [
                "x"
              ]
            },
            {
              "valid": true,
              "keywordLocation": "/items/$ref/properties/x/default",
              "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/properties/x/default",
              "instanceLocation": "/0/x",
              "annotation": 0
            }
          ]
        }
        """)
  }

  @Test func `detailed nests the units of an applicator below it, and leaves out levels with one unit`() throws {
    let detailed = try Traced(Self.polygon).detailed([["x": 1], [:]])
    let annotations = try #require(detailed["annotations"])
    #expect(annotations.elements.map { $0["keywordLocation"] } == ["/title", "/items"])
    #expect(annotations[0]?["annotations"] == nil)
    #expect(annotations[1]?["annotation"] == true)
    let points = try #require(annotations[1]?["annotations"])
    #expect(points.elements.map { $0["keywordLocation"] } == ["/items/$ref", "/items/$ref"])
    #expect(points.elements.map { $0["instanceLocation"] } == ["/0", "/1"])
    #expect(points[0]?["absoluteKeywordLocation"] == "https://example.com/polygon#/$defs/point")
    #expect(points[0]?["annotation"] == nil)
    let properties = try #require(points[0]?["annotations"]?[1])
    #expect(properties["annotation"] == ["x"])
    #expect(properties["annotations"]?.elements.map { $0["keywordLocation"] } == ["/items/$ref/properties/x/default"])
  }

  @Test func `an applicator without annotation holds its units, unless there is only one`() throws {
    let two = try Traced(#"{"allOf": [{"title": "a"}, {"type": "string"}, {"title": "b"}]}"#).detailed("x")
    #expect(two["annotations"]?.elements.map { $0["keywordLocation"] } == ["/allOf"])
    #expect(two["annotations"]?[0]?["annotations"]?.elements.map { $0["annotation"] } == ["a", "b"])
    let one = try Traced(#"{"allOf": [{"allOf": [{"title": "a"}]}, {"allOf": [{"type": "string"}]}]}"#).detailed("x")
    #expect(one["annotations"]?.elements.map { $0["keywordLocation"] } == ["/allOf/0/allOf/0/title"])
    #expect(one["annotations"]?[0]?["annotation"] == "a")
  }

  @Test func `the root stays, even when it holds one annotation only`() throws {
    let output = try Traced(#"{"allOf": [{"title": "a"}]}"#).detailed("x")
    #expect(output["keywordLocation"] == "")
    #expect(output["annotation"] == nil)
    #expect(output["annotations"]?[0]?["keywordLocation"] == "/allOf/0/title")
  }

  @Test(arguments: ["true", "{}", #"{"type": "integer"}"#])
  func `a schema without annotations has no list of them`(text: String) throws {
    let schema = try Traced(text)
    #expect(schema.basic(5).members.map(\.name).last == "instanceLocation")
    #expect(schema.detailed(5) == schema.basic(5))
  }

  @Test func `a value that does not fit has errors and no annotations`() throws {
    let schema = try Traced(
      #"{"title": "T", "properties": {"a": {"title": "A", "type": "string"}, "b": {"title": "B"}}}"#)
    for output in [schema.basic(["a": 1, "b": 2]), schema.detailed(["a": 1, "b": 2])] {
      #expect(output["annotations"] == nil)
      #expect(output["errors"]?.elements.map { $0["keywordLocation"] } == ["/properties/a/type"])
    }
  }

  @Test func `absolute locations include identifiers and odd names`() throws {
    let schema = try Traced(
      """
      {
        "$id": "https://example.com/root",
        "properties": {"a/b %": {"title": "A"}, "c": {"$id": "inner", "properties": {"d": {"title": "D"}}}}
      }
      """)
    let units = try #require(schema.basic(["a/b %": 1, "c": ["d": 2]])["annotations"])
    #expect(
      units.elements.filter { $0["annotation"]?.isString == true }.map { $0["absoluteKeywordLocation"] } == [
        "https://example.com/root#/properties/a~1b%20%25/title", "https://example.com/inner#/properties/d/title",
      ])
    #expect(units[1]?["keywordLocation"] == "/properties/a~1b %/title")
    #expect(units[1]?["instanceLocation"] == "/a~1b %")
  }

  // MARK: - Bounds

  @Test func `annotations are bounded, and the output reports the rest as missing`() throws {
    let schema = try Traced(#"{"items": {"title": "T"}}"#)
    let value = JSON.array((0..<1_000).map { _ in 1 })
    #expect(schema.annotations(value).gap == nil)
    #expect(schema.annotations(value).list.count == 1_001)
    let cut = schema.annotations(value, limit: 50_000)
    #expect(cut.gap == "not all annotations are listed: there are too many")
    #expect(cut.list.count < 500)
  }

  @Test func `schemas that double the work with every level are bounded`() throws {
    let levels = (1..<60).map { level in
      let inner = ##"{"$ref": "#/$defs/a\##(level - 1)"}"##
      return #""a\#(level)": {"anyOf": [true, \#(inner), \#(inner)]}"#
    }
    let schema = try Traced(
      ##"{"$ref": "#/$defs/a59", "$defs": {"a0": {"title": "leaf"}, \##(levels.joined(separator: ", "))}}"##)
    #expect(schema.annotations(1).gap == "not all annotations are listed: there are too many")
  }

  @Test func `a value of the greatest depth is annotated down to its innermost part`() throws {
    let depth = 990
    let text = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    let (gap, count) = try SmallStack.runLarge {
      let schema = try Traced(##"{"properties": {"a": {"$ref": "#"}}}"##)
      let annotations = schema.annotations(try JSONParser.parse(Array(text.utf8)).root, limit: 64 << 20)
      return (annotations.gap, annotations.list.count)
    }
    #expect(gap == nil)
    #expect(count == depth)
  }

  @Test func `a circle that validation never enters is reported`() throws {
    let schema = try Traced(##"{"title": "T", "if": {"$ref": "#"}}"##)
    #expect(schema.schema.problems.isEmpty)
    let annotations = schema.annotations(1, limit: 64 << 20)
    #expect(annotations.gap == "not all annotations are listed: they are nested deeper than 6000 levels")
  }

  @Test func `a broken alternative behind one that fits is reported`() throws {
    let schema = try Traced(##"{"anyOf": [{"title": "a"}, {"$ref": "#/nowhere"}]}"##)
    guard case .accepted = schema.schema.verdict(1) else {
      Issue.record("the first alternative fits")
      return
    }
    #expect(
      schema.annotations(1).gap == "not all annotations are listed: the reference `#/nowhere` leads nowhere")
  }
}
