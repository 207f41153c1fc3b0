/// The annotations of a schema object, keyword by keyword in its own order; read once for all values.
struct SchemaReading {
  struct Entry {
    /// `nil` for a name that the schema's dialect does not define.
    let keyword: Keyword?
    let value: JSON
    /// The types of values that it annotates with its own value.
    let annotated: JSONTypeSet
    /// Its name as the last part of a JSON pointer, and of a URI.
    let route: String
    let fragment: String
  }

  let dialect: Dialect
  let absoluteLocation: String
  let entries: [Entry]
  private let values: [Keyword: JSON]

  init(_ schema: JSON, dialect: Dialect, absoluteLocation: String) {
    self.dialect = dialect
    self.absoluteLocation = absoluteLocation
    let hidesSiblings = dialect.has(.refHidesSiblings) && schema[Keyword.ref.name]?.isString == true
    let hasShadows = !schema.document.duplicates.isEmpty
    entries = schema.members.compactMap { member in
      let name = member.name
      let keyword = Keyword.named(member.key).flatMap { dialect.keywords.contains($0) ? $0 : nil }
      if hidesSiblings, keyword != .ref { return nil }
      // The last one of duplicate names counts.
      if hasShadows, schema[name]?.index != member.value.index { return nil }
      let route = "/" + JSONPointer.escape(name)
      return Entry(
        keyword: keyword, value: member.value, annotated: dialect.annotated(by: member, of: schema), route: route,
        fragment: JSONPointer.fragment(of: route))
    }
    values = entries.reduce(into: [:]) { values, entry in
      if let keyword = entry.keyword { values[keyword] = entry.value }
    }
  }

  subscript(keyword: Keyword) -> JSON? { values[keyword] }

  /// The first of some keywords whose value is at a node.
  func keyword(at node: JSON, among keywords: [Keyword]) -> Keyword? {
    keywords.first { values[$0]?.index == node.index }
  }
}
