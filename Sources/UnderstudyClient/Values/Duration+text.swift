extension Duration {
  /// The duration as the admin API reads it, rounded to milliseconds: `5s`, `1500ms`.
  package var text: String {
    let milliseconds = milliseconds
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  /// The duration in seconds.
  var seconds: Double { Double(milliseconds) / 1_000 }

  /// The duration in milliseconds, rounded up and limited to a century, which every clock and the admin API accept.
  private var milliseconds: Int {
    let limit: Int64 = 100 * 365 * 86_400
    let (seconds, attoseconds) = components
    guard abs(seconds) < limit else { return Int(seconds < 0 ? -limit : limit) * 1_000 }
    return Int(seconds) * 1_000 + Int((Double(attoseconds) / 1e15).rounded(.up))
  }
}
