package import UnderstudyMock
package import UnderstudySchema

extension SchemaLibrary {
  /// A library for schemas of a version, with no documents to load.
  package static func of(_ specification: Specification) -> SchemaLibrary {
    SchemaLibrary(dialect: specification.dialect)
  }
}
