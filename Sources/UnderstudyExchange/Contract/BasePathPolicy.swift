package enum BasePathPolicy: Sendable {
  case servers
  /// One path for all operations, without a trailing slash; empty for the root.
  case fixed(String)

  /// The base paths of an operation, in order, each once; `""` is the root.
  func paths(of operation: Operation) -> [String] {
    switch self {
    case .servers: BasePaths.from(operation.servers)
    case .fixed(let path): [path]
    }
  }
}
