import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// What people read when a value breaks its schema.
struct SchemaFailureTests {
  @Test(arguments: [
    (#"{"type": "string"}"#, "12", [" type: expected string, found number 12"]),
    (#"{"type": "integer"}"#, #""12""#, [#" type: expected integer, found string "12" (write it without quotes)"#]),
    (#"{"type": ["object", "null"]}"#, "[]", [" type: expected object or null, found array"]),
    (#"{"type": "integer"}"#, "1.5", [" type: expected integer, found number 1.5"]),
    (#"{"const": {"a": 1}}"#, "1", [#" const: expected {"a":1}, found number 1"#]),
    (
      #"{"enum": ["open", "closed", null]}"#, #""opne""#,
      [#" enum: expected one of "open", "closed" or null, found string "opne" (did you mean `open`?)"#]
    ),
    (#"{"minimum": 1}"#, "0", [" minimum: expected at least 1, found 0"]),
    (#"{"exclusiveMaximum": 2.5}"#, "2.50", [" exclusiveMaximum: expected less than 2.5, found 2.50"]),
    (#"{"multipleOf": 0.01}"#, "19.999", [" multipleOf: expected a multiple of 0.01, found 19.999"]),
    (#"{"minLength": 2}"#, #""é""#, [#" minLength: expected at least 2 characters, found 1 in "é""#]),
    (#"{"pattern": "^a"}"#, #""b""#, [#" pattern: expected a string that matches `^a`, found "b""#]),
    (#"{"format": "date"}"#, #""2023-02-29""#, [#" format: expected `date` like 2024-02-29, found "2023-02-29""#]),
    (#"{"maxItems": 1}"#, "[1, 2]", [" maxItems: expected at most 1 element, found 2"]),
    (
      #"{"uniqueItems": true}"#, "[1, 2, 1.0]",
      [" uniqueItems: expected unique elements, but elements 0 and 2 are both 1.0"]
    ),
    (
      #"{"items": {"type": "string"}}"#, #"["a", 1, 2]"#,
      ["/1 type: expected string, found number 1", "/2 type: expected string, found number 2"]
    ),
    (#"{"prefixItems": [true], "items": false}"#, "[1, 2, 3]", ["/1 items: expected at most 1 element, found 3"]),
    (
      #"{"contains": {"type": "string"}}"#, "[1]",
      [" contains: expected at least 1 element that fits the type string, found 0"]
    ),
    (#"{"minProperties": 2}"#, #"{"a": 1}"#, [" minProperties: expected at least 2 properties, found 1"]),
    (
      #"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1}"#,
      [#"/ab maxLength: the name of the property: expected at most 1 character, found 2 in "ab""#]
    ),
    (#"{"not": {"required": ["a"]}}"#, #"{"a": 1}"#, [" not: the property `a` is not allowed"]),
    (
      #"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#,
      [" dependentRequired: the property `b` is missing; `a` requires it"]
    ),
    (#"{"properties": {"a": false}}"#, #"{"a": 1}"#, ["/a false: the property `a` is not allowed, found number 1"]),
    (
      #"{"if": {"required": ["id"]}, "then": {"required": ["name"]}}"#, #"{"id": 1}"#,
      [" required: the property `name` is missing"]
    ),
    (
      #"{"properties": {"a": true}, "unevaluatedProperties": false}"#, #"{"a": 1, "b": 2}"#,
      ["/b unevaluatedProperties: the property `b` is not declared, and no others are allowed"]
    ),
    (
      #"{"const": {"a": {"b": [1, 2]}, "c": 3}}"#, #"{"a": {"b": [1, 5]}, "c": 3}"#,
      [#" const: expected {"a":{"b":[1,2]},"c":3}, found object (`/a/b/1` should be 2, not 5)"#]
    ),
    (#"{"const": {"a": 1}}"#, #"{}"#, [#" const: expected {"a":1}, found object (`/a` is missing)"#]),
    (
      #"{"const": [1]}"#, #"[1, 2]"#,
      [" const: expected [1], found array (it should have 1 element, not 2)"]
    ),
    (#"{"pattern": "^\\d{5}$"}"#, #""1234""#, [#" pattern: expected a string that matches `^\d{5}$`, found "1234""#]),
    (
      #"{"contains": {"minimum": 3}, "minContains": 2, "maxContains": 3}"#, "[5]",
      [" minContains: expected at least 2 elements that fit `minimum`: 3, found 1"]
    ),
    (
      #"{"contains": {"const": "x"}, "maxContains": 1}"#, #"["x", "x"]"#,
      [#" maxContains: expected at most 1 element that fits the value "x", found 2"#]
    ),
    (
      #"{"not": {"type": "string"}}"#, #""a""#,
      [#" not: expected a value that does not fit the type string, found string "a""#]
    ),
    (
      #"{"prefixItems": [{}], "unevaluatedItems": false}"#, "[1, 2]",
      ["/1 unevaluatedItems: element 1 has no schema, and no others are allowed"]
    ),
    (
      #"{"format": "int32"}"#, "2147483648",
      [" format: expected a whole number from -2147483648 to 2147483647, found 2147483648"]
    ),
    (#"{"required": ["b"]}"#, #"{"x": 1}"#, [" required: the property `b` is missing"]),
    (
      #"{"additionalProperties": false}"#, #"{"x": 1}"#,
      [
        "/x additionalProperties: the property `x` is not declared, and no others are allowed (no properties are declared)"
      ]
    ),
  ])
  func `the message of each keyword has the expected and the found value`(
    schema: String, value: String, expected: [String]
  ) throws {
    #expect(try SchemaText.failures(schema, value) == expected)
  }

  @Test func `long values are cut, and large values are described`() throws {
    let text = String(repeating: "x", count: 500)
    #expect(
      try SchemaText.failures(#"{"type": "integer"}"#, #""\#(text)""#) == [
        #" type: expected integer, found string "\#(text.prefix(76))..."#
      ])
    #expect(
      try SchemaText.failures(#"{"const": {"a": 1, "b": "\#(text)"}}"#, "1") == [
        " const: expected an object of 2 properties, found number 1"
      ])
    #expect(
      try SchemaText.failures(#"{"const": {"a": 1, "b": "\#(text)"}}"#, #"{"a": 2, "b": "\#(text)"}"#) == [
        " const: expected an object of 2 properties, found object (`/a` should be 1, not 2)"
      ])
  }

  @Test func `a misspelt property is reported twice, each time with the other name`() throws {
    let schema = #"{"properties": {"name": {}}, "required": ["name"], "additionalProperties": false}"#
    #expect(
      try SchemaText.failures(schema, #"{"nmae": 1}"#) == [
        "/nmae additionalProperties: the property `nmae` is not declared, and no others are allowed (did you mean `name`?)",
        " required: the property `name` is missing (a similar property exists: `nmae`)",
      ])
  }

  @Test func `every failure has its position in the value and in the schema`() throws {
    let schema = try SchemaText.parse(#"{"properties": {"a/b": {"items": {"minimum": 3}}}}"#)
    let failures = SchemaLibrary(dialect: .draft7).schema(at: schema)
      .failures(try SchemaText.parse(#"{"a/b": [1, 5, 2]}"#))
    #expect(failures.map(\.instance.description) == ["/a~1b/0", "/a~1b/2"])
    #expect(failures.map(\.schema.pointer.description) == Array(repeating: "/properties/a~1b/items/minimum", count: 2))
    #expect(failures.map(\.value) == [1, 2])
  }

  @Test func `no more failures are reported than the limit allows`() throws {
    let schema = try SchemaText.schema(#"{"items": {"type": "string"}}"#)
    #expect(schema.failures(JSON.array((0..<500).map { JSON(integerLiteral: $0) }), limit: 7).count == 7)
  }
}

/// `anyOf` and `oneOf` name the branch that was probably meant.
struct ChoiceFailureTests {
  @Test func `if every branch expects another type, the message has only the types`() throws {
    #expect(
      try SchemaText.failures(#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#, "1") == [
        " oneOf: expected string or null, found number 1"
      ])
  }

  @Test func `if every branch requires one property, the message has only the names`() throws {
    #expect(
      try SchemaText.failures(#"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, "{}") == [
        " anyOf: expected one of the properties `a` or `b`"
      ])
  }

  private let pets = """
    {
      "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
      "discriminator": {"propertyName": "kind", "mapping": {"hound": "#/components/schemas/Dog"}},
      "components": {"schemas": {
        "Cat": {"properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}, "required": ["lives"]},
        "Dog": {"properties": {"kind": {"type": "string"}, "lives": {"type": "string"}, "barks": {"type": "boolean"}},
                "required": ["barks", "lives"]}
      }}
    }
    """

  @Test(arguments: ["Dog", "hound"])
  func `a discriminator chooses the branch`(kind: String) throws {
    #expect(
      try SchemaText.failures(pets, #"{"kind": "\#(kind)", "lives": null}"#, .openAPI31) == [
        " oneOf: fits none of 2 alternatives; the nearest is `Dog`",
        "/lives type: expected string, found null (the schema does not allow null here)",
        " required: the property `barks` is missing",
      ])
  }

  @Test func `a discriminator never changes the result`() throws {
    let schema = try SchemaText.schema(pets, .openAPI31)
    #expect(schema.accepts(["kind": "unknown", "lives": 9]))
    #expect(schema.accepts(["kind": "Dog", "lives": 9]))
  }

  @Test func `without a discriminator the fewest failures win`() throws {
    #expect(
      try SchemaText.failures(pets, #"{"lives": "nine"}"#) == [
        " oneOf: fits none of 2 alternatives; the nearest is `Cat`",
        #"/lives type: expected integer, found string "nine""#,
      ])
  }

  @Test func `several branches that fit are named`() throws {
    #expect(
      try SchemaText.failures(#"{"oneOf": [{"title": "A"}, {"minimum": 5}, {"title": "C"}]}"#, "1") == [
        " oneOf: expected exactly one of 3 alternatives to fit, found 2: `A` and `C`"
          + " (make the alternatives exclude each other, or use anyOf)"
      ])
  }
}
