/// The fixed fields of a Path Item.
package enum PathItemKeys {
  /// The keys of operations.
  package static func methods(_ specification: Specification) -> [String] {
    let common = ["get", "put", "post", "delete", "options", "head", "patch"]
    return switch specification {
    case .swagger2: common
    case .openAPI30, .openAPI31: common + ["trace"]
    case .openAPI32: common + ["trace", "query"]
    }
  }

  /// The other keys.
  static func others(_ specification: Specification) -> [String] {
    switch specification {
    case .swagger2: ["$ref", "parameters"]
    case .openAPI30, .openAPI31: ["$ref", "parameters", "summary", "description", "servers"]
    case .openAPI32: ["$ref", "parameters", "summary", "description", "servers", "additionalOperations"]
    }
  }
}
