import JSONSchema
import Understudy

extension SchemaLibrary {
  /// A library for schemas of a version, with no documents to load.
  static func of(_ specification: Specification) -> SchemaLibrary { SchemaLibrary(dialect: specification.dialect) }
}
