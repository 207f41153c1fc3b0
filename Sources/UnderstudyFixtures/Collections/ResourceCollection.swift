/// A collection of items: `/pets`, or `/users/{userId}/posts` within each user.
package final class ResourceCollection: Sendable {
  /// For people: `pets`.
  package let name: String
  /// The segments of its path, with parameters in braces; one segment for a collection that a description names.
  package let segments: [String]
  /// The schema of an item, as the client gets it.
  package let item: JSON
  package let idMember: String?
  package let idSchema: JSON?
  package let user: ResourceSource?
  package let schemas: SchemaLibrary
  /// The fixtures, in the order of their collection.
  let seeds: [JSON]
  /// The validator and the status of an answer with one item, to check changes.
  package let reader: CompiledOperation?
  /// The members of an item with the id of an item of another collection.
  package let references: [ResourceReference]
  /// Whether it is one object, which has no id.
  package let isSingle: Bool

  init(
    name: String, segments: [String], item: JSON, idMember: String?, idSchema: JSON?, user: ResourceSource? = nil,
    schemas: SchemaLibrary, seeds: [JSON], reader: CompiledOperation?, references: [ResourceReference] = [],
    isSingle: Bool = false
  ) {
    self.name = name
    self.segments = segments
    self.item = item
    self.idMember = idMember
    self.idSchema = idSchema
    self.user = user
    self.schemas = schemas
    self.seeds = seeds
    self.reader = reader
    self.references = references
    self.isSingle = isSingle
  }

  /// The id of the only item of a single object, which no path shows.
  package static let singleID = ""

  /// An item for people: `pets/3`, or the name of a single object.
  package func label(of id: String) -> String { isSingle ? name : "\(name)/\(id)" }

  package var shape: ResolvedSchema { schemas.resolved(item) }

  /// The names of the path parameters above the items.
  package var parents: [String] { segments.compactMap(Self.parameter) }

  /// The path with the values of a request: `/users/3/posts`.
  package func path(of request: RequestView) -> String { Self.path(segments, of: request) }

  /// The segments of a path template with the values of a request.
  package static func path(_ segments: some Sequence<String>, of request: RequestView) -> String {
    segments.reduce("") { path, segment in
      path + "/" + (parameter(segment).flatMap { request.values(.path, $0).first } ?? segment)
    }
  }

  /// The collections that must hold the parents of a request's items, with their ids, from the outside inwards.
  package func ancestors(of request: RequestView) -> [(path: String, id: String)] {
    var found: [(path: String, id: String)] = []
    var path = ""
    for segment in segments {
      let value = Self.parameter(segment).flatMap { request.values(.path, $0).first }
      if let value { found.append((path, value)) }
      path += "/" + (value ?? segment)
    }
    return found
  }

  /// The name in `{petId}`.
  package static func parameter(_ segment: String) -> String? {
    segment.hasPrefix("{") && segment.hasSuffix("}") ? String(segment.dropFirst().dropLast()) : nil
  }

  /// The id of an item, as it appears in a path. An empty text is none: no path could name the item.
  package func id(of value: JSON) -> String? {
    guard let idMember, let id = value[idMember], id.isString || id.kind == .number, !id.plainText.isEmpty else {
      return nil
    }
    // JSON Schema has one number for `5` and `5.0`.
    return id.int.map(String.init) ?? id.plainText
  }

  /// The text of a path as the id of an item.
  package func idValue(_ text: String) -> JSON {
    ResourceBody.value(text, idSchema.map { schemas.resolved($0) } ?? .any)
  }

  package func shown(_ value: JSON) -> JSON { ItemShaper(schemas: schemas).readable(value, shape) }

  package func shown(_ item: ResourceItem) -> JSON { item.shown ?? shown(item.value) }

  /// The item that knows what the client gets, which is asked for more often than changed.
  package func showing(_ item: ResourceItem) -> ResourceItem {
    var item = item
    item.shown = shown(item.value)
    return item
  }

  /// The items that the collection begins with; those without an id are numbered.
  package var seedItems: [ResourceItem] {
    seeds.enumerated().map { offset, value in
      showing(ResourceItem(id: id(of: value) ?? (isSingle ? Self.singleID : "seed-\(offset)"), value: value))
    }
  }
}
