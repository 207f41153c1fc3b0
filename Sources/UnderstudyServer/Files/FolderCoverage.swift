struct FolderCoverage {
  /// Whether a folder was added, in which something may have changed before.
  var hasGrown = false
  var isComplete = true
}
