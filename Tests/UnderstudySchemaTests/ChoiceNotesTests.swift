import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Properties that distinguish the branches of a choice, with a discriminator and without.
struct ChoiceNotesTests {
  private static let shapes = """
    {"oneOf": [
      {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
      {"type": "object", "properties": {"kind": {"enum": ["rect", "square"]}, "w": {"type": "number"}}, "required": ["kind", "w"]},
      {"type": "null"}]}
    """

  @Test func `a property that every branch fixes is reported with the values of all branches`() throws {
    #expect(
      try SchemaText.failures(Self.shapes, #"{"kind": "triangle"}"#) == [
        #"/kind oneOf: expected `kind` to be one of "circle", "rect" or "square", found string "triangle""#
      ])
    #expect(
      try SchemaText.failures(Self.shapes, #"{"kind": "sqare", "r": 1}"#) == [
        #"/kind oneOf: expected `kind` to be one of "circle", "rect" or "square", found string "sqare" (did you mean `square`?)"#
      ])
  }

  @Test func `only the branch that a fixed property selects is explained`() throws {
    #expect(
      try SchemaText.failures(Self.shapes, #"{"kind": "square", "r": 1}"#)
        == [
          " oneOf: fits none of 3 alternatives; the nearest is number 2",
          " required: the property `w` is missing (a similar property exists: `r`)",
        ].map { $0.replacing(" (a similar property exists: `r`)", with: "") })
  }

  private static let messages = """
    {
      "oneOf": [{"$ref": "#/components/schemas/UserMessage"}, {"$ref": "#/components/schemas/SystemMessage"}],
      "discriminator": {"propertyName": "role"},
      "components": {"schemas": {
        "UserMessage": {"type": "object", "properties": {"role": {"type": "string", "enum": ["user"]},
          "content": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}}, "required": ["role"]},
        "SystemMessage": {"type": "object", "properties": {"role": {"type": "string", "enum": ["system"]}}, "required": ["role"]}
      }}
    }
    """

  @Test func `values that the branches fix take precedence over a discriminator`() throws {
    #expect(
      try SchemaText.failures(Self.messages, #"{"role": "user", "content": {"uri": "a"}}"#, .openAPI31) == [
        " oneOf: fits none of 2 alternatives; the nearest is `UserMessage`",
        "/content required: the property `url` is missing (a similar property exists: `uri`)",
      ])
    #expect(
      try SchemaText.failures(Self.messages, #"{"role": "usr"}"#, .openAPI31) == [
        #"/role oneOf: expected `role` to be one of "user" or "system", found string "usr" (did you mean `user`?)"#
      ])
  }

  private static func pets(_ mapping: String) -> String {
    """
    {
      "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
      "discriminator": {"propertyName": "kind", "mapping": \(mapping)},
      "components": {"schemas": {
        "Cat": {"properties": {"kind": {"type": "string"}}, "required": ["kind", "lives"]},
        "Dog": {"properties": {"kind": {"type": "string"}}, "required": ["kind", "barks"]}
      }}
    }
    """
  }

  @Test func `a mapping leads to the name of a schema, never to another value of the mapping`() throws {
    let schema = Self.pets(##"{"Dog": "#/components/schemas/Cat", "x": "Dog"}"##)
    #expect(
      try SchemaText.failures(schema, #"{"kind": "x"}"#, .openAPI31).last
        == " required: the property `barks` is missing")
    #expect(
      try SchemaText.failures(schema, #"{"kind": "Dog"}"#, .openAPI31).last
        == " required: the property `lives` is missing")
  }

  @Test func `an unknown discriminator value is reported with a suggestion`() throws {
    let failures = try SchemaText.failures(Self.pets(#"{"hound": "Dog"}"#), #"{"kind": "huond"}"#, .openAPI31)
    #expect(
      failures.first == " oneOf: fits none of 2 alternatives; the nearest is `Cat`"
        + #" (`kind` is "huond", which does not name an alternative; did you mean `hound`?)"#)
  }
}
