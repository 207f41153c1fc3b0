import UnderstudyVerification

/// Finds the locations of a change that a report shows: a line of the new version, and notes with the revision of the old
/// one.
struct ChangeLocations {
  private let oldFiles: Set<ObjectIdentifier>
  private let oldTree: GitTree?
  private let newTree: GitTree?
  /// The location of findings about parts that the new version does not have.
  private let fallback: Location

  init(_ old: API, _ new: API, _ oldTree: GitTree?, _ newTree: GitTree?) {
    oldFiles = Set(old.files.map(ObjectIdentifier.init))
    self.oldTree = oldTree
    self.newTree = newTree
    fallback = Location(start: new.root.key("paths") ?? new.root.key("webhooks") ?? new.root)
  }

  /// The finding at a line of the new version.
  func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    var placed = diagnostic
    placed.notes = diagnostic.notes.map { Diagnostic.Note($0.message, at: $0.location.map(place)) }
    placed.location = diagnostic.location.map(place)
    guard let location = diagnostic.location, isOld(location) else { return placed }
    placed.notes.insert(Diagnostic.Note("before", at: place(location)), at: 0)
    placed.location = place(fallback)
    return placed
  }

  private func isOld(_ location: Location) -> Bool {
    location.source.map { oldFiles.contains(ObjectIdentifier($0)) } ?? false
  }

  /// The location with the path that people read: the old one with its revision, the new one from the working directory.
  func place(_ location: Location) -> Location {
    guard let path = location.path else { return location }
    if isOld(location) { return oldTree.map { location.renamed($0.shown(path)) } ?? location }
    return newTree.map { location.renamed($0.local(path)) } ?? location
  }
}
