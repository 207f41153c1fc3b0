import UnderstudyServer

/// The version of the product.
enum Version {
  static let current = ServerVersion.current
}
