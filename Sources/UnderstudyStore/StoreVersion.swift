import UnderstudyMock

/// The reasons that this version cannot read a store of a later one.
enum StoreVersion {
  static func problem(tables found: Int?, _ known: Int) -> String? {
    if let found, found <= known { return nil }
    return "a later version of understudy wrote it: expected tables of version \(known) or lower, found "
      + (found.map { "version \($0)" } ?? "no version")
  }

  static func problem(format found: Int) -> String? {
    if found <= LaneState.currentFormat { return nil }
    return "a later version of understudy wrote it: expected lanes of format \(LaneState.currentFormat) "
      + "or lower, found format \(found)"
  }
}
