/// The fixtures of one contract: `fixtures/<contract>/<operationId>/<status>[.<name>].<extension>`.
package struct FixtureStore: Sendable {
  /// The contract's folder, whether it exists or not; who watches it sees every fixture come, change and go.
  package var folder: String
  /// By operation id, in the order of their file names.
  package var fixtures: [String: [Fixture]]
  package var diagnostics: [Diagnostic]
  /// What fixtures name as their `bodyFile`: such a file may lie outside the folder.
  package var bodyFiles: [String] = []

  package var count: Int { fixtures.values.reduce(0) { $0 + $1.count } }

  /// Reads every fixture of the contract; a broken one is left out and reported, the others stand.
  package static func load(_ folder: String, for api: API) -> FixtureStore {
    let listing = FixtureListing.list(folder, for: api)
    var store = FixtureStore(folder: folder, fixtures: [:], diagnostics: listing.diagnostics)
    for folder in listing.folders { store.load(folder) }
    return store
  }

  private mutating func load(_ folder: FixtureListing.Folder) {
    var found: [Fixture] = []
    var duplicates = FixtureDuplicates()
    for file in folder.files {
      let reading = folder.read(file)
      diagnostics += reading.diagnostics
      bodyFiles += reading.bodyFile.map { [$0] } ?? []
      guard let fixture = reading.fixture else { continue }
      found.append(fixture)
      if let duplicate = duplicates.add(FixtureOutline(fixture)) { diagnostics.append(duplicate) }
    }
    diagnostics += folder.misplaced(besides: bodyFiles)
    fixtures[folder.operation.id] = found
  }
}
