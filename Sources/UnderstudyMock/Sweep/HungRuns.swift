/// Runs of a sweep that hung beside other runs: a slow machine may be to blame.
package enum HungRuns {
  /// Repeats the runs that hung, one after the other.
  ///
  /// - Parameters:
  ///   - isHung: Whether a run hung.
  ///   - again: Repeats a run; `nil` if no further run may begin. A run that is not repeated is left out.
  package static func confirmed<Run>(
    _ runs: [Run], where isHung: (Run) -> Bool, again: (Run) async throws -> Run?
  ) async throws -> [Run] {
    var confirmed: [Run] = []
    for run in runs {
      if !isHung(run) {
        confirmed.append(run)
      } else if let repeated = try await again(run) {
        confirmed.append(repeated)
      }
    }
    return confirmed
  }
}
