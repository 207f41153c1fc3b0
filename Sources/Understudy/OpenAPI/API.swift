/// A contract after reading: one model for Swagger 2.0 and OpenAPI 3.0 to 3.2.
///
/// References are resolved, path-item parameters merged, security inherited. Every part keeps its `node`, the value in
/// the document that it was read from, for positions and extensions.
public struct API: Sendable {
  /// The contract's name: its file name without extension; names the fixture folder.
  public var name: String
  /// `info.title`; empty when absent.
  public var title: String
  /// `info.version`; empty when absent.
  public var version: String
  /// The version of the specification it is written in.
  public var specification: Specification
  /// The whole document.
  package var root: JSON
  /// Root servers; `[/]` when the document names none.
  package var servers: [Server]
  /// Every operation of `paths`, in document order.
  package var operations: [Operation]
  /// Operations of `webhooks`; the provider calls them, so no path matches them.
  package var webhooks: [Operation]
  package var securitySchemes: [SecurityScheme]
  /// Follows references for whoever compiles its schemas.
  package var resolver: ReferenceResolver
  /// What was wrong; an API with errors here is still usable unless reading returned none.
  package var diagnostics: [Diagnostic]

  /// Every file that was read so far, the contract first: what a watcher must watch. Compiling schemas may add to them.
  package var files: [SourceFile] { resolver.store.files }
  /// Paths that a reference named and that could not be read.
  package var missingFiles: [String] { resolver.store.missing }

  /// The operation of an id, or of an `operationId` that cannot name a folder.
  package func operation(_ id: String) -> Operation? {
    operations.first { $0.id == id } ?? operations.first { $0.operationId == id }
  }

  /// The sum of documented statuses over all operations.
  package var cellCount: Int { operations.reduce(0) { $0 + $1.responses.count } }
}

/// The version of the specification that a document is written in.
public enum Specification: String, Sendable, Comparable, CaseIterable {
  /// Swagger 2.0
  case swagger2 = "2.0"
  /// OpenAPI 3.0.x
  case openAPI30 = "3.0"
  /// OpenAPI 3.1.x
  case openAPI31 = "3.1"
  /// OpenAPI 3.2.x
  case openAPI32 = "3.2"

  /// Orders by age.
  public static func < (a: Specification, b: Specification) -> Bool { a.rawValue < b.rawValue }
}

/// A base URL, variables unresolved.
package struct Server: Sendable {
  package var url: String
  package var variables: [Variable]
  package var node: JSON?

  package struct Variable: Sendable {
    package var name: String
    package var defaultValue: String
    package var values: [String]
  }
}
