/// Adds related items: all items that refer to an item, and the item that a member refers to.
struct RelatedItems {
  let call: ResourceCall
  let model: ResourceModel

  private static let names = ["embed", "expand", "include"]

  /// A relation that a request asks for.
  private enum Relation {
    /// The items of another collection by the id that they refer to.
    case children(name: String, [String: [JSON]])
    /// The items of another collection by their ids.
    case parent(ResourceReference, [String: JSON])
  }

  /// The items with what the request asks for; a reference that points nowhere adds nothing.
  func adding(to items: [JSON], in state: ResourceState) -> [JSON] {
    let relations = relations(in: state)
    guard !relations.isEmpty else { return items }
    return items.map { item in
      var item = item
      for relation in relations {
        switch relation {
        case .children(let name, let children):
          let id = call.collection.id(of: item) ?? ""
          item = item.setting(name, to: .array(children[id] ?? []))
        case .parent(let reference, let parents):
          if let parent = item[reference.member].flatMap({ parents[Self.text($0)] }) {
            item = item.setting(reference.name, to: parent)
          }
        }
      }
      return item
    }
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
        return .parent(
          reference, Dictionary(items(of: other, in: state).map { ($0.id, other.shown($0)) }) { first, _ in first })
      }
      guard let other = model.collection(named: name),
        let reference = other.references.first(where: { $0.collection.utf8Equals(call.collection.name) })
      else { return nil }
      let groups = Dictionary(grouping: items(of: other, in: state)) { item in
        item.value[reference.member].map(Self.text) ?? ""
      }
      return .children(name: name, groups.mapValues { $0.map(other.shown) })
    }
  }

  private func items(of collection: ResourceCollection, in state: ResourceState) -> [ResourceItem] {
    state.items(in: "/" + collection.segments.joined(separator: "/")) ?? collection.seedItems
  }

  /// The id that a member has, as it appears in a path.
  static func text(_ value: JSON) -> String { value.int.map(String.init) ?? value.plainText }
}
