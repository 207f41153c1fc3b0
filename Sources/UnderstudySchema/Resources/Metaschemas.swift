/// The metaschemas of the JSON Schema drafts, so that a reference to one needs no network.
enum Metaschemas {
  /// The metaschema of a URI without a fragment.
  static func document(of uri: String) -> JSONDocument? {
    texts[uri].flatMap { try? JSONParser.parse(SourceFile(path: uri, text: $0)) }
  }

  private static let texts: [String: String] = {
    var texts = [
      "http://json-schema.org/draft-04/schema": draft4,
      "http://json-schema.org/draft-06/schema": draft6(
        "http://json-schema.org/draft-06/schema#", any: "{}", additions: ""),
      "http://json-schema.org/draft-07/schema": draft6(
        "http://json-schema.org/draft-07/schema#", any: "true",
        additions: #"""
          "readOnly": {"type": "boolean", "default": false}, "contentMediaType": {"type": "string"},
          "contentEncoding": {"type": "string"}, "if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"},
          """#),
    ]
    for draft in [VocabularyMetaschemas.draft2019, .draft2020] { texts.merge(draft.texts) { text, _ in text } }
    return texts
  }()

  private static let draft4 = #"""
    {
      "id": "http://json-schema.org/draft-04/schema#", "$schema": "http://json-schema.org/draft-04/schema#",
      "description": "Core schema meta-schema",
      "definitions": {
        "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
        "positiveInteger": {"type": "integer", "minimum": 0},
        "positiveIntegerDefault0": {"allOf": [{"$ref": "#/definitions/positiveInteger"}, {"default": 0}]},
        "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
        "stringArray": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}
      },
      "type": "object",
      "properties": {
        "id": {"type": "string"}, "$schema": {"type": "string"}, "title": {"type": "string"},
        "description": {"type": "string"}, "default": {},
        "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true}, "maximum": {"type": "number"},
        "exclusiveMaximum": {"type": "boolean", "default": false}, "minimum": {"type": "number"},
        "exclusiveMinimum": {"type": "boolean", "default": false},
        "maxLength": {"$ref": "#/definitions/positiveInteger"},
        "minLength": {"$ref": "#/definitions/positiveIntegerDefault0"},
        "pattern": {"type": "string", "format": "regex"},
        "additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}], "default": {}},
        "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}], "default": {}},
        "maxItems": {"$ref": "#/definitions/positiveInteger"},
        "minItems": {"$ref": "#/definitions/positiveIntegerDefault0"},
        "uniqueItems": {"type": "boolean", "default": false},
        "maxProperties": {"$ref": "#/definitions/positiveInteger"},
        "minProperties": {"$ref": "#/definitions/positiveIntegerDefault0"},
        "required": {"$ref": "#/definitions/stringArray"},
        "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}], "default": {}},
        "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
        "properties": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
        "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
        "dependencies": {
          "type": "object", "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
        },
        "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
        "type": {
          "anyOf": [
            {"$ref": "#/definitions/simpleTypes"},
            {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1, "uniqueItems": true}
          ]
        },
        "format": {"type": "string"}, "allOf": {"$ref": "#/definitions/schemaArray"},
        "anyOf": {"$ref": "#/definitions/schemaArray"}, "oneOf": {"$ref": "#/definitions/schemaArray"},
        "not": {"$ref": "#"}
      },
      "dependencies": {"exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"]}, "default": {}
    }
    """#

  /// Draft 6, and draft 7, which adds properties to it.
  ///
  /// - Parameter any: The schema of any value in the spelling of the draft.
  private static func draft6(_ uri: String, any: String, additions: String) -> String {
    #"""
    {
      "$schema": "\#(uri)", "$id": "\#(uri)", "title": "Core schema meta-schema",
      "definitions": {
        "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
        "nonNegativeInteger": {"type": "integer", "minimum": 0},
        "nonNegativeIntegerDefault0": {"allOf": [{"$ref": "#/definitions/nonNegativeInteger"}, {"default": 0}]},
        "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
        "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "default": []}
      },
      "type": ["object", "boolean"],
      "properties": {
        "$id": {"type": "string", "format": "uri-reference"}, "$schema": {"type": "string", "format": "uri"},
        "$ref": {"type": "string", "format": "uri-reference"}, "title": {"type": "string"},
        "description": {"type": "string"}, "default": \#(any), "examples": {"type": "array", "items": \#(any)},
        "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "maximum": {"type": "number"},
        "exclusiveMaximum": {"type": "number"}, "minimum": {"type": "number"},
        "exclusiveMinimum": {"type": "number"}, "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
        "minLength": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
        "pattern": {"type": "string", "format": "regex"}, "additionalItems": {"$ref": "#"},
        "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}], "default": \#(any)},
        "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
        "minItems": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
        "uniqueItems": {"type": "boolean", "default": false}, "contains": {"$ref": "#"},
        "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
        "minProperties": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
        "required": {"$ref": "#/definitions/stringArray"}, "additionalProperties": {"$ref": "#"},
        "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
        "properties": {"type": "object", "additionalProperties": {"$ref": "#"}, "default": {}},
        "patternProperties": {
          "type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}, "default": {}
        },
        "dependencies": {
          "type": "object", "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
        },
        "propertyNames": {"$ref": "#"}, "const": \#(any), "enum": {"type": "array", "items": \#(any)},
        "type": {
          "anyOf": [
            {"$ref": "#/definitions/simpleTypes"},
            {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1, "uniqueItems": true}
          ]
        },
        "format": {"type": "string"}, \#(additions)
        "allOf": {"$ref": "#/definitions/schemaArray"}, "anyOf": {"$ref": "#/definitions/schemaArray"},
        "oneOf": {"$ref": "#/definitions/schemaArray"}, "not": {"$ref": "#"}
      },
      "default": \#(any)
    }
    """#
  }
}
