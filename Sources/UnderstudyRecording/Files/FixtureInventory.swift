/// What is known of the fixtures of a contract: age, source, and whether they still belong to it.
package struct FixtureInventory: Sendable {
  package struct Item: Sendable {
    /// `readChat 200`, with the name of a variant: `readChat 200.empty`.
    package var label: String
    package var path: String
    /// `2026-11-21T09:41:00Z`; `nil` if a person wrote it.
    package var recorded: String?
    package var source: String?
    package var notes: [Note]

    /// Whole days since it was recorded.
    package func age(at now: Int) -> Int? {
      recorded.flatMap { Timestamp.microseconds($0.utf8) }.map { max(0, (now - $0) / 86_400_000_000) }
    }
  }

  package enum Note: String, Sendable {
    /// The operation has changed in the contract since.
    case stale
    /// The file was edited since it was recorded.
    case edited
    /// It answered in none of the recordings.
    case neverServed = "never served"
  }

  package struct Orphan: Sendable {
    package var path: String
    package var reason: String
  }

  /// A file that cannot be served, because of an error in it.
  package struct Broken: Sendable {
    package var path: String
    /// The line of the error; `nil` if that is unknown.
    package var line: Int?
    package var message: String
  }

  package private(set) var items: [Item] = []
  package private(set) var broken: [Broken] = []
  package private(set) var orphans: [Orphan] = []
  /// Documented cells without a fixture.
  package private(set) var missing: [String] = []
  package private(set) var cells = 0

  /// - Parameter use: The fixtures that answered in recordings; `nil` without recordings.
  /// - Throws: If the index of recordings cannot be read.
  package init(of contract: Contract, use: FixtureUse? = nil) throws(FileProblem) {
    let folder = contract.fixtures.folder
    let index = try RecordingIndex(of: folder)
    for operation in contract.compiled.operations {
      for cell in contract.cells(of: operation) {
        if cell.cell.response != nil {
          cells += 1
          if cell.fixtures.isEmpty { missing.append("\(operation.id) \(cell.cell.status)") }
        }
        for fixture in cell.fixtures {
          var item = Self.item(fixture, operation, index, folder)
          if let use, !use.hasServed(fixture, of: contract) { item.notes.append(.neverServed) }
          items.append(item)
        }
      }
    }
    orphans = Self.orphans(of: contract, index)
    let shown = Set(items.map(\.path) + orphans.map(\.path))
    broken = contract.fixtures.diagnostics.compactMap { finding in
      guard finding.severity == .error, let path = finding.location?.path, !shown.contains(path),
        !FileSystem.isFolder(path)
      else { return nil }
      return Broken(path: path, line: finding.location?.line, message: finding.message)
    }
  }

  private static func item(
    _ fixture: Fixture, _ operation: CompiledOperation, _ index: RecordingIndex, _ folder: String
  ) -> Item {
    let path = "\(operation.id)/\(Path.name(of: fixture.source.path))"
    let entry = index[path]
    var notes: [Note] = []
    if let entry {
      if !entry.contract.isEmpty, !ContractHash.matches(entry.contract, operation) { notes.append(.stale) }
      if !index.isUnchanged(path, in: folder) { notes.append(.edited) }
    }
    return Item(
      label: "\(operation.id) \(fixture.status)" + (fixture.name.map { ".\($0)" } ?? ""), path: fixture.source.path,
      recorded: entry?.recorded, source: entry?.source, notes: notes)
  }

  /// Files without use: of missing operations, bodies that no description names, and undocumented statuses.
  private static func orphans(of contract: Contract, _ index: RecordingIndex) -> [Orphan] {
    let folder = contract.fixtures.folder
    let known = Set(contract.api.operations.map(\.id))
    var orphans: [Orphan] = []
    for entry in (try? FileSystem.list(folder)) ?? [] where entry.isFolder && isLooked(at: entry.name) {
      let path = Path.join(folder, entry.name)
      let files = (try? FileSystem.list(path)) ?? []
      let bodies = Path.join(path, PlannedFixture.bodies)
      let named = (try? FileSystem.list(bodies)) ?? []
      if known.contains(entry.name) {
        // A description that cannot be read may name any of them.
        let isBroken = contract.fixtures.diagnostics.contains { finding in
          finding.severity == .error && finding.location?.path.map { $0.utf8.starts(with: "\(path)/".utf8) } == true
        }
        guard !isBroken else { continue }
        for body in named where !body.isFolder {
          let file = Path.join(bodies, body.name)
          guard !contract.fixtures.bodyFiles.contains(where: { FileSystem.isSame($0, file) }) else { continue }
          orphans.append(Orphan(path: file, reason: "no description names this body"))
        }
      } else {
        let reason = "no operation is called `\(entry.name)`"
        orphans += files.filter { !$0.isFolder && FixtureFileName($0.name) != nil }
          .map { Orphan(path: Path.join(path, $0.name), reason: reason) }
        orphans += named.filter { !$0.isFolder }.map { Orphan(path: Path.join(bodies, $0.name), reason: reason) }
      }
    }
    orphans += contract.fixtures.diagnostics.filter { $0.rule == .fixtureStatusUndocumented }.compactMap { finding in
      finding.location?.path.map { Orphan(path: $0, reason: finding.message) }
    }
    return orphans
  }

  private static func isLooked(at name: String) -> Bool { !name.hasPrefix(".") && !name.hasPrefix("_") }
}
