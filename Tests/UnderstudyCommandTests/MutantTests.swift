import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport
import UnderstudyVerification

/// Seeded faults, which `verify` must find by their rules, without other findings.
@Suite(.ownQueue)
struct MutantTests {
  @Test func `every seeded fault is found under its name, and nothing else`() throws {
    let report = try MutantReport(MutantTable.all(), program: Command.path)
    #expect(report.missed == [])
    #expect(report.falseAlarms == [])
  }

  @Test func `there are 120 faults without the corpora`() throws {
    let tables = try MutantTable.all().filter { !$0.isFromCorpora }
    #expect(tables.reduce(0) { $0 + $1.mutants.count } >= 120)
  }

  @Test func `every rule has a mutant`() throws {
    let seeded = Set(try MutantTable.all().filter { !$0.isFromCorpora }.flatMap(\.mutants).map(\.rule))
    let rules = Rule.spec + Rule.schema + Rule.example + Rule.fixture + Rule.request + Rule.response
    #expect(rules.map(\.id).filter { !seeded.contains($0) && Self.withoutMutant[$0] == nil } == [])
  }

  /// Rules that `verify` cannot check, with the reason.
  private static let withoutMutant = [
    "spec.ref.chain": "it takes more than a hundred schemas",
    Rule.schemaTooLarge.id: "it takes hundreds of thousands of schemas",
    Rule.unassertedContent.id: "only `schema check` can assert contents",
    Rule.fixtureUnused.id: "only a recording of the mock shows the fixtures that it served",
    Rule.requestPreference.id: "only a mock reads preferences",
    Rule.requestNotAcceptable.id:
      "a mock chooses among media types; what a server sent instead is validated as an answer",
  ]
}
