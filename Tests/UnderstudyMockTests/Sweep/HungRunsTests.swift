import Testing
import UnderstudyMock

struct HungRunsTests {
  private func confirmed(_ runs: [String], again: (String) -> String?) async throws -> [String] {
    try await HungRuns.confirmed(runs, where: { $0.hasSuffix("hung") }, again: { again($0) })
  }

  @Test func `the repetition of a run replaces the run that hung`() async throws {
    var repeated: [String] = []
    let runs = try await confirmed(["a", "b hung", "c", "d hung"]) { run in
      repeated.append(run)
      return run == "b hung" ? "b" : run
    }
    #expect(runs == ["a", "b", "c", "d hung"])
    #expect(repeated == ["b hung", "d hung"])
  }

  @Test func `a run that hung and cannot be repeated is not reported`() async throws {
    #expect(try await confirmed(["a", "b hung", "c"]) { _ in nil } == ["a", "c"])
  }
}
