import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// The decision whether every value of a schema is a value of another.
@Suite struct SchemaComparisonTests {
  /// Two schemas in YAML, and the differences as `kind path subject: value`.
  struct Pair: CustomTestStringConvertible, Sendable {
    let sub: String
    let sup: String
    let differences: [String]
    var version = "3.1.0"
    var direction = Direction.request

    init(
      _ sub: String, _ sup: String, _ differences: String..., version: String = "3.1.0", direction: Direction = .request
    ) {
      self.sub = sub
      self.sup = sup
      self.differences = differences
      self.version = version
      self.direction = direction
    }

    var testDescription: String { "\(sub) within \(sup)" }
  }

  static func side(
    _ schema: String, _ components: String, version: String, _ direction: Direction
  ) throws -> (
    SchemaSide, JSON
  ) {
    let text = """
      \(version == "2.0" ? "swagger: \"2.0\"" : "openapi: \(version)")
      info: {title: T, version: "1"}
      paths: {}
      components:
        schemas:
          Root: \(schema)
      \(components)
      """
    let fixture = ContractFixture(contracts: ["api.yaml": text])
    let api = try fixture.api
    let library = SchemaLibrary(of: api, api.resolver.store)
    let root = try #require(api.root[JSONPointer(["components", "schemas", "Root"])])
    return (SchemaSide(library, direction), root)
  }

  static func differences(
    _ sub: String, _ sup: String, components: (String, String) = ("", ""), version: String = "3.1.0",
    supVersion: String? = nil, _ direction: Direction = .request
  ) throws -> [String] {
    let (a, first) = try side(sub, components.0, version: version, direction)
    let (b, second) = try side(sup, components.1, version: supVersion ?? version, direction)
    let (comparison, reverse) = SchemaComparison.pair(a, b)
    return withExtendedLifetime(reverse) { comparison.differences([first], [second]).map(shown) }
  }

  static func shown(_ difference: SchemaDifference) -> String {
    let path = difference.path.isEmpty ? "" : " /" + difference.path.joined(separator: "/")
    let value =
      switch difference.verdict {
      case .broken(let value): JSONWriter.text(value)
      case .undecided: "undecided"
      case .stated: "stated"
      }
    return "\(difference.kind.rawValue)\(path) \(difference.subject): \(value)"
  }

  static let included: [Pair] = [
    Pair("{type: integer}", "{type: number}"),
    Pair("{enum: [a, b]}", "{type: string}"),
    Pair("{enum: [1, 2]}", "{type: integer, minimum: 1, maximum: 2}"),
    Pair("{const: a}", "{enum: [a, b]}"),
    Pair("{type: [string, \"null\"]}", "{oneOf: [{type: string}, {type: \"null\"}]}"),
    Pair("{oneOf: [{type: string}, {type: \"null\"}]}", "{type: [string, \"null\"]}"),
    Pair("{anyOf: [{enum: [a]}, {type: \"null\"}]}", "{enum: [a, null]}"),
    Pair("{type: integer, minimum: 1}", "{type: integer, exclusiveMinimum: 0}"),
    Pair("{type: integer, exclusiveMinimum: 0}", "{type: integer, minimum: 1}"),
    Pair("{type: number, minimum: 2, maximum: 3}", "{type: number, minimum: 1.5}"),
    Pair("{type: integer, multipleOf: 6}", "{type: integer, multipleOf: 3}"),
    Pair("{type: integer}", "{type: number, multipleOf: 0.5}"),
    Pair("{type: string, minLength: 3}", "{type: string, minLength: 2}"),
    Pair("{type: string, pattern: \"^[a-c]{2}$\"}", "{type: string, pattern: \"^[a-z]+$\"}"),
    Pair("{type: string, pattern: \"^[a-c]{2}$\"}", "{type: string, minLength: 2, maxLength: 2}"),
    Pair("{type: string, pattern: \"^(a|b)+$\", maxLength: 2}", "{type: string, pattern: \"^[ab]{1,2}$\"}"),
    Pair("{type: string, format: date}", "{type: string}"),
    Pair("{type: array, items: {type: integer}}", "{type: array, items: {type: number}}"),
    Pair("{type: array, maxItems: 1}", "{type: array, uniqueItems: true}"),
    Pair(
      "{type: array, prefixItems: [{type: string}], items: false}", "{type: array, items: {type: string}, maxItems: 1}"),
    Pair("{type: object, required: [a]}", "{type: object}"),
    Pair("{type: object, required: [a, b]}", "{type: object, minProperties: 2}"),
    Pair("{type: object, additionalProperties: false, properties: {a: {}}}", "{type: object, maxProperties: 1}"),
    Pair(
      "{allOf: [{type: object, required: [a]}, {properties: {a: {type: integer}}}]}",
      "{type: object, required: [a], properties: {a: {type: integer}}}"),
    Pair(
      "{type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}",
      "{type: object, properties: {a: {type: string}, b: {type: integer}}, additionalProperties: {type: number}}"),
    Pair(
      "{type: object, additionalProperties: {type: integer}}",
      "{type: object, patternProperties: {\"^x\": {type: number}}}"),
    Pair(
      "{oneOf: [{type: object, required: [k], properties: {k: {const: a}}}, {type: object, required: [k], properties: {k: {const: b}}}]}",
      "{anyOf: [{type: object, required: [k], properties: {k: {const: b}}}, {type: object, required: [k], properties: {k: {enum: [a, c]}}}]}"
    ),
    Pair(
      "{type: object, required: [k], properties: {k: {enum: [a, b]}}}",
      "{oneOf: [{type: object, required: [k], properties: {k: {const: a}}}, {type: object, required: [k], properties: {k: {const: b}}}]}"
    ),
    Pair("{type: string, not: {const: a}}", "{type: string, not: {const: a}, minLength: 0}"),
    Pair("{type: string}", "{not: {type: integer}}"),
    Pair(
      "{type: object, dependentRequired: {a: [b]}}", "{type: object, dependentRequired: {a: [b]}, minProperties: 0}"),
    Pair("{type: object, propertyNames: {maxLength: 2}}", "{type: object, propertyNames: {maxLength: 3}}"),
    Pair("false", "{type: string}"),
    Pair(
      "{oneOf: [{required: [a]}, {required: [b], properties: {b: {type: string}}}]}",
      "{oneOf: [{required: [a]}, {required: [b], properties: {b: {allOf: [{type: string}]}}}]}"),
    Pair(
      "{type: object, required: [k, n], properties: {k: {enum: [a, b, c]}}, oneOf: [{properties: {k: {enum: [a]}}}, {properties: {k: {enum: [b, c]}}}]}",
      "{type: object, required: [k], properties: {k: {enum: [a, b, c]}}, oneOf: [{properties: {k: {enum: [a]}}}, {properties: {k: {enum: [b, c]}}}]}"
    ),
    Pair("{oneOf: [{const: 1}, {const: 2}]}", "{type: integer, oneOf: [{const: 1}, {const: 2}, {const: 3}]}"),
    Pair(
      "{type: object, required: [id], properties: {id: {type: string, readOnly: true}}}",
      "{type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}"),
    Pair(
      "{type: string, nullable: true}", "{type: string, nullable: true, minLength: 0}",
      version: "3.0.3"),
    Pair("{type: number, minimum: 1, exclusiveMinimum: true}", "{type: number, minimum: 1}", version: "3.0.3"),
  ]

  @Test(arguments: included)
  func `a schema within another has no difference`(_ pair: Pair) throws {
    let found = try Self.differences(pair.sub, pair.sup, version: pair.version, pair.direction)
    #expect(found.filter { !$0.hasSuffix(": stated") } == [])
  }

  static let broken: [Pair] = [
    Pair("{type: [string, integer]}", "{type: string}", "type number: 1"),
    Pair("{type: number}", "{type: integer}", "type number: 0.5"),
    Pair("{type: [string, \"null\"]}", "{type: string}", "null null: null"),
    Pair("{type: string}", "{enum: [a, b]}", "enum : \"text\""),
    Pair("{enum: [a, b, c]}", "{enum: [a]}", "enum \"b\": \"b\"", "enum \"c\": \"c\""),
    Pair("{type: integer}", "{type: integer, minimum: 3}", "range minimum: 2"),
    Pair("{type: number, maximum: 3}", "{type: number, exclusiveMaximum: 3}", "range exclusiveMaximum: 3"),
    Pair("{type: integer, multipleOf: 2}", "{type: integer, multipleOf: 4}", "multiple multipleOf: 2"),
    Pair("{type: number}", "{type: number, multipleOf: 0.01}", "multiple multipleOf: undecided"),
    Pair("{type: string}", "{type: string, minLength: 2}", "length minLength: \"\""),
    Pair("{type: string}", "{type: string, maxLength: 2}", "length maxLength: \"tex\""),
    Pair("{type: string, pattern: \"^[a-z]+$\"}", "{type: string, pattern: \"^[b-z]+$\"}", "pattern pattern: \"a\""),
    Pair(
      "{type: array, items: {type: string}}", "{type: array, items: {type: integer}}", "type /* string: [\"text\"]"),
    Pair("{type: array}", "{type: array, minItems: 1}", "size minItems: []"),
    Pair("{type: array}", "{type: array, uniqueItems: true}", "unique uniqueItems: [\"text\",\"text\"]"),
    Pair("{type: object}", "{type: object, required: [a]}", "required a: {}"),
    Pair(
      "{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}",
      "{type: object, properties: {a: {type: object, properties: {b: {type: integer}}}}}",
      "type /a/b string: {\"a\":{\"b\":\"text\"}}"),
    Pair(
      "{type: object}", "{type: object, additionalProperties: false}",
      "additional additionalProperties: {\"other\":\"text\"}"),
    Pair(
      "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: integer}}",
      "type /* string: {\"other\":\"text\"}"),
    Pair(
      "{type: object, properties: {a: {type: string}}}",
      "{type: object, additionalProperties: false}", "property-closed a: {\"a\":\"text\"}",
      "additional additionalProperties: {\"other\":\"text\"}"),
    Pair("{anyOf: [{type: string}, {type: integer}]}", "{type: string}", "type number: 1"),
    Pair(
      "{type: string, pattern: \"(?<=a)b\"}", "{type: string, pattern: \"(?<=a)b|c\"}", "pattern pattern: undecided"),
    Pair("{type: string}", "{type: string, not: {const: a}}", "keyword not: \"a\""),
    Pair(
      "{type: object}", "{type: object, if: {required: [a]}, then: {required: [b]}}", "keyword if: {\"a\":\"text\"}"),
  ]

  @Test(arguments: broken)
  func `a difference has a value that the engine judges`(_ pair: Pair) throws {
    let found = try Self.differences(pair.sub, pair.sup, version: pair.version, pair.direction)
    #expect(found.filter { !$0.hasSuffix(": stated") } == pair.differences)
  }

  @Test func `recursive schemas differ at their own place alone`() throws {
    let node =
      "    Node: {type: object, properties: {name: {type: string}, next: {$ref: \"#/components/schemas/Node\"}}}"
    let changed = node.replacing("{type: string}", with: "{type: string, maxLength: 3}")
    let found = try Self.differences(
      "{$ref: \"#/components/schemas/Node\"}", "{$ref: \"#/components/schemas/Node\"}", components: (node, changed))
    #expect(found == ["length /name maxLength: {\"name\":\"text\"}"])
  }

  @Test func `a reference that leads back to itself is undecided`() throws {
    let loop = """
          A: {$ref: "#/components/schemas/B"}
          B: {$ref: "#/components/schemas/A"}
      """
    let reference = "{$ref: \"#/components/schemas/A\"}"
    #expect(try Self.differences("{type: string}", reference, components: ("", loop)) == ["keyword $ref: undecided"])
    #expect(try Self.differences(reference, reference, components: (loop, loop)) == [])
  }

  @Test func `mutually recursive schemas that are equal have no difference`() throws {
    let first = """
          A: {type: object, properties: {b: {$ref: "#/components/schemas/B"}}}
          B: {type: object, properties: {a: {$ref: "#/components/schemas/A"}}}
      """
    let second = first.replacing("{type: object, properties: {a", with: "{allOf: [{type: object}], properties: {a")
    let reference = "{$ref: \"#/components/schemas/A\"}"
    #expect(try Self.differences(reference, reference, components: (first, second)) == [])
  }

  @Test(arguments: [
    (
      "3.0.3", "{type: string, nullable: true, enum: [a, null]}", "3.1.0", "{type: [string, \"null\"], enum: [a, null]}"
    ),
    ("3.0.3", "{type: string, nullable: true}", "3.1.0", "{anyOf: [{type: string}, {type: \"null\"}]}"),
    ("3.0.3", "{type: number, minimum: 1, exclusiveMinimum: true}", "3.1.0", "{type: number, exclusiveMinimum: 1}"),
    ("3.0.3", "{type: string, format: date-time}", "3.1.0", "{type: string, format: date-time}"),
  ])
  func `versions that spell one schema differently have no difference`(
    _ version: String, _ schema: String, _ otherVersion: String, _ other: String
  ) throws {
    #expect(try Self.differences(schema, other, version: version, supVersion: otherVersion) == [])
    #expect(try Self.differences(other, schema, version: otherVersion, supVersion: version) == [])
  }
}
