import Testing
import UnderstudySchema

@Suite struct SampleGeneratorTests {
  @Test func `the smallest sample has required properties alone, also where an example has others`() throws {
    let library = SchemaLibrary(dialect: .openAPI31)
    let schema = """
      {"type": "object", "required": ["a", "c"], "example": {"a": 1, "b": 2, "c": {"d": 3, "e": 4}}, "properties": {
        "a": {"type": "integer", "example": 7}, "b": {"type": "integer"},
        "c": {"type": "object", "required": ["d"], "properties": {"d": {"type": "integer"}, "e": {"type": "integer"}}}}}
      """
    let node = try JSONParser.parse(Array(schema.utf8)).root
    for seed in ["0", "1", "2", "3"] {
      let generator = SampleGenerator(schemas: library, seed: seed)
      let value = try #require(generator.smallestSample(of: node, direction: .request))
      #expect(value.distinctMembers.map(\.name) == ["a", "c"])
      #expect(value["c"]?.distinctMembers.map(\.name) == ["d"])
    }
  }

  /// Each schema has the next in two required properties, so that the smallest value has 2^30 parts.
  @Test func `a schema whose smallest value is too large costs one attempt`() throws {
    let schemas = (0..<30).map { level in
      let next = ##"{"$ref": "#/$defs/S\##(level + 1)"}"##
      return
        ##""S\##(level)": {"type": "object", "required": ["a", "b"], "properties": {"a": \##(next), "b": \##(next)}}"##
    }
    let text = ##"{"$ref": "#/$defs/S0", "$defs": {\##(schemas.joined(separator: ", ")), "S30": {"type": "string"}}}"##
    let node = try JSONParser.parse(Array(text.utf8)).root
    let generator = SampleGenerator(schemas: SchemaLibrary(dialect: .openAPI31), seed: "0")
    let budget = WorkBudget(2_000_000)
    #expect(generator.sample(of: node, direction: .response, within: budget) == nil)
    #expect(JSONWriter.text(generator.bestEffort(of: node, direction: .response, within: budget)) == "{}")
    #expect(!budget.isExceeded)
    #expect(generator.conflict(of: node)?.reason == "the smallest value has more than 30000 parts")
  }

  /// A schema, and the plain sample that it must give.
  static let plain: [(schema: String, sample: String)] = [
    (#"{"type": "boolean"}"#, "true"),
    (#"{"type": "null"}"#, "null"),
    (#"{"type": ["null", "integer"]}"#, "1"),
    (#"{"const": {"a": [1]}}"#, #"{"a":[1]}"#),
    (#"{"enum": [null, "b", "a"]}"#, #""b""#),
    (#"{"type": "string", "enum": [1, "a"]}"#, #""a""#),
    (#"{"type": "integer", "example": 7}"#, "7"),
    (#"{"type": "integer", "example": "seven"}"#, "1"),
    (#"{"type": "string", "examples": [1, "one"]}"#, #""one""#),
    (#"{"type": "string", "default": "x", "example": "y"}"#, #""y""#),
    (#"{"type": "string", "format": "date-time"}"#, #""2024-05-17T09:30:00Z""#),
    (
      #"{"type": "object", "properties": {"createdAt": {"type": "string"}, "homeCity": {"type": "string"}}}"#,
      #"{"createdAt":"2024-05-17T09:30:00Z","homeCity":"Berlin"}"#
    ),
    (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"1":1}"#),
    (#"{"type": "array", "items": {"type": "integer"}}"#, "[1]"),
    (#"{"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": true}"#, "[1,2,3]"),
    (#"{"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}"#, #"["text",1]"#),
    (#"{"type": "array", "contains": {"const": "x"}, "minContains": 2, "items": {"type": "string"}}"#, #"["x","x"]"#),
  ]

  @Test(arguments: plain)
  func `seed 0 gives the plain sample`(schema: String, sample: String) throws {
    #expect(try SchemaUnderTest(schema).text() == sample)
  }

  /// Schemas that are hard to fit in one way or another.
  static let hard: [String] = [
    #"{"allOf": [{"type": "object", "properties": {"a": {"minimum": 3}}, "required": ["a"]}, {"properties": {"a": {"type": "integer", "maximum": 3}}}]}"#,
    #"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
    #"{"oneOf": {"type": "string"}}"#, #"{"anyOf": {"type": "string"}}"#,
    #"{"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]}]}"#,
    #"{"anyOf": [{"type": "string", "maxLength": 2, "minLength": 5}, {"type": "integer"}]}"#,
    #"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
    #"{"type": "string", "not": {"enum": ["text", "sample"]}}"#,
    #"{"not": {"type": "string"}}"#,
    #"{"if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "then": {"required": ["x"]}, "else": false, "type": "object"}"#,
    #"{"type": "object", "dependentRequired": {"a": ["b"]}, "required": ["a"]}"#,
    #"{"type": "object", "dependentSchemas": {"a": {"properties": {"b": {"type": "integer"}}, "required": ["b"]}}, "properties": {"a": {"type": "string"}}}"#,
    #"{"type": "object", "minProperties": 3, "propertyNames": {"pattern": "^[a-c]$"}, "additionalProperties": {"type": "integer"}}"#,
    #"{"type": "object", "patternProperties": {"^x-[a-z]{3}$": {"type": "boolean"}}, "additionalProperties": false, "minProperties": 2}"#,
    #"{"type": "object", "maxProperties": 1, "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]}"#,
    #"{"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false, "allOf": [{"properties": {"b": true}, "required": ["b"]}]}"#,
    #"{"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": true}"#,
    #"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001}"#,
    #"{"type": "integer", "multipleOf": 7, "minimum": 100, "allOf": [{"multipleOf": 3}]}"#,
    #"{"type": "number", "multipleOf": 0.01, "minimum": 0.005}"#,
    #"{"type": "number", "minimum": 1e300}"#,
    #"{"type": "integer", "format": "int64", "minimum": 9223372036854775807}"#,
    #"{"type": "string", "format": "email", "maxLength": 8}"#,
    #"{"type": "string", "format": "uri", "minLength": 60}"#,
    #"{"type": "string", "pattern": "^a", "minLength": 12}"#,
    #"{"type": "string", "pattern": "^[A-Z]+$", "allOf": [{"pattern": "^.{4}$"}]}"#,
    #"{"type": "string", "format": "date-time", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"}"#,
    #"{"type": "string", "format": "date-time", "pattern": "^2023"}"#,
    #"{"type": "string", "format": "date", "pattern": "^19"}"#,
    #"{"type": "string", "format": "ipv4", "pattern": "^10\\."}"#,
    #"{"type": "string", "format": "email", "pattern": "@corp\\.example$"}"#,
    #"{"type": "string", "minLength": 8, "allOf": [{"pattern": "[A-Z]"}, {"pattern": "[0-9]"}]}"#,
    #"{"type": "string", "minLength": 8, "allOf": [{"pattern": "[A-Z]"}, {"pattern": "[0-9]"}, {"pattern": "^[!-~]+$"}]}"#,
    #"{"type": "array", "prefixItems": [{"const": 1}], "contains": {"const": 2}}"#,
    #"{"type": "array", "contains": {"type": "string"}, "maxContains": 1, "minItems": 3}"#,
    #"{"type": "array", "maxItems": 1, "contains": {"minimum": 5}, "allOf": [{"contains": {"type": "integer"}}]}"#,
    #"{"not": {"minimum": -1000000}}"#, #"{"not": {"maximum": 1000000}}"#, #"{"not": {"pattern": "^[^%]*$"}}"#,
    #"{"type": "number", "exclusiveMinimum": 1e-30, "exclusiveMaximum": 2e-30}"#,
    #"{"type": "integer", "minimum": 1e40, "maximum": 1.00000001e40, "multipleOf": 7}"#,
    #"{"type": "integer", "minimum": -1.00000001e40, "maximum": -1e40, "multipleOf": 7}"#,
    #"{"type": "array", "uniqueItems": true, "minItems": 300, "items": {"type": "string", "maxLength": 2}}"#,
    #"{"type": "array", "uniqueItems": true, "minItems": 60, "items": {"type": "string", "format": "email"}}"#,
    #"{"type": "array", "uniqueItems": true, "minItems": 60, "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}"#,
    #"{"type": "object", "minProperties": 2, "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": false}"#,
    ##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "all": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}}"##,
    ##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["left"], "properties": {"left": {"oneOf": [{"$ref": "#/$defs/tree"}, {"type": "string"}]}}}}}"##,
    ##"{"$ref": "#/$defs/expr", "$defs": {"expr": {"oneOf": [{"$ref": "#/$defs/and"}, {"$ref": "#/$defs/leaf"}]}, "and": {"type": "object", "required": ["and"], "properties": {"and": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/expr"}}}}, "leaf": {"type": "string"}}}"##,
  ]

  /// Branches that only differ in what they leave open.
  static let overlapping: [String] = [
    #"{"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}, {"type": "object", "properties": {"a": {"type": "string"}, "c": {"type": "integer"}}}]}"#,
    #"{"oneOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "string"}}}, {"properties": {"c": {"type": "string"}}}]}"#,
    #"{"not": {"anyOf": [true, {"properties": {"foo": true}}], "unevaluatedProperties": false}}"#,
  ]

  @Test(arguments: overlapping)
  func `a sample of overlapping branches fits exactly one of them`(schema: String) throws {
    let schema = try SchemaUnderTest(schema)
    #expect(schema.accepts(try #require(schema.sample(), "\(schema.conflict() ?? "")")))
  }

  @Test(arguments: hard, ["0", "1", "a seed of words"])
  func `a sample is accepted`(schema: String, seed: String) throws {
    let schema = try SchemaUnderTest(schema)
    let sample = try #require(schema.sample(seed: seed), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }

  @Test(arguments: hard)
  func `the same seed gives the same bytes`(schema: String) throws {
    #expect(try SchemaUnderTest(schema).text(seed: "7") == SchemaUnderTest(schema).text(seed: "7"))
  }

  @Test func `other seeds give other values`() throws {
    let schema = try SchemaUnderTest(#"{"type": "array", "minItems": 5, "items": {"type": "integer"}}"#)
    #expect(Set((1...5).compactMap { schema.text(seed: String($0)) }).count > 1)
  }

  @Test func `a new property leaves its neighbours alone`() throws {
    let before = try SchemaUnderTest(#"{"required": ["a"], "properties": {"a": {"type": "integer"}}}"#)
    let after = try SchemaUnderTest(
      #"{"required": ["z", "a"], "properties": {"z": {"type": "string"}, "a": {"type": "integer"}}}"#)
    #expect(before.sample(seed: "5")?["a"] == after.sample(seed: "5")?["a"])
  }

  // MARK: - Directions

  static let account = """
    {"type": "object", "required": ["id", "password", "name"], "properties": {
      "id": {"type": "integer", "readOnly": true}, "password": {"type": "string", "writeOnly": true},
      "name": {"type": "string"}}, "example": {"id": 5, "password": "p", "name": "n"}}
    """

  @Test func `a response has no writeOnly property`() throws {
    #expect(try SchemaUnderTest(Self.account).text(direction: .response) == #"{"id":5,"name":"n"}"#)
  }

  @Test func `a request has no readOnly property`() throws {
    #expect(try SchemaUnderTest(Self.account).text(direction: .request) == #"{"password":"p","name":"n"}"#)
  }

  // MARK: - Discriminators

  @Test func `a discriminator names the chosen branch`() throws {
    let schema = try SchemaUnderTest(
      """
      {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
       "discriminator": {"propertyName": "kind", "mapping": {"feline": "#/$defs/Cat"}},
       "$defs": {"Cat": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
                 "Dog": {"type": "object", "required": ["kind", "barks"], "properties": {"kind": {"type": "string"}, "barks": {"type": "boolean"}}}}}
      """)
    #expect(schema.text() == #"{"kind":"feline","lives":1}"#)
  }

  @Test func `a schema that inherits a discriminator has its own name in it`() throws {
    let schema = try SchemaUnderTest(
      """
      {"$ref": "#/$defs/Dog", "$defs": {
        "Pet": {"type": "object", "required": ["petType"], "discriminator": {"propertyName": "petType"}, "properties": {"petType": {"type": "string"}}},
        "Dog": {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"barks": {"type": "boolean"}}}]}}}
      """)
    #expect(schema.text() == #"{"petType":"Dog","barks":true}"#)
  }

  // MARK: - Older dialects

  @Test func `Swagger 2 and OpenAPI 3_0 write exclusive bounds as a flag`() throws {
    let schema = #"{"type": "integer", "minimum": 5, "exclusiveMinimum": true}"#
    #expect(try SchemaUnderTest(schema, dialect: .openAPI30).text() == "6")
    #expect(try SchemaUnderTest(schema, dialect: .swagger2).text() == "6")
  }

  @Test func `a nullable value is not null in a sample`() throws {
    #expect(try SchemaUnderTest(#"{"type": "string", "nullable": true}"#, dialect: .openAPI30).text() == #""text""#)
  }

  // MARK: - Schemas that nothing fits

  static let impossible: [(schema: String, words: String)] = [
    ("false", "`false` accepts nothing"),
    (#"{"type": "integer", "minimum": 5, "maximum": 4}"#, "no integer fits `minimum` and `maximum`"),
    (#"{"type": "string", "minLength": 5, "maxLength": 4}"#, "`minLength` 5 is more than `maxLength` 4"),
    (#"{"type": "array", "minItems": 5, "maxItems": 4}"#, "`minItems` 5 is more than `maxItems` 4"),
    (
      #"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#, "the `type`s string and integer have no common type"
    ),
    (#"{"type": "string", "enum": [1, 2]}"#, "`type` is string, but `enum` lists a number"),
    (#"{"type": "string", "enum": ["a"], "minLength": 2}"#, "no value of `enum` fits `minLength`"),
    (#"{"const": "abc", "pattern": "^[0-9]+$"}"#, "no value of `const` fits `pattern`"),
    (#"{"enum": []}"#, "`enum` is empty"),
    (#"{"const": 1, "allOf": [{"const": 2}]}"#, "the values of `enum` and `const` exclude each other"),
    (
      #"{"type": "object", "required": ["a"], "additionalProperties": false}"#,
      "the property `a` is `required`, and `additionalProperties` forbids it"
    ),
    (
      #"{"type": "object", "required": ["a"], "properties": {"a": false}}"#,
      "the property `a` is `required`, and `properties` forbids it"
    ),
    (
      #"{"type": "object", "minProperties": 3, "properties": {"a": true}, "additionalProperties": false}"#,
      "`minProperties` 3 is more than the 1 property that `additionalProperties` allows"
    ),
    (
      #"{"anyOf": [{"type": "string", "minLength": 5, "maxLength": 4}, {"type": "integer", "minimum": 5, "maximum": 4}]}"#,
      "`minLength` 5 is more than `maxLength` 4"
    ),
    (
      #"{"type": "array", "uniqueItems": true, "minItems": 3, "items": {"enum": [1, 2]}}"#,
      "needs more than the 2 different elements"
    ),
    (#"{"type": "integer", "multipleOf": 10, "minimum": 1, "maximum": 9}"#, "no integer fits"),
    (
      ##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}}}}"##,
      "the schema requires infinitely nested values"
    ),
    (##"{"$ref": "#/$defs/a"}"##, "leads nowhere"),
    (##"{"$defs": {"a": {"allOf": [{"$ref": "#"}]}}, "oneOf": [{"$ref": "#/$defs/a"}]}"##, "refers to itself"),
  ]

  @Test(arguments: impossible)
  func `a conflict names the keywords`(schema: String, words: String) throws {
    let schema = try SchemaUnderTest(schema)
    #expect(schema.sample() == nil)
    let conflict = try #require(schema.conflict())
    #expect(conflict.contains(words))
    #expect(!conflict.hasPrefix(SampleConflict.givenUp))
  }

  /// Schemas whose search ends without a proof, and the obstacle that is reported.
  static let givenUp: [(schema: String, words: String)] = [
    (
      #"{"oneOf": [{"type": "string"}, {"type": "string"}]}"#,
      "all attempted values fit more than one branch of `oneOf`"
    ),
    (#"{"type": "string", "pattern": "^(?=a)b$"}"#, "no string was found that fits `pattern` ("),
    (
      #"{"type": "string", "pattern": "^a$", "minLength": 2}"#,
      "no string was found that fits `pattern` and `minLength` together"
    ),
  ]

  @Test(arguments: givenUp)
  func `an abandoned search is reported as such`(schema: String, words: String) throws {
    let schema = try SchemaUnderTest(schema)
    #expect(try #require(schema.conflict()).hasPrefix("no value was found within the limit of steps: " + words))
  }

  /// Keywords that mean nothing, or not that, in their dialect exclude nothing.
  @Test(arguments: [
    (#"{"type": "string", "const": 1}"#, Dialect.openAPI30), (#"{"maxLength": -5, "minLength": 2}"#, .openAPI31),
    (#"{"type": "integer", "minimum": 5, "exclusiveMinimum": true, "maximum": 5}"#, .openAPI31),
    (#"{"type": "integer", "format": "uint8", "minimum": 300}"#, .openAPI31),
    (##"{"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "integer"}}}"##, .draft7),
  ])
  func `an ignored keyword causes no conflict`(schema: String, dialect: Dialect) throws {
    let schema = try SchemaUnderTest(schema, dialect: dialect)
    let sample = try #require(schema.sample(), "\(schema.conflict() ?? "")")
    #expect(schema.accepts(sample))
  }

  @Test(arguments: [
    (
      #"{"properties": {"a": {"minLength": 5, "maxLength": 4, "type": "string"}}, "required": ["a"], "type": "object"}"#,
      ["minLength", "maxLength"]
    ),
    (#"{"enum": [1], "type": "string"}"#, ["type", "enum"]), ("false", []),
    (#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#, ["type", "type"]),
    (#"{"const": "a", "pattern": "b"}"#, ["const", "pattern"]),
    (#"{"type": "object", "required": ["a"], "additionalProperties": false}"#, ["required", "additionalProperties"]),
    (
      #"{"type": "string", "minLength": 3, "allOf": [{"minLength": 1}, {"maxLength": 2}]}"#, ["minLength", "maxLength"]
    ),
  ])
  func `the keywords of a conflict have positions`(schema: String, names: [String]) throws {
    let schema = try SchemaUnderTest(schema)
    let conflict = try #require(SampleGenerator(schemas: schema.library, seed: "0").conflict(of: schema.node))
    #expect(conflict.keywords.map(\.text) == names)
  }

  @Test func `a schema with a sample has no conflict`() throws {
    #expect(try SchemaUnderTest(#"{"type": "integer"}"#).conflict() == nil)
  }

  @Test func `a recursive schema gives a sample of a few levels`() throws {
    let schema = try SchemaUnderTest(
      ##"{"type": "object", "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "minItems": 1, "items": {"$ref": "#"}}}}"##
    )
    #expect(schema.text() == #"{"v":1,"kids":[{"v":1}]}"#)
  }

  @Test func `a schema with very many optional properties gives a bounded sample`() throws {
    let leaf = (0..<60).map { #""p\#($0)": {"type": "string"}"# }.joined(separator: ",")
    let middle = (0..<60).map { #""q\#($0)": {"type": "object", "properties": {\#(leaf)}}"# }.joined(separator: ",")
    let schema = try SchemaUnderTest(#"{"type": "object", "properties": {\#(middle)}}"#)
    #expect(try #require(schema.sample()).document.nodes.count < 6_000)
  }
}
