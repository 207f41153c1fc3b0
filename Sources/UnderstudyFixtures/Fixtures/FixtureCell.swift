package struct FixtureCell: Sendable {
  package let cell: CompiledCell
  /// In the order of their file names.
  package let fixtures: [Fixture]

  /// The fixtures that answer when the request prefers no name.
  package var defaults: [Fixture] { fixtures.filter { $0.name == nil && $0.when == nil } }

  /// The names of its fixtures, then of the contract's examples, each once.
  package var names: [String] {
    var names: [String] = []
    for name in fixtures.compactMap(\.name) + cell.content.flatMap({ $0.examples.compactMap(\.name) })
    where !names.contains(name) { names.append(name) }
    return names
  }
}

extension Contract {
  /// The cells of an operation: documented statuses in the contract's order, then those of fixtures alone.
  package func cells(of operation: CompiledOperation) -> [FixtureCell] {
    let fixtures = fixtures.fixtures[operation.id] ?? []
    var cells = operation.cells
    for fixture in fixtures where !cells.contains(where: { $0.status == fixture.status }) {
      cells.append(CompiledCell(status: fixture.status, response: nil))
    }
    return cells.map { cell in FixtureCell(cell: cell, fixtures: fixtures.filter { $0.status == cell.status }) }
  }
}
