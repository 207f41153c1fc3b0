package enum ClientCheckTime {
  /// `250ms`, `1.5s`
  package static func text(_ microseconds: Int) -> String {
    let milliseconds = microseconds / 1000
    guard milliseconds >= 1000 else { return "\(milliseconds)ms" }
    let tenths = milliseconds / 100
    return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
  }
}
