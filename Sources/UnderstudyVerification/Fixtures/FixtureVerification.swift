extension Contract {
  /// Verifies the contract, its examples and its fixtures, as `understudy verify` does. The files are read anew.
  ///
  /// - Parameter fixtures: The folder that the contract was loaded with.
  /// - Throws: `DiagnosticError` when the contract can no longer be read.
  public func verifyFixtures(in fixtures: String = "fixtures") async throws(DiagnosticError) -> Report {
    var reading = ContractReading()
    reading.access = compiled.api.access
    let source = ContractSource(compiled.api.root.path, name: name, reading: reading).withFixtures(in: fixtures)
    let startedAt = ContinuousClock.now
    let (verifier, diagnostics) = FixtureVerifier.open(source, fixtures: fixtures, FixtureVerifier.Options())
    guard let verifier else { throw DiagnosticError(diagnostics) }
    var report = Report(
      Report.Run("verify fixtures", contracts: [Report.ContractFile(source)], startedAt: Timestamp.now()))
    await verifier.verify(into: &report)
    report.run.duration = ContinuousClock.now - startedAt
    return report
  }
}
