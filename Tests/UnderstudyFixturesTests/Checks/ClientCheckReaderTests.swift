import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ClientCheckReaderTests {
  @Test(arguments: [
    ("retry-storm", "check.retry-storm", 3), ("check.retry-storm=5", "check.retry-storm", 5),
    ("burst:writeNote=4", "check.burst", 4),
  ]) func `an argument names a check with its limit`(argument: String, rule: String, limit: Int) throws {
    let settings = try ClientCheckSettings(argument: argument)
    #expect(settings.rule == rule)
    #expect(settings.limit == limit)
  }

  @Test func `an argument names the operations and the interval of a check`() throws {
    let settings = try ClientCheckSettings(argument: "poll-interval:readNote,writeNote=1500ms")
    #expect(settings.operations == ["readNote", "writeNote"])
    #expect(settings.interval == 1_500_000)
  }

  @Test(arguments: [
    "offered-values: {operations: [writeNote], fields: [id], offer: readNotes/*/id}",
    #"{"offered-values": {"operations": ["writeNote"], "fields": ["id"], "offer": "readNotes/*/id"}}"#,
  ]) func `an argument has the settings of a check`(argument: String) throws {
    let settings = try ClientCheckSettings(argument: argument)
    #expect(settings.operations == ["writeNote"] && settings.fields == ["id"] && settings.offer == "readNotes/*/id")
    let unknown = settings.unknownOperations(among: ["writeNote"]).map(\.message)
    #expect(unknown == ["the check `offered-values` names the operation `readNotes`, which no contract has"])
  }

  @Test func `a list has checks as arguments and as mappings`() throws {
    var reader = ClientCheckReader(["readNote"])
    let list = try JSON(
      parsing: #"["retry-storm=5", "burst:readNote=4", "kept-fields: {fields: [id]}", {"burst": {"limit": 2}}]"#)
    let settings = reader.read(list)
    #expect(reader.diagnostics.map(\.message) == [])
    #expect(settings.map(\.limit) == [5, 4, nil, 2] && settings[1].operations == ["readNote"])
    #expect(settings[2].fields == ["id"])
    _ = reader.read(try JSON(parsing: #"["burst:readNte=4", "retry-strom=3"]"#))
    #expect(reader.diagnostics.map(\.help) == ["did you mean `readNote`?", "did you mean `retry-storm`?"])
  }

  @Test(arguments: [
    ("retry-strom", "did you mean `retry-storm`?"), ("", "known: retry-after-401"),
    ("retry-storm=often", "expected a number such as 3"), ("poll-interval=5", "expected a time such as 5s"),
    ("if-match=1", "it has none: `if-match`"),
    ("offered-values", "write them with the check, as `understudy explain check.offered-values` shows"),
    ("kept-fields:writeNote", "write them with the check"),
    ("kept-fieds: {fields: [id]}", "did you mean `kept-fields`?"),
    ("burst: {intervall: 1s}", "did you mean `interval`?"), ("kept-fields: {fields: []}", "`understudy explain"),
    ("burst: {", "expected one check"), ("burst: {limit: 1}, burst: {limit: 2}", "expected one check"),
  ]) func `a mistake in an argument is refused with the way out`(argument: String, help: String) {
    let problem = #expect(throws: UsageProblem.self) { try ClientCheckSettings(argument: argument) }
    #expect(problem?.help.hasPrefix(help) == true, "\(problem?.help ?? "")")
    // A command has several arguments.
    #expect(
      problem?.message.contains("`\(argument.prefix { $0 != "=" && $0 != ":" })") == true, "\(problem?.message ?? "")")
  }

  @Test(arguments: [
    ("checks: [↓retry-strom]", "scenario.check.unknown", "did you mean `retry-storm`?"),
    ("checks: ↓retry-storm", "fixture.invalid", ""),
    ("checks: [{burst: {operations: [↓writeNotes]}}]", "fixture.operation.unknown", "did you mean `writeNote`?"),
    ("checks: [{burst: {↓intervall: 1s}}]", "fixture.unknown-key", "did you mean `interval`?"),
    ("checks: [{burst: {interval: ↓soon}}]", "fixture.invalid", ""),
    ("checks: [{burst: {limit: ↓-1}}]", "fixture.invalid", ""),
    (
      "checks: [{offered-values: {operations: [writeNote], fields: [id], offer: ↓readNotes/id}}]",
      "fixture.operation.unknown", "did you mean"
    ),
    ("checks: [↓offered-values]", "fixture.invalid", "`understudy explain check.offered-values`"),
    ("checks: [{↓kept-fields: {operations: [writeNote], fields: []}}]", "fixture.invalid", "`understudy explain"),
    ("checks: [{retry-after-401: {↓limit: 1}}]", "fixture.unknown-key", "known: operations, interval"),
    ("checks: [retry-storm, {poll-interval: {operations: readNote, interval: 5s}}]", "", ""),
  ]) func `a mistake in a scenario is reported where it is`(marked: String, rule: String, help: String) throws {
    let places = MarkedText(marked)
    let fixtures = ["_scenarios/rush.yaml": places.text]
    try ContractFixture(MockContract.notes, fixtures: fixtures).withMock { mock in
      let found = mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.rule.id) == (rule.isEmpty ? [] : [rule]))
      #expect(found.first?.help?.hasPrefix(help) ?? help.isEmpty, "\(found.first?.help ?? "")")
      #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets)
    }
  }
}
