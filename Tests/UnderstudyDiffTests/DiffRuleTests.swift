import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Each rule about two versions has a pair that it reports, and one that it does not.
@Suite struct DiffRuleTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let rule: Rule
    let pair: Rule.PairExample
    var testDescription: String { "\(rule.id) \(pair.isReported)" }
  }

  static let examples = Rule.diff.flatMap { rule in rule.pairs.map { Example(rule: rule, pair: $0) } }

  static func changes(
    _ old: String, _ new: String, _ options: ContractDiff.Options = .init()
  ) throws -> [ContractChange] {
    var options = options
    options.today = "2026-11-29"
    options.notice = ["beta": 30]
    return ContractDiff(try version(old), try version(new), options).run()
  }

  private static func version(_ text: String) throws -> API {
    let (api, diagnostics) = ContractDiff.read("api.yaml", from: .inMemory(["api.yaml": text]))
    return try #require(api, "\(diagnostics)")
  }

  @Test(arguments: examples)
  func `a rule reports the first pair and not the second`(_ example: Example) throws {
    let changes = try Self.changes(example.pair.old, example.pair.new)
    let found = changes.filter { $0.diagnostic.rule == example.rule }
    #expect(found.isEmpty != example.pair.isReported, "\(changes.map(\.diagnostic.description))")
  }

  @Test func `every rule has a pair unless it concerns folders or undecided schemas`() {
    let without = Rule.diff.filter(\.pairs.isEmpty).map(\.id)
    #expect(
      without == [
        "diff.contract.removed", "diff.contract.added", "diff.param.path-removed", "diff.request.undecided",
        "diff.request.widened", "diff.response.undecided", "diff.response.narrowed",
      ])
  }

  @Test func `docs/diff.md names rules that exist`() throws {
    let known = Set(Rule.diff.map(\.id))
    let named = try Project.text("docs/diff.md").matches(of: /`(diff\.[a-z.-]+)`/).map { String($0.1) }
    #expect(named.count > 40)
    #expect(named.filter { !known.contains($0) } == [])
  }

  @Test(arguments: examples.filter(\.pair.isReported))
  func `a contract has no difference from itself`(_ example: Example) throws {
    #expect(try Self.changes(example.pair.old, example.pair.old).isEmpty)
    #expect(try Self.changes(example.pair.new, example.pair.new).isEmpty)
  }
}
