import UnderstudyServer

/// The version of the product.
enum Version {
  static let current = ServerVersion.current

  /// The version and how the program was built, for `--version --verbose`.
  static let details = """
    \(current)
    optimization: \(optimization)
    HTTPS: \(https)
    """

  /// Whether the arguments are `--version --verbose`, in either order.
  static func isDetailed(_ arguments: [String]) -> Bool {
    arguments.sorted() == ["--verbose", "--version"]
  }

  private static var optimization: String {
    #if DEBUG
    "none, a debug build"
    #elseif SERVER_OPTIMIZED
    "the server, for size; `make build` and `make install` optimize everything for speed"
    #else
    "everything, for speed"
    #endif
  }

  private static var https: String {
    #if TLS
    "yes"
    #else
    "no; `make build TRAITS=TLS` adds it"
    #endif
  }
}
