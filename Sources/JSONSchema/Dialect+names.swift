extension Dialect {
  /// The names that a command line knows, in the order of their age.
  package static let names = named.map(\.name)

  private static let named: [(name: String, dialect: Dialect)] = [
    ("draft4", .draft4), ("draft6", .draft6), ("draft7", .draft7), ("2019-09", .draft2019), ("2020-12", .draft2020),
    ("swagger2.0", .swagger2), ("openapi3.0", .openAPI30), ("openapi3.1", .openAPI31), ("openapi3.2", .openAPI31),
  ]

  /// Reads a name of `names`, the bare number or year of a draft, or the URI of a metaschema.
  package init?(named name: String) {
    let plain = name.hasPrefix("draft-0") ? "draft" + name.dropFirst(7) : name
    let known = Self.named.first { $0.name == plain || $0.name == "draft" + plain || "draft" + $0.name == plain }
    if let known {
      self = known.dialect
    } else if plain.utf8.count == 4, let year = Self.named.first(where: { $0.name.hasPrefix(plain + "-") }) {
      self = year.dialect
    } else if let dialect = Dialect(uri: name) {
      self = dialect
    } else {
      return nil
    }
  }
}
