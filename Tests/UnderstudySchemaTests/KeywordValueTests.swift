import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Keywords with values that they cannot have: each is reported, and none does harm.
struct KeywordValueTests {
  private enum Form: String, CaseIterable { case null, boolean, number, string, array, object }

  /// A value of each form; where the form is right for the keyword, one that is right as well.
  private static func value(_ form: Form, of keyword: Keyword) -> String {
    switch (form, keyword) {
    case (.null, _): "null"
    case (.boolean, _): "true"
    case (.number, _): "1"
    case (.string, .type): #""string""#
    case (.string, _): ##""#x""##
    case (.array, .type): #"["string"]"#
    case (.array, .required): #"["a"]"#
    case (.array, _): "[{}]"
    case (.object, .dependentRequired): #"{"a": ["b"]}"#
    case (.object, _): #"{"a": {}}"#
    }
  }

  private static func forms(of keyword: Keyword, _ dialect: Dialect) -> Set<Form> {
    switch keyword {
    case .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .ref, .dynamicRef, .recursiveRef, .pattern, .format,
      .contentEncoding, .contentMediaType:
      [.string]
    case .recursiveAnchor, .uniqueItems, .nullable, .xNullable, .readOnly, .writeOnly: [.boolean]
    case .minimum, .maximum, .multipleOf, .minLength, .maxLength, .minItems, .maxItems, .minContains, .maxContains,
      .minProperties, .maxProperties:
      [.number]
    case .exclusiveMinimum, .exclusiveMaximum:
      [.openAPI30, .swagger2, .draft4].contains(dialect) ? [.boolean] : [.number]
    case .additionalItems, .contains, .unevaluatedItems, .unevaluatedProperties, .additionalProperties, .propertyNames,
      .not, .if, .then, .else, .contentSchema:
      [.boolean, .object]
    case .items:
      [.draft4, .draft6, .draft7, .draft2019].contains(dialect) ? [.boolean, .object, .array] : [.boolean, .object]
    case .allOf, .anyOf, .oneOf, .prefixItems, .enum, .required: [.array]
    case .defs, .definitions, .properties, .patternProperties, .dependencies, .dependentRequired, .dependentSchemas:
      [.object]
    case .type: dialect == .openAPI30 ? [.string] : [.string, .array]
    case .const: Set(Form.allCases)
    case .discriminator: dialect == .swagger2 ? [.string] : [.object]
    }
  }

  private static let dialects: [Dialect] = [
    .draft4, .draft6, .draft7, .draft2019, .draft2020, .openAPI30, .openAPI31, .swagger2,
  ]

  @Test(arguments: dialects)
  func `every keyword reports a value of the wrong type, and validation does not crash`(dialect: Dialect) throws {
    let values = try ["null", "true", "1", #""a""#, "[]", "[1, 2]", "{}", #"{"a": 1, "b": 2}"#].map(SchemaText.parse)
    for keyword in Keyword.allCases where dialect.keywords.contains(keyword) {
      let right = Self.forms(of: keyword, dialect)
      for form in Form.allCases {
        let text = #"{"\#(keyword.name)": \#(Self.value(form, of: keyword))}"#
        let schema = try SchemaText.schema(text, dialect)
        let reported = schema.problems.filter {
          $0.rule.id == "spec.schema.keyword" && $0.location?.pointer == JSONPointer([keyword.name]).description
        }
        #expect(reported.count == (right.contains(form) ? 0 : 1), "\(dialect.name): \(text)")
        for value in values { #expect(schema.accepts(value) == schema.failures(value).isEmpty, "\(text)") }
      }
    }
  }

  @Test(arguments: [
    (#"{"prefixItems": {"type": "string"}}"#, "[1]"),
    (#"{"prefixItems": {"type": "string"}, "items": true}"#, "[1, 2]"),
    (#"{"prefixItems": "x"}"#, "[1]"), (#"{"allOf": {"a": false}}"#, "1"), (#"{"anyOf": {"a": false}}"#, "1"),
    (#"{"oneOf": {"a": false}}"#, "1"), (#"{"allOf": []}"#, "1"), (#"{"anyOf": []}"#, "1"), (#"{"oneOf": []}"#, "1"),
    (#"{"enum": {"a": 1}}"#, "1"), (#"{"required": {"a": 1}}"#, "{}"), (#"{"type": {"a": 1}}"#, "1"),
    (#"{"type": []}"#, "1"),
    (#"{"dependentRequired": {"a": {"b": 1}}}"#, #"{"a": 1}"#), (#"{"dependentRequired": ["a"]}"#, #"{"a": 1}"#),
    (#"{"dependentRequired": {"a": [1]}}"#, #"{"a": 1}"#), (#"{"dependentSchemas": [false]}"#, #"{"a": 1}"#),
    (#"{"dependentRequired": {"a": "b"}}"#, #"{"a": 1}"#), (#"{"uniqueItems": "yes"}"#, "[1, 1]"),
  ])
  func `a keyword with an invalid value is reported and ignored`(
    text: String, value: String
  ) throws {
    let schema = try SchemaText.schema(text)
    #expect(schema.problems.map(\.rule.id) == ["spec.schema.keyword"])
    #expect(schema.accepts(try SchemaText.parse(value)))
  }

  @Test func `an empty enum is reported, and allows no value`() throws {
    let schema = try SchemaText.schema(#"{"enum": []}"#)
    #expect(schema.problems.map(\.message) == ["`enum` expects at least one value, found []; no value is allowed"])
    #expect(!schema.accepts(1))
  }

  @Test func `the keywords beside an invalid items still apply`() throws {
    let schema = try SchemaText.schema(
      #"{"prefixItems": [{"type": "string"}], "items": [false], "uniqueItems": true, "minItems": 1}"#)
    #expect(schema.problems.map { $0.location?.pointer } == ["/items"])
    #expect(schema.failures([1, 1]).map(\.keyword) == ["type", "uniqueItems"])
    #expect(schema.accepts(["a", 1]))
  }

  @Test(
    arguments: [
      (
        #"{"type": "int"}"#, Dialect.draft2020,
        "`type` expects one of string, integer, number, boolean, object, array or null, found string \"int\"; it is ignored",
        "did you mean `integer`?"
      ),
      (
        #"{"type": ["string", "Booleen"]}"#, .draft2020,
        "`type` expects one of string, integer, number, boolean, object, array or null, found string \"Booleen\"; it is ignored",
        "did you mean `boolean`?"
      ),
      (
        #"{"type": "uuid"}"#, .draft2020,
        "`type` expects one of string, integer, number, boolean, object, array or null, found string \"uuid\"; it is ignored",
        "`uuid` is a format: write `type: string` and `format: uuid`"
      ),
      (
        #"{"type": "int64"}"#, .draft2020,
        "`type` expects one of string, integer, number, boolean, object, array or null, found string \"int64\"; it is ignored",
        "`int64` is a format: write `type: integer` and `format: int64`"
      ),
      (
        #"{"exclusiveMinimum": true}"#, .draft7,
        "`exclusiveMinimum` expects a number, found boolean true; it is ignored",
        "only draft 4 and earlier allow a boolean; write the bound itself, or declare the older draft with `$schema` or `--dialect`"
      ),
      (
        #"{"exclusiveMaximum": true}"#, .openAPI31,
        "`exclusiveMaximum` expects a number, found boolean true; it is ignored",
        "only OpenAPI 3.0 and earlier allow a boolean; write the bound itself"
      ),
      (
        #"{"exclusiveMinimum": 3}"#, .openAPI30,
        "`exclusiveMinimum` expects `true` or `false`, found number 3; it is ignored",
        "only OpenAPI 3.1 and later allow a number; write `minimum: 3` beside `exclusiveMinimum: true`"
      ),
      (
        #"{"items": [{"type": "string"}]}"#, .draft2020,
        #"`items` expects a schema, found [{"type":"string"}]; it is ignored"#,
        "only drafts up to 2019-09 allow a list; write `prefixItems`, or declare the older draft with `$schema` or `--dialect`"
      ),
      (
        #"{"items": [true]}"#, .openAPI31, "`items` expects a schema, found [true]; it is ignored",
        "only drafts up to 2019-09 allow a list; write `prefixItems`"
      ),
      (#"{"items": [true]}"#, .openAPI30, "`items` expects a schema, found [true]; it is ignored", nil),
      (
        #"{"type": ["string", "null"]}"#, .openAPI30,
        #"`type` expects a single name in OpenAPI 3.0, found ["string","null"]; it is read as a list"#,
        "use `nullable` or `oneOf`"
      ),
      (
        #"{"required": true}"#, .draft2020, "`required` expects an array of names, found boolean true; it is ignored",
        "list the names in the schema with `properties`: `required: [...]`"
      ),
      (#"{"not": "x"}"#, .draft2020, #"expected a schema, found string "x"; it is ignored"#, nil),
    ] as [(String, Dialect, String, String?)])
  func `the message has the value, and a suggestion where there is one`(
    text: String, dialect: Dialect, message: String, help: String?
  ) throws {
    let problems = try SchemaText.schema(text, dialect).problems
    #expect(problems.map(\.message) == [message])
    #expect(problems.map(\.help) == [help])
  }

  @Test func `a list of types is read in OpenAPI 3_0 too`() throws {
    let schema = try SchemaText.schema(#"{"type": ["string", "null"]}"#, .openAPI30)
    #expect(schema.accepts(.null))
    #expect(!schema.accepts(1))
  }

  @Test func `a long value is cut short`() throws {
    let names = (0..<1_000).map { #""n\#($0)""# }.joined(separator: ", ")
    let problems = try SchemaText.schema(#"{"properties": [\#(names)]}"#).problems
    #expect(
      problems.map(\.message) == ["`properties` expects an object, found an array of 1000 elements; it is ignored"])
  }
}
