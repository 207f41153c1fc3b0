import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Every rule about requests and answers, held to the exchanges that its page shows.
struct RuleExchangeTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var rule: Rule
    var exchange: Rule.ExchangeExample
    var testDescription: String { "\(rule.id): \(exchange.request) \(exchange.response)" }
  }

  static let examples = (Rule.request + Rule.response).flatMap { rule in
    rule.exchanges.map { Example(rule: rule, exchange: $0) }
  }
  /// Rules that only the mock reports: no operation is reached, or the answer decides.
  static let rulesOfTheMock: Set<Rule> = [
    .requestPathUnknown, .requestMethodUnknown, .requestPreference,
  ]

  @Test(arguments: examples)
  func `a rule is reported exactly at the pointers of its exchanges`(_ example: Example) throws {
    let exchange = example.exchange
    let found: [Diagnostic]
    if Self.rulesOfTheMock.contains(example.rule) {
      let (request, body) = TextValidator.request(exchange.request)
      found = try Self.mock().reply(to: request, body: body).diagnostics
    } else {
      var options = ValidationOptions()
      options.optional = Rule.optional
      options = options.ofServer
      found = try ContractFixture(Rule.exampleContract).validator(options).validate(exchange.request, exchange.response)
        .findings
    }
    let places = found.filter { $0.rule == example.rule }.compactMap { $0.location?.pointer }
    #expect(places == exchange.places, "\(found.map { "\($0.rule.id) \($0.message)" })")
  }

  @Test func `every rule has an exchange that breaks it and one that keeps it`() {
    let rules = (Rule.request + Rule.response).filter { $0 != .responseTime }
    #expect(rules.filter { !$0.exchanges.contains { !$0.places.isEmpty } }.map(\.id) == [])
    #expect(rules.filter { !$0.exchanges.contains { $0.places.isEmpty } }.map(\.id) == [])
  }

  @Test func `ids are unique, and what is optional is listed`() {
    let ids = (Rule.request + Rule.response).map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Rule.optional.isSubset(of: RuleSettings.rules))
  }

  @Test func `optional rules are silent unless they are asked for`() throws {
    let validator = try ContractFixture(Rule.exampleContract).validator()
    for rule in Rule.optional {
      for exchange in rule.exchanges {
        #expect(!validator.validate(exchange.request, exchange.response).findings.contains { $0.rule == rule })
      }
    }
  }

  private static func mock() throws -> Mock {
    try ContractFixture(Rule.exampleContract).mock()
  }
}
