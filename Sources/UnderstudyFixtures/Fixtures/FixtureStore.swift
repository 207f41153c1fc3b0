/// The fixtures of one contract: `fixtures/<contract>/<operationId>/<status>[.<name>].<extension>`.
package struct FixtureStore: Sendable {
  /// The contract's folder, whether it exists or not.
  package var folder: String
  /// By operation id, in the order of their file names.
  package var fixtures: [String: [Fixture]]
  package var diagnostics: [Diagnostic]
  /// The files that fixtures name as `bodyFile`; they may be outside the folder.
  package var bodyFiles: [String] = []

  package var count: Int { fixtures.values.reduce(0) { $0 + $1.count } }

  /// Reads every fixture of the contract; invalid ones are reported and left out.
  package static func load(_ folder: String, for api: API) -> FixtureStore {
    load(FixtureListing.list(folder, for: api), folder)
  }

  /// Reads the replies of a routes file, and no fixtures of a folder.
  package static func load(routesOf api: API) -> FixtureStore {
    var store = load(FixtureListing.list(routesOf: api), "")
    // A route for any method has a reply for each of them.
    store.diagnostics = store.diagnostics.unique()
    return store
  }

  private static func load(_ listing: FixtureListing, _ folder: String) -> FixtureStore {
    var store = FixtureStore(folder: folder, fixtures: [:], diagnostics: listing.diagnostics)
    for folder in listing.folders {
      let readings = folder.files.map(folder.read)
      let outlines = readings.compactMap { $0.fixture.map { FixtureOutline($0) } }
      store.diagnostics += FixtureTies.findings(among: outlines, of: folder.operation)
      var duplicates = FixtureDuplicates()
      for reading in readings {
        store.diagnostics += reading.diagnostics
        let duplicate = reading.fixture.flatMap { duplicates.add(FixtureOutline($0)) }
        if let duplicate { store.diagnostics.append(duplicate) }
      }
      store.bodyFiles += readings.compactMap(\.bodyFile)
      store.diagnostics += folder.misplaced(besides: store.bodyFiles)
      store.fixtures[folder.operation.id] = readings.compactMap(\.fixture)
    }
    return store
  }
}
