/// A member of a data file: a collection of items, or a singular object.
struct DataCollection {
  let name: String
  /// The key in the data file, or its root in a folder.
  let key: JSON
  /// The items as they are served, or the singular object.
  var items: [Item] = []
  /// The member with the id; `nil` for a singular object.
  var idMember: String?
  var schema = DataSchema()
  /// The members with ids of other collections, with the names of these collections.
  var references: [(member: String, collection: String)] = []

  struct Item {
    let value: JSON
    /// An id for an item that has none.
    var id: JSON?
  }

  var isSingle: Bool { idMember == nil }

  var firstID: JSON? { items.first.flatMap { item in item.id ?? idMember.flatMap { item.value[$0] } } }

  /// The type of ids: the types that they have, and integers or strings where there are none.
  var idSchema: JSON {
    let ids = items.compactMap { item in item.id ?? idMember.flatMap { item.value[$0] } }
    let types = [
      ids.isEmpty || ids.contains { $0.int != nil } ? "integer" : nil,
      ids.isEmpty || ids.contains(where: \.isString) ? "string" : nil,
      ids.contains { $0.kind == .number && $0.int == nil } ? "number" : nil,
    ].compactMap(\.self).map { JSON.string($0) }
    let isUUID = !ids.isEmpty && ids.allSatisfy { id in Self.isUUID(id.text) }
    return .object(
      ("type", types.count == 1 ? types[0] : .array(types)), ("format", isUUID ? "uuid" : nil))
  }

  private static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { offset, byte in
        [8, 13, 18, 23].contains(offset)
          ? byte == UInt8(ascii: "-")
          : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
      }
  }

  /// The name in operation ids: `Posts`.
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// The names of members that refer to other collections: `postId` and `post_id` to `posts`.
enum DataReference {
  private static let irregular = ["person": "people", "child": "children", "man": "men", "woman": "women"]

  /// The name of what a member refers to: `post` of `postId`; `nil` for any other member.
  static func stem(of member: String) -> String? {
    for suffix in ["_id", "Id", "ID"] where member.hasSuffix(suffix) && member.utf8.count > suffix.utf8.count {
      return String(member.dropLast(suffix.count))
    }
    return nil
  }

  /// The collection among `names` that a member refers to.
  static func collection(of member: String, among names: some Collection<String>) -> String? {
    guard let stem = stem(of: member) else { return nil }
    var plurals = [stem, stem + "s", stem + "es"]
    if stem.hasSuffix("y") { plurals.append(stem.dropLast() + "ies") }
    if let plural = irregular[stem] { plurals.append(plural) }
    return plurals.lazy.compactMap { plural in names.first { $0.utf8Equals(plural) } }.first
  }
}
