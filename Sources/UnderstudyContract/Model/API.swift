/// A contract in one model for Swagger 2.0 and OpenAPI 3.0 to 3.2.
///
/// References are resolved, path-item parameters merged, security inherited. Every part keeps the value it was read from as
/// its `node`, for positions and extensions.
package struct API: Sendable {
  /// The contract's name: its file name without extension; names the fixture folder.
  package var name = ""
  /// `info.title`; empty when absent.
  package var title = ""
  /// `info.version`; empty when absent.
  package var version = ""
  package var specification: Specification
  /// The whole document.
  package var root: JSON
  /// Root servers; `[/]` when the document names none.
  package var servers: [Server] = []
  /// Every operation of `paths`, in document order.
  package var operations: [Operation] = []
  /// Operations of `webhooks`; the provider calls them, so no path matches them.
  package var webhooks: [Operation] = []
  package var securitySchemes: [SecurityScheme] = []
  package var resolver: ReferenceResolver
  /// The findings of reading; an API with errors is still usable.
  package var diagnostics: [Diagnostic] = []
  /// Whether `root` was made from data, which has no contract.
  package var isData = false
  /// The AsyncAPI document beside the contract, which a comparison of versions reads with it.
  package var eventDocument: JSON?
  /// The replies of a routes file; `nil` for a contract of OpenAPI.
  package var routes: RouteReplies?

  /// Every file read so far, the contract first, for a watcher. Compiling schemas may add files.
  package var files: [SourceFile] { resolver.store.files }
  /// The files that the contract and its fixtures may name.
  package var access: FileAccess { resolver.store.access }
  /// Paths of references that could not be read.
  package var missingFiles: [String] { resolver.store.missing }

  /// The operation with an id, or with an `operationId` that cannot name a folder.
  package func operation(_ id: String) -> Operation? {
    operations.first { $0.id == id } ?? operations.first { $0.operationId == id }
  }
}

extension API {
  /// Creates the contract of an AsyncAPI document, which has no operations.
  package init(events root: JSON, at path: String, resolver: ReferenceResolver) {
    let info = root["info"]
    self.init(
      name: Path.stem(of: path), title: info?["title"]?.string ?? "", version: info?["version"]?.text ?? "",
      specification: .openAPI31, root: root, resolver: resolver)
  }
}

/// The version of the specification that a document is written in.
package enum Specification: String, Sendable, Comparable, CaseIterable {
  /// Swagger 2.0
  case swagger2 = "2.0"
  /// OpenAPI 3.0.x
  case openAPI30 = "3.0"
  /// OpenAPI 3.1.x
  case openAPI31 = "3.1"
  /// OpenAPI 3.2.x
  case openAPI32 = "3.2"

  /// The dialect of schemas that declare none.
  package var dialect: Dialect {
    switch self {
    case .swagger2: .swagger2
    case .openAPI30: .openAPI30
    case .openAPI31, .openAPI32: .openAPI31
    }
  }

  /// Orders by age.
  package static func < (a: Specification, b: Specification) -> Bool { a.rawValue < b.rawValue }
}

/// A base URL, variables unresolved.
package struct Server: Sendable {
  package var url: String
  package var variables: [Variable] = []
  package var node: JSON?

  package struct Variable: Sendable {
    package var name: String
    package var defaultValue: String
    package var values: [String]
  }
}

extension Server {
  package init(_ url: String, variables: [Variable] = []) { self.init(url: url, variables: variables, node: nil) }
}

extension Server.Variable {
  package init(_ name: String, default value: String, values: [String] = []) {
    self.init(name: name, defaultValue: value, values: values)
  }
}
