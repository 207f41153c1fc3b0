import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// nst's suite "Parsing JSON is a minefield".
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct JSONTestSuiteTests {
  @Test func `every case of the suite is accepted or refused as required`() throws {
    let folder = Corpora.path("nst+JSONTestSuite/test_parsing")
    var counts = [Character: Int]()
    for entry in try FileSystem.list(folder) where entry.name.utf8.suffix(5).elementsEqual(".json".utf8) {
      let bytes = try FileSystem.read(folder + "/" + entry.name).bytes
      var problem: TextProblem?
      do throws(TextProblem) { _ = try JSONParser.parse(bytes) } catch { problem = error }
      switch entry.name.first {
      case "y": #expect(problem == nil, "\(entry.name): \(problem?.message ?? "")")
      case "n": #expect(problem != nil, "\(entry.name) was taken")
      default: break
      }
      if let problem { #expect(problem.range.upperBound <= bytes.count, "\(entry.name)") }
      counts[entry.name.first ?? "?", default: 0] += 1
    }
    #expect(counts["y"] ?? 0 > 90 && counts["n"] ?? 0 > 180 && counts["i"] ?? 0 > 30)
  }
}
