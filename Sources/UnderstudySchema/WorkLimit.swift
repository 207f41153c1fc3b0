import CUnderstudyThreads

/// A limit for all validations and generated values of a thread within a call, in units of `Evaluator.baseFuel`.
///
/// Each evaluation has a limit of its own; this one bounds their sum, for example over the parameters, the readings and
/// the items of one request. Work is counted in steps, so the same call always ends at the same point.
package enum WorkLimit {
  /// The work for one message of a number of bytes: seconds for a hostile one, more than enough for any other.
  package static func units(forBytes count: Int) -> Int { 2 * Evaluator.baseFuel + 20 * count }

  /// Runs `body`, which may contain further limits. Not generic: other modules call it for every request, and a generic
  /// function is not specialized for them.
  ///
  /// - Returns: Whether the limit sufficed. If not, results of `body` may lack failures, or report a part as not validated.
  @discardableResult
  package static func run(_ units: Int, _ body: () -> Void) -> Bool {
    let outer = current
    let granted = outer.map { min(units, $0.pointee.left) } ?? units
    var state = State(left: max(granted, 0))
    return withUnsafeMutablePointer(to: &state) { state in
      thread_set_work_limit(state)
      body()
      thread_set_work_limit(outer)
      if let outer {
        outer.pointee.left -= granted - state.pointee.left
        if state.pointee.isExceeded, granted < units { outer.pointee.isExceeded = true }
      }
      return !state.pointee.isExceeded
    }
  }

  /// Whether the innermost limit was exceeded.
  package static var isExceeded: Bool { current?.pointee.isExceeded ?? false }

  /// Generates values to their end from here on, until the innermost limit ends: what was done before cannot be done twice.
  package static func completeGenerations() { current?.pointee.completesGenerations = true }

  /// Runs `body`, which generates a value, without the limits around it if that must be completed.
  static func generating(_ body: () -> Void) {
    guard let limit = current, limit.pointee.completesGenerations else { return body() }
    thread_set_work_limit(nil)
    body()
    thread_set_work_limit(limit)
  }

  /// The rest of the innermost limit; `nil` without one.
  static var left: Int? { current.map { max($0.pointee.left, 0) } }

  /// Pays for work outside of an evaluation. Returns whether the limit sufficed so far.
  package static func charge(_ units: Int) -> Bool {
    guard let limit = current else { return true }
    limit.pointee.left -= units
    if limit.pointee.left <= 0 { limit.pointee.isExceeded = true }
    return !limit.pointee.isExceeded
  }

  struct State {
    var left: Int
    var isExceeded = false
    var completesGenerations = false

    /// The fuel of an evaluation that wants some.
    func grant(_ wanted: Int) -> Int { min(wanted, max(left, 0)) }

    /// Subtracts the work of an evaluation.
    ///
    /// - Parameter isShort: Whether the evaluation wanted more than it was granted, and had too little.
    mutating func take(_ spent: Int, isShort: Bool) {
      left -= spent
      if isShort { isExceeded = true }
    }
  }

  /// The innermost limit of this thread.
  static var current: UnsafeMutablePointer<State>? {
    thread_get_work_limit()?.assumingMemoryBound(to: State.self)
  }
}
