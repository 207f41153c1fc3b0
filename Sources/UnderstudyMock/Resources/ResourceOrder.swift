/// The order that a request for a list asks for: `-views`, `price desc`, `title:asc,views`, or names beside directions.
struct ResourceOrder {
  /// The maximum number of members that order a list.
  private static let keyLimit = 10

  private var keys: [(member: String, isDown: Bool)] = []
  /// The names that no item has, by which nothing is sorted.
  private(set) var unknown: [String] = []

  /// - Parameters:
  ///   - texts: The members; `desc` or `asc` after a member is about this member.
  ///   - directions: The directions of the members, in their order, where another parameter has them.
  ///   - items: Items whose members count beside the members of the schema.
  init(_ texts: [String], directions: [String], of schema: ResolvedSchema, _ items: [ResourceItem]) {
    var words: [(name: Substring, direction: String?)] = []
    for word in texts.flatMap({ $0.split { ": ,".contains($0) } }) {
      let direction = word.lowercased()
      if !words.isEmpty, direction == "desc" || direction == "asc" {
        words[words.count - 1].direction = direction
      } else {
        words.append((word, nil))
      }
    }
    let others = directions.flatMap { $0.lowercased().split(separator: ",").map(String.init) }
    for (position, word) in words.prefix(Self.keyLimit).enumerated() {
      let name = String(word.name.drop { "-+".contains($0) })
      let normal = ResourceIdentity.normal(name)
      let property = schema.properties.first { ResourceIdentity.normal($0.name) == normal }?.name
      guard let member = property ?? (items.contains { $0.value[name] != nil } ? name : nil) else {
        unknown.append(name)
        continue
      }
      let direction = word.direction ?? (position < others.count ? others[position] : nil)
      keys.append((member, word.name.hasPrefix("-") != (direction == "desc")))
    }
  }

  /// Sorts items by the first key in which they differ; equal items keep their order.
  func sort(_ items: inout [ResourceItem]) {
    guard !keys.isEmpty else { return }
    let keyed = items.enumerated().map { offset, item in
      (offset, keys.map { item.value[$0.member]?.plainText ?? "" }, item)
    }
    items = keyed.sorted { a, b in
      for (index, key) in keys.enumerated() where !a.1[index].utf8Equals(b.1[index]) {
        if ResourceQuery.isGreater(a.1[index], than: b.1[index]) { return key.isDown }
        if ResourceQuery.isGreater(b.1[index], than: a.1[index]) { return !key.isDown }
      }
      return a.0 < b.0
    }.map(\.2)
  }
}
