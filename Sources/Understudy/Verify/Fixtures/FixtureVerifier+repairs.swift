extension FixtureVerifier {
  /// What of the fixtures can be repaired safely, in the order of the report.
  package func repairs(
    sortingMembers: Bool, progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
  ) async -> [FixtureRepair] {
    var repairs: [FixtureRepair] = []
    await forEachChunk(progress) { chunk -> [FixtureRepair] in
      let repairer = FixtureRepairer(
        operation: chunk.folder.operation, schemas: contract.schemas, sortsMembers: sortingMembers
      ) { source in
        let reading = chunk.folder.read(source)
        return reading.fixture.map { chunk.validator.validate($0, told: reading.diagnostics).findings.count }
      }
      return chunk.files.compactMap { file -> FixtureRepair? in
        let reading = chunk.folder.read(file)
        guard let fixture = reading.fixture,
          sortingMembers || !chunk.validator.validate(fixture, told: reading.diagnostics).findings.isEmpty
        else { return nil }
        return repairer.repair(fixture)
      }
    } inOrder: { _, found in
      repairs += found
    }
    return repairs
  }
}
