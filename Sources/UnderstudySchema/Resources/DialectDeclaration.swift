/// A dialect and the node that names it; `nil` for an unknown name.
struct DialectReading {
  let dialect: Dialect?
  let node: JSON?
}

/// The dialect and the name that a document declares.
struct DialectDeclaration {
  let reading: DialectReading
  /// Whether the document describes an API, rather than being a schema.
  let isDescription: Bool
  /// `$self` (OpenAPI 3.2.0, 4.1.1).
  let ownName: URIReference?

  /// Reads the version, else `$schema`; `nil` for a document without either.
  init?(of root: JSON, loader: SchemaLoader) {
    if let version = root["openapi"], version.isString || version.kind == .number {
      isDescription = true
      ownName = root["$self"]?.string.map { URIReference($0) }
      if let node = root["jsonSchemaDialect"], let uri = node.string {
        reading = DialectReading(dialect: Dialect(uri: uri, loader: loader), node: node)
      } else {
        let dialect = Self.dialect(ofVersion: version.text)
        reading = DialectReading(dialect: dialect, node: dialect == nil ? version : nil)
      }
    } else if root["swagger"] != nil {
      (isDescription, ownName) = (true, nil)
      reading = DialectReading(dialect: .swagger2, node: nil)
    } else if let version = root["asyncapi"], version.isString || version.kind == .number {
      // A Schema Object is a superset of draft 7 (AsyncAPI 3.0.0, Schema Object).
      (isDescription, ownName) = (true, nil)
      reading = DialectReading(dialect: .draft7, node: nil)
    } else if let node = root["$schema"], let uri = node.string {
      (isDescription, ownName) = (false, nil)
      reading = DialectReading(dialect: Dialect(uri: uri, loader: loader), node: node)
    } else {
      return nil
    }
  }

  /// Unquoted, `3.0` is a number in YAML.
  private static func dialect(ofVersion version: String) -> Dialect? {
    if version == "3" || version.hasPrefix("3.0") { return .openAPI30 }
    return version.hasPrefix("3.") ? .openAPI31 : nil
  }
}

extension Dialect {
  /// The longest chain of metaschemas, each the metaschema of the one before it.
  private static let maximumMetaschemas = 8

  /// A dialect that is built in, or that a loaded metaschema describes.
  init?(uri: String, loader: SchemaLoader) {
    var (uri, metaschemas) = (uri, [JSON]())
    while metaschemas.count < Self.maximumMetaschemas {
      if let draft = Dialect(uri: uri) ?? metaschemas.last.flatMap(Dialect.init(core:)) {
        let described = metaschemas.reversed().reduce(draft as Dialect?) { $0?.described(by: $1, of: draft) }
        guard let described else { return nil }
        self = described
        return
      }
      guard let root = loader.document(URIReference(uri).withoutFragment.description)?.root else { return nil }
      metaschemas.append(root)
      uri = root["$schema"]?.string ?? ""
    }
    return nil
  }
}
