/// The body of a request as a value: JSON, or a form whose texts have the types of the schema.
package struct ResourceBody {
  let request: RequestView
  let operation: CompiledOperation

  package init(request: RequestView, operation: CompiledOperation) {
    (self.request, self.operation) = (request, operation)
  }

  package enum Kind { case value, mergePatch, jsonPatch }

  /// What a PATCH means by its media type; JSON is a merge patch.
  package var kind: Kind {
    switch request.content.type?.description.split(separator: ";").first {
    case "application/json-patch+json": .jsonPatch
    case "application/merge-patch+json": .mergePatch
    default: .value
    }
  }

  /// `nil` without a body, and for any other one.
  package var value: JSON? {
    switch request.content.syntax {
    case .json: try? request.content.json.get().root
    case .form: form
    default: nil
    }
  }

  private var form: JSON? {
    guard let schema = operation.resourceRequest else { return nil }
    let resolved = operation.schemas.resolved(schema)
    return .object(
      resolved.properties.compactMap { property in
        let texts = request.content.form.texts(of: property.name)
        guard let first = texts.first else { return nil }
        let schema = resolved.schema(of: property)
        guard schema.types.contains(.array), schema.describesElements else {
          return (property.name, Self.value(first, schema))
        }
        return (property.name, .array(texts.map { Self.value($0, schema.element) }))
      })
  }

  /// A text as the type that a schema wants.
  package static func value(_ text: String, _ schema: ResolvedSchema) -> JSON {
    if schema.types.contains(.string) { return .string(text) }
    guard let value = try? JSONParser.parse(Array(text.utf8)).root, !value.isObject, !value.isArray, !value.isString
    else { return .string(text) }
    return value
  }
}
