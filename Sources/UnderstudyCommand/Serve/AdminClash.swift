import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// Finds operations that the admin API hides.
enum AdminClash {
  static func findings(in mock: Mock, _ admin: AdminChoice) -> [Diagnostic] {
    guard admin.isOffered else { return [] }
    let root = admin.root
    return mock.operations.compactMap { operation in
      let path = operation.compiled.basePath + operation.compiled.operation.path
      guard path.utf8Equals(root) || path.utf8.starts(with: "\(root)/".utf8) else { return nil }
      return Diagnostic(
        .configRouteClash,
        "`\(operation.compiled.operation.method) \(path)` cannot be reached: the admin API answers below \(root)",
        at: Location(start: operation.compiled.operation.node),
        help: "move the admin API with `--admin-path /__understudy`, or leave it out with `--no-admin`")
    }
  }
}
