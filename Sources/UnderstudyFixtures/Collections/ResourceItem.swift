package struct ResourceItem: Sendable, Hashable {
  /// As it appears in the path.
  package var id: String
  /// With members that are written only.
  package var value: JSON { didSet { shown = nil } }
  /// As the client gets it, where that was found out before; no part of the state.
  var shown: JSON?
  /// The number of changes, for `ETag`.
  package var revision = 1

  package init(id: String, value: JSON) { (self.id, self.value) = (id, value) }

  package static func == (one: ResourceItem, other: ResourceItem) -> Bool {
    one.id == other.id && one.revision == other.revision && one.value == other.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(revision)
  }

  package var entityTag: String { "\"\(revision)\"" }
}

extension ResourceItem: Codable {
  private enum CodingKeys: CodingKey { case id, value, revision }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    revision = try container.decode(Int.self, forKey: .revision)
    let text = try container.decode(String.self, forKey: .value)
    do {
      value = try JSONParser.parse(Array(text.utf8)).root
    } catch {
      throw DecodingError.dataCorruptedError(forKey: .value, in: container, debugDescription: error.message)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(JSONWriter.text(value), forKey: .value)
    try container.encode(revision, forKey: .revision)
  }
}
