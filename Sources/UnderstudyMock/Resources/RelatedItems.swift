/// Adds related items: all items that refer to an item, and the item that a member refers to.
struct RelatedItems {
  let call: ResourceCall
  let model: ResourceModel

  private static let names = ["embed", "expand", "include"]
  /// The maximum size of all related items of a response, in bytes: many items may refer to one large item.
  static let sizeLimit = 64 << 20

  /// A relation that a request asks for, with a value for each id.
  private struct Relation {
    /// The name of the member that is added.
    let name: String
    /// The member of an item with the id, or `nil` for its own id.
    let reference: String?
    /// The value for an id that `values` lacks; `nil` adds nothing.
    let absent: JSON?
    let values: [String: (value: JSON, size: Int)]
  }

  /// The items with what the request asks for, and whether the limit left something out. A reference that points nowhere
  /// adds nothing.
  func adding(to items: [JSON], in state: ResourceState) -> (items: [JSON], isCut: Bool) {
    let relations = relations(in: state)
    guard !relations.isEmpty else { return (items, false) }
    var room = Self.sizeLimit
    let result = items.map { item in
      var item = item
      for relation in relations {
        let id = relation.reference.map { item[$0].map(Self.text) } ?? call.collection.id(of: item)
        if let found = id.flatMap({ relation.values[$0] }) {
          room -= found.size
          if room >= 0 { item = item.setting(relation.name, to: found.value) }
        } else if let absent = relation.absent {
          item = item.setting(relation.name, to: absent)
        }
      }
      return item
    }
    return (result, room < 0)
  }

  private func relations(in state: ResourceState) -> [Relation] {
    let parameters = call.operation.operation.parameters.filter {
      $0.location == .query && Self.names.contains(ResourceIdentity.normal($0.name))
    }
    let texts = parameters.map { call.request.values(.query, $0.name) }.joined()
    let wanted = texts.map { $0.split(separator: ",").map(String.init) }.joined()
    return Array(wanted).unique().compactMap { name -> Relation? in
      if let reference = call.collection.references.first(where: { $0.name.utf8Equals(name) }) {
        guard let other = model.collection(named: reference.collection) else { return nil }
        let parents = items(of: other, in: state).map { ($0.id, Self.sized(other.shown($0))) }
        return Relation(
          name: name, reference: reference.member, absent: nil,
          values: Dictionary(parents) { first, _ in first })
      }
      guard let other = model.collection(named: name),
        let reference = other.references.first(where: { $0.collection.utf8Equals(call.collection.name) })
      else { return nil }
      let groups = Dictionary(grouping: items(of: other, in: state)) { item in
        item.value[reference.member].map(Self.text) ?? ""
      }
      return Relation(
        name: name, reference: nil, absent: .array([]),
        values: groups.mapValues { Self.sized(.array($0.map(other.shown))) })
    }
  }

  private static func sized(_ value: JSON) -> (value: JSON, size: Int) { (value, JSONWriter.bytes(value).count) }

  private func items(of collection: ResourceCollection, in state: ResourceState) -> [ResourceItem] {
    state.items(in: "/" + collection.segments.joined(separator: "/")) ?? collection.seedItems
  }

  /// The id that a member has, as it appears in a path.
  static func text(_ value: JSON) -> String { value.int.map(String.init) ?? value.plainText }
}
