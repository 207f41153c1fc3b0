/// How far changes in watched folders will be reported.
struct FolderCoverage {
  /// Whether a folder was added, in which something may have changed before.
  var hasGrown = false
  /// Whether every change will be reported.
  var isComplete = true
}
