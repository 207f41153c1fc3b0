/// A condition on a member of listed items: `author`, `author.name`, `title_like`, `views:gte`.
struct ResourceFilter {
  /// The names of members from the item inwards.
  private let path: [String]
  private let test: Test

  private enum Test {
    case equal, different, oneOf, contains, starts, ends
    case bound(ResourceRange.Bound)
  }

  private static let tests: [String: Test] = [
    "eq": .equal, "ne": .different, "in": .oneOf, "like": .contains, "contains": .contains, "startsWith": .starts,
    "endsWith": .ends,
  ]
  private static let bounds: [String: ResourceRange.Bound] = [
    "gt": .above, "gte": .least, "lt": .below, "lte": .most,
  ]

  /// Returns `nil` for a name that means no member of a schema or of items.
  ///
  /// - Parameters:
  ///   - items: Items whose members count beside the members of the schema.
  ///   - isOpen: Whether any other name is a member that no item has.
  ///   - takesBounds: Whether `_gte` and the like are read here, and not by `ResourceRange`.
  init?(
    _ name: String, of schema: ResolvedSchema, items: [ResourceItem] = [], isOpen: Bool = false, takesBounds: Bool
  ) {
    if let path = Self.path(name, schema, items) {
      (self.path, test) = (path, .equal)
      return
    }
    if let end = name.utf8.lastIndex(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") }) {
      let (member, word) = (String(name[..<end]), String(name[name.utf8.index(after: end)...]))
      let test = Self.tests[word] ?? (takesBounds ? Self.bounds[word].map { .bound($0) } : nil)
      if let test, let path = Self.path(member, schema, items) ?? (isOpen ? [member] : nil) {
        (self.path, self.test) = (path, test)
        return
      }
    }
    guard isOpen else { return nil }
    (path, test) = ([name], .equal)
  }

  /// The path of a name: a member, however its case and words are written, or members joined by dots.
  private static func path(_ name: String, _ schema: ResolvedSchema, _ items: [ResourceItem]) -> [String]? {
    let normal = ResourceIdentity.normal(name)
    if let found = schema.properties.first(where: { ResourceIdentity.normal($0.name) == normal }) {
      return [found.name]
    }
    if items.contains(where: { $0.value[name] != nil }) { return [name] }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return nil }
    var schema = schema
    for part in parts {
      if schema.describesElements { schema = schema.element }
      guard let property = schema.property(part) else { return nil }
      schema = property
    }
    return parts
  }

  /// Whether an item meets the filter with the values of a request.
  func holds(for item: JSON, _ texts: [String]) -> Bool {
    let (values, isList) = values(in: item)
    if case .contains = test {
      let searches = texts.map(TextSearch.init)
      return values.contains { value in searches.contains { $0.finds(in: value) } }
    }
    func any(_ test: (_ value: String, _ text: String) -> Bool) -> Bool {
      values.contains { value in texts.contains { test(value, $0) } }
    }
    switch test {
    case .equal:
      return isList
        ? !values.isEmpty && texts.allSatisfy { text in values.contains { $0.utf8Equals(text) } }
        : any { $0.utf8Equals($1) }
    case .different: return !any { $0.utf8Equals($1) }
    case .oneOf:
      return any { value, text in text.split(separator: ",").contains { value.utf8Equals(String($0)) } }
    case .contains: return false
    case .starts: return any { $0.lowercased().hasPrefix($1.lowercased()) }
    case .ends: return any { $0.lowercased().hasSuffix($1.lowercased()) }
    case .bound(let bound):
      return values.contains { value in texts.allSatisfy { ResourceRange.holds(bound, value, $0) } }
    }
  }

  /// The values of the member, and whether a list has them; an absent member has none.
  private func values(in item: JSON) -> (texts: [String], isList: Bool) {
    var found = [item]
    for name in path {
      found = found.flatMap { $0.isArray ? Array($0.elements) : [$0] }.compactMap { $0[name] }
    }
    let isList = found.contains(where: \.isArray)
    return (found.flatMap { $0.isArray ? Array($0.elements) : [$0] }.map(\.plainText), isList)
  }
}
