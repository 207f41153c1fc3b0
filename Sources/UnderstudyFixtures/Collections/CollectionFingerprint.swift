extension ResourceCollection {
  /// A hash of the seeds and the schema of an item: a reload keeps the items of a collection whose hash stays equal.
  package var fingerprint: UInt64 {
    StableHash.of([name, idMember ?? ""] + segments + schemaTexts + seeds.map { JSONWriter.text($0) })
  }

  /// The texts of the item schema and of the schemas that it refers to, each once.
  private var schemaTexts: [String] {
    struct Place: Hashable {
      let document: ObjectIdentifier
      let index: Int
    }
    var texts: [String] = []
    var seen: Set<Place> = []
    var schemas = [item]
    while let schema = schemas.popLast() {
      guard seen.insert(Place(document: ObjectIdentifier(schema.document), index: schema.index)).inserted else {
        continue
      }
      texts.append(JSONWriter.text(schema))
      var nodes = [schema]
      while let node = nodes.popLast() {
        if node["$ref"]?.isString == true { schemas += self.schemas.resolved(node).parts.map(\.schema) }
        nodes += node.elements
        nodes += node.members.map(\.value)
      }
    }
    return texts
  }
}
