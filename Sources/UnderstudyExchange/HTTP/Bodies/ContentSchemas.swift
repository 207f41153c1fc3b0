/// What the schemas of a media type are about: the whole value, or each item of a sequence.
///
/// From 3.2 on `schema` describes a sequence of JSON texts as an array, and `itemSchema` each of them (OAS 3.2,
/// 4.14.3.1). Before, contracts wrote the schema of one line: a `schema` that allows no array is read as that of an item.
package struct ContentSchemas: Sendable {
  package let whole: JSON?
  package let item: JSON?

  package init(_ media: MediaTypeObject, _ schemas: SchemaLibrary) {
    if let schema = media.schema, media.itemSchema == nil, MediaRange(media.range)?.syntax == .jsonSequence,
      !schemas.resolved(schema).types.contains(.array)
    {
      whole = nil
      item = schema
    } else {
      whole = media.schema
      item = media.itemSchema
    }
  }
}
