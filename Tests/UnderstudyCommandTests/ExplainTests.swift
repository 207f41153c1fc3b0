import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

struct ExplainTests {
  @Test func `a rule is explained with its duty and its examples`() throws {
    let result = try Command.run("explain", "spec.schema.enum-duplicate")
    let rule = try #require(Rule.all.first { $0.id == "spec.schema.enum-duplicate" })
    var expected = "spec.schema.enum-duplicate: \(rule.summary)\n\n\(rule.help)\n\n"
    expected += "severity: \(rule.severity.rawValue), to be fixed by: contract\n"
    for example in rule.examples {
      expected += "\n\(example.text.contains("↓") ? "reported (at the arrow):" : "valid:")\n"
      for line in example.text.split(separator: "\n", omittingEmptySubsequences: false) { expected += "  \(line)\n" }
    }
    #expect(result.output == expected)
    #expect(result.error == "")
    #expect(result.code == 0)
  }

  @Test func `without a rule all are listed, each once`() throws {
    let result = try Command.run("explain")
    let ids = result.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(ids == Rule.all.map(\.id))
    #expect(Set(ids).count == ids.count)
    #expect(result.code == 0)
  }

  @Test(arguments: [
    ("req.body.schma", "did you mean `req.body.schema`?"),
    ("example", "known: example.external, example.schema, example.pair.unmatched"),
    ("nothing-like-it", "`understudy explain` lists all rules"),
  ])
  func `an unknown rule is a usage error with advice`(id: String, help: String) throws {
    let result = try Command.run("explain", id)
    #expect(result.output == "")
    #expect(result.error == "error: unknown rule `\(id)`\n  help: \(help)\n")
    #expect(result.code == 2)
  }

  @Test func `a fault is explained with how it is written`() throws {
    let result = try Command.run("explain", "fault.reset")
    let topic = try #require(FaultTopic.named("fault.reset"))
    #expect(
      result.output
        == "fault.reset: \(topic.summary)\n\n\(topic.help)\n\nwritten as:\n  reset\n  reset:head\n  reset:after-head\n")
    #expect(result.code == 0)
  }

  @Test func `the area of faults lists each`() throws {
    let result = try Command.run("explain", "fault.*")
    let ids = result.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(ids == FaultTopic.all.map(\.id))
  }

  @Test func `an unknown fault is reported with a similar one`() throws {
    let result = try Command.run("explain", "fault.rest")
    #expect(result.error == "error: unknown rule `fault.rest`\n  help: did you mean `fault.reset`?\n")
    #expect(result.code == 2)
  }
}
