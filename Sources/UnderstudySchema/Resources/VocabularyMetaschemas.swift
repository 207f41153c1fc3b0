/// The metaschemas of a draft with vocabularies: one for each vocabulary, and one that combines them.
struct VocabularyMetaschemas {
  private let base: String
  /// The member that lets other metaschemas extend these.
  private let anchor: String
  /// The properties of the combining metaschema.
  private let properties: String
  private let vocabularies: [Vocabulary]

  private struct Vocabulary {
    let name: String
    var use = Use.required
    let title: String
    let members: String

    /// The role of the vocabulary in the combining metaschema.
    enum Use { case required, optional, none }
  }

  /// The metaschemas by URI.
  var texts: [String: String] {
    let used = vocabularies.filter { $0.use != .none }
    let list = used.map { #""\#(base)vocab/\#($0.name)": \#($0.use == .required)"# }.joined(separator: ", ")
    let parts = used.map { #"{"$ref": "meta/\#($0.name)"}"# }.joined(separator: ", ")
    let combining = text(
      "schema", list, "Core and Validation specifications meta-schema",
      #""allOf": [\#(parts)], "properties": {\#(properties)}"#)
    return vocabularies.reduce(into: [base + "schema": combining]) { texts, vocabulary in
      texts[base + "meta/" + vocabulary.name] = text(
        "meta/" + vocabulary.name, #""\#(base)vocab/\#(vocabulary.name)": true"#, vocabulary.title, vocabulary.members)
    }
  }

  private func text(_ path: String, _ vocabularies: String, _ title: String, _ members: String) -> String {
    #"""
    {
      "$schema": "\#(base)schema", "$id": "\#(base)\#(path)", "$vocabulary": {\#(vocabularies)}, \#(anchor),
      "title": "\#(title)", "type": ["object", "boolean"], \#(members)
    }
    """#
  }
}

// MARK: - The drafts

extension VocabularyMetaschemas {
  static let draft2019: VocabularyMetaschemas = {
    let schema = ##"{"$recursiveRef": "#"}"##
    return VocabularyMetaschemas(
      base: "https://json-schema.org/draft/2019-09/", anchor: #""$recursiveAnchor": true"#,
      properties: #"""
        "definitions": {"type": "object", "additionalProperties": \#(schema), "default": {}},
        "dependencies": {
          "type": "object",
          "additionalProperties": {"anyOf": [\#(schema), {"$ref": "meta/validation#/$defs/stringArray"}]}
        }
        """#,
      vocabularies: [
        Vocabulary(
          name: "core", title: "Core vocabulary meta-schema",
          members: #"""
            "properties": {
              "$id": {"type": "string", "format": "uri-reference", "pattern": "^[^#]*#?$"},
              "$schema": {"type": "string", "format": "uri"},
              "$anchor": {"type": "string", "pattern": "^[A-Za-z][-A-Za-z0-9.:_]*$"},
              "$ref": {"type": "string", "format": "uri-reference"},
              "$recursiveRef": {"type": "string", "format": "uri-reference"},
              "$recursiveAnchor": {"type": "boolean", "default": false},
              "$vocabulary": {
                "type": "object", "propertyNames": {"type": "string", "format": "uri"},
                "additionalProperties": {"type": "boolean"}
              },
              "$defs": {"type": "object", "additionalProperties": \#(schema), "default": {}}
            }
            """#),
        applicator(
          schema,
          #"""
          "additionalItems": \#(schema), "unevaluatedItems": \#(schema), "unevaluatedProperties": \#(schema),
          "items": {"anyOf": [\#(schema), {"$ref": "#/$defs/schemaArray"}]},
          "dependentSchemas": {"type": "object", "additionalProperties": \#(schema)},
          """#),
        validation, metaData, format("", use: .optional, title: ""), content(schema),
      ])
  }()

  static let draft2020: VocabularyMetaschemas = {
    let schema = ##"{"$dynamicRef": "#meta"}"##
    return VocabularyMetaschemas(
      base: "https://json-schema.org/draft/2020-12/", anchor: #""$dynamicAnchor": "meta""#,
      properties: #"""
        "definitions": {"type": "object", "additionalProperties": \#(schema), "deprecated": true, "default": {}},
        "dependencies": {
          "type": "object",
          "additionalProperties": {"anyOf": [\#(schema), {"$ref": "meta/validation#/$defs/stringArray"}]},
          "deprecated": true, "default": {}
        },
        "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString", "deprecated": true},
        "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString", "deprecated": true}
        """#,
      vocabularies: [
        Vocabulary(
          name: "core", title: "Core vocabulary meta-schema",
          members: #"""
            "properties": {
              "$id": {"$ref": "#/$defs/uriReferenceString", "pattern": "^[^#]*#?$"},
              "$schema": {"$ref": "#/$defs/uriString"}, "$ref": {"$ref": "#/$defs/uriReferenceString"},
              "$anchor": {"$ref": "#/$defs/anchorString"}, "$dynamicRef": {"$ref": "#/$defs/uriReferenceString"},
              "$dynamicAnchor": {"$ref": "#/$defs/anchorString"},
              "$vocabulary": {
                "type": "object", "propertyNames": {"$ref": "#/$defs/uriString"},
                "additionalProperties": {"type": "boolean"}
              },
              "$defs": {"type": "object", "additionalProperties": \#(schema)}
            },
            "$defs": {
              "anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
              "uriString": {"type": "string", "format": "uri"},
              "uriReferenceString": {"type": "string", "format": "uri-reference"}
            }
            """#),
        applicator(
          schema,
          #"""
          "prefixItems": {"$ref": "#/$defs/schemaArray"}, "items": \#(schema),
          "dependentSchemas": {"type": "object", "additionalProperties": \#(schema), "default": {}},
          """#),
        Vocabulary(
          name: "unevaluated", title: "Unevaluated applicator vocabulary meta-schema",
          members: #""properties": {"unevaluatedItems": \#(schema), "unevaluatedProperties": \#(schema)}"#),
        validation, metaData, format("-annotation", use: .required, title: " for annotation results"),
        format("-assertion", use: .none, title: " for assertion results"), content(schema),
      ])
  }()

  // MARK: - Vocabularies of both

  /// - Parameter schema: A reference to the metaschema that combines the vocabularies, here and below.
  private static func applicator(_ schema: String, _ properties: String) -> Vocabulary {
    Vocabulary(
      name: "applicator", title: "Applicator vocabulary meta-schema",
      members: #"""
        "properties": {
          \#(properties) "contains": \#(schema), "additionalProperties": \#(schema),
          "properties": {"type": "object", "additionalProperties": \#(schema), "default": {}},
          "patternProperties": {
            "type": "object", "additionalProperties": \#(schema), "propertyNames": {"format": "regex"}, "default": {}
          },
          "propertyNames": \#(schema), "if": \#(schema), "then": \#(schema), "else": \#(schema), "not": \#(schema),
          "allOf": {"$ref": "#/$defs/schemaArray"}, "anyOf": {"$ref": "#/$defs/schemaArray"},
          "oneOf": {"$ref": "#/$defs/schemaArray"}
        },
        "$defs": {"schemaArray": {"type": "array", "minItems": 1, "items": \#(schema)}}
        """#)
  }

  private static let validation = Vocabulary(
    name: "validation", title: "Validation vocabulary meta-schema",
    members: #"""
      "properties": {
        "type": {
          "anyOf": [
            {"$ref": "#/$defs/simpleTypes"},
            {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1, "uniqueItems": true}
          ]
        },
        "const": true, "enum": {"type": "array", "items": true},
        "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "maximum": {"type": "number"},
        "exclusiveMaximum": {"type": "number"}, "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
        "maxLength": {"$ref": "#/$defs/nonNegativeInteger"},
        "minLength": {"$ref": "#/$defs/nonNegativeIntegerDefault0"}, "pattern": {"type": "string", "format": "regex"},
        "maxItems": {"$ref": "#/$defs/nonNegativeInteger"}, "minItems": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
        "uniqueItems": {"type": "boolean", "default": false}, "maxContains": {"$ref": "#/$defs/nonNegativeInteger"},
        "minContains": {"$ref": "#/$defs/nonNegativeInteger", "default": 1},
        "maxProperties": {"$ref": "#/$defs/nonNegativeInteger"},
        "minProperties": {"$ref": "#/$defs/nonNegativeIntegerDefault0"}, "required": {"$ref": "#/$defs/stringArray"},
        "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}}
      },
      "$defs": {
        "nonNegativeInteger": {"type": "integer", "minimum": 0},
        "nonNegativeIntegerDefault0": {"$ref": "#/$defs/nonNegativeInteger", "default": 0},
        "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
        "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "default": []}
      }
      """#)

  private static let metaData = Vocabulary(
    name: "meta-data", title: "Meta-data vocabulary meta-schema",
    members: #"""
      "properties": {
        "title": {"type": "string"}, "description": {"type": "string"}, "default": true,
        "deprecated": {"type": "boolean", "default": false}, "readOnly": {"type": "boolean", "default": false},
        "writeOnly": {"type": "boolean", "default": false}, "examples": {"type": "array", "items": true}
      }
      """#)

  private static func format(_ suffix: String, use: Vocabulary.Use, title: String) -> Vocabulary {
    Vocabulary(
      name: "format" + suffix, use: use, title: "Format vocabulary meta-schema" + title,
      members: #""properties": {"format": {"type": "string"}}"#)
  }

  private static func content(_ schema: String) -> Vocabulary {
    Vocabulary(
      name: "content", title: "Content vocabulary meta-schema",
      members: #"""
        "properties": {
          "contentEncoding": {"type": "string"}, "contentMediaType": {"type": "string"}, "contentSchema": \#(schema)
        }
        """#)
  }
}
