import Testing
import UnderstudyTestSupport

/// What `--expect-file` requires of a run beside its exit code.
@Suite(.waitsForProcesses)
struct SweepExpectationTests {
  /// Asks again after a failure, and then gives up with words.
  private static let client = "\(SweepCommandTests.curl) || { \(SweepCommandTests.curl); echo no pets today; exit 3; }"

  private static func findings(_ expectations: String) throws -> [String] {
    let result = try SweepCommandTests.sweep(
      client, "--expect-file", "sweep.yaml", files: ["sweep.yaml": expectations])
    return result.output.split(separator: "\n").filter { $0.contains("[sweep.unexpected]") }.map(String.init)
  }

  @Test func `a run that does all that is expected has no finding`() throws {
    let found = try Self.findings(
      """
      readPet:
        status 404: {exit: 3, output: no pets, next: [readPet], within: 9s}
        slow: {exit: passes, next: []}
        close: {output: today}
        close head: {exit: passes, next: []}
      """)
    #expect(found == [])
  }

  @Test func `each part that is not met is a finding`() throws {
    let found = try Self.findings(
      """
      readPet:
        status 404: {exit: passes, output: sold out, next: []}
        status 200: {next: [readPet x2]}
        slow: {within: 100ms}
      """)
    #expect(
      found.map { $0.replacing(/after \d+ ms/, with: "after N ms") } == [
        "error: status 200 found: expected that it then sends readPet x2, found nothing [sweep.unexpected]",
        "error: status 404: expected exit code 0, found exit 3: no pets today; it then sent readPet [sweep.unexpected]",
        "error: status 404: expected `sold out` in its output, found exit 3: no pets today [sweep.unexpected]",
        "error: status 404: expected that it then sends nothing, found readPet [sweep.unexpected]",
        "error: slow: expected an end within 100ms, found one after N ms [sweep.unexpected]",
      ])
  }

  @Test func `without an exit code the rules of every sweep hold`() throws {
    let result = try SweepCommandTests.sweep(
      "\(SweepCommandTests.curl) || kill -SEGV $$", "--expect-file", "sweep.yaml",
      files: ["sweep.yaml": "\"*\": {status: {within: 9s}}"])
    #expect(result.output.contains("found crashed (SIGSEGV) [sweep.crash]"), "\(result.output)")
  }
}
