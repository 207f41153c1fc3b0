/// A limit for the dates of a string schema, relative to the current time: `x-understudy-latest: -17y`.
struct TimeLimit {
  /// Whether it is a latest date, not an earliest one.
  private let isLatest: Bool
  /// The offset in the contract.
  let node: JSON

  static func all(of schema: JSON) -> [TimeLimit] {
    zip(AnnotationSet.timeLimits, [false, true]).compactMap { key, isLatest in
      schema[key].map { TimeLimit(isLatest: isLatest, node: $0) }
    }
  }

  /// Whether a date, or a date with time, lies outside at `now`, microseconds since 1970. Other strings are valid.
  func isExceeded(by text: String, at now: Int) -> Bool {
    guard let limit = TimeOffset.moved(now, by: node.text),
      let time = Timestamp.microseconds((text.utf8.count == 10 ? text + "T00:00Z" : text).utf8)
    else { return false }
    return isLatest ? time > limit : time < limit
  }

  func message(_ text: String) -> String {
    """
    expected a time at \(isLatest ? "the latest" : "the earliest") `now \(node.text)`, found \
    "\(VisibleText.line(VisibleText.shortened(text, to: 60)))"
    """
  }
}
