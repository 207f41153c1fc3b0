import Foundation

/// How long the tests with random or with large input are.
package enum TestLength {
  /// Whether `make test FULL=1` asks for the whole length; without it they have a tenth.
  package static let isFull = ProcessInfo.processInfo.environment["UNDERSTUDY_FULL"]?.isEmpty == false

  /// The number of random inputs, or of elements.
  package static func inputs(_ full: Int) -> Int { isFull ? full : full / 10 }
}
