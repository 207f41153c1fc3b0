/// The methods that ask for nothing to change (RFC 9110, 9.2.1; QUERY of its draft).
package enum SafeMethods {
  static let names: Set<String> = ["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"]

  package static func contains(_ method: String) -> Bool { names.contains(method) }
}
