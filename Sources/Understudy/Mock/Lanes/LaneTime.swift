/// A clock, which may be ahead of another one.
package struct LaneTime: Sendable {
  private let now: @Sendable () -> Int
  private var offset = 0

  package init(_ now: @escaping @Sendable () -> Int) { self.now = now }

  /// - Parameter offset: Microseconds.
  func ahead(by offset: Int) -> LaneTime {
    var time = self
    time.offset &+= offset
    return time
  }

  /// Microseconds since 1970.
  func callAsFunction() -> Int { now() &+ offset }
}
