/// How a listed or created item is identified, and how names say what they identify.
enum ItemIdentifier {
  private static let common = ["id", "uuid", "name", "key", "slug", "uid"]

  /// The identifying member of an item: the parameter's name, its last word, or a common one. A scalar is itself.
  static func find(in item: JSON, for name: String) -> (member: String?, value: JSON)? {
    if isScalar(item) { return (nil, item) }
    let wanted = plain(name)
    let members = item.members.prefix(200).filter { isScalar($0.value) }.map {
      (plain: plain($0.name), name: $0.name, value: $0.value)
    }
    let names = [wanted] + common.filter { wanted.hasSuffix($0) } + common
    guard let found = names.lazy.compactMap({ name in members.first { $0.plain == name } }).first else { return nil }
    return (found.name, found.value)
  }

  static func value(in item: JSON, for name: String) -> JSON? { find(in: item, for: name)?.value }

  static func isScalar(_ value: JSON) -> Bool {
    (value.isString && !value.text.isEmpty && value.text.utf8.count <= 200) || value.kind == .number
  }

  /// Whether a plain name says what it identifies: `serverid`, not `id`.
  static func isSpecific(_ name: String) -> Bool {
    (name.hasSuffix("id") && name.utf8.count > 3) || (name.hasSuffix("uuid") && name.utf8.count > 4)
  }

  /// Lower case, letters and digits alone: `server_id` and `serverId` are one name.
  static func plain(_ name: String) -> String {
    String(
      decoding: FieldSyntax.lowercased(name.utf8).utf8.filter { 97...122 ~= $0 || 48...57 ~= $0 || $0 >= 0x80 },
      as: UTF8.self)
  }

  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}
