import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RuleSettingsTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            deprecated: true
            parameters:
              - {name: limit, in: query, schema: {type: integer, maximum: 10}}
            responses:
              "200": {description: ok, content: {application/json: {schema: {type: array}, example: []}}}
        /owners:
          get:
            operationId: listOwners
            parameters:
              - {name: limit, in: query, schema: {type: integer, maximum: 10}}
            responses:
              "200": {description: ok, content: {application/json: {schema: {type: array}, example: []}}}

      """)

  private func rules(
    of path: String, sending headers: [String: String] = [:], under settings: RuleSettings
  ) throws -> (status: Int, rules: [String]) {
    try ContractFixture(Self.contract).withMock(configure: { $0.rules = settings }) { mock in
      let reply = mock.send(path, headers)
      return (reply.status, reply.diagnostics.map { "\($0.severity) \($0.rule.id)" })
    }
  }

  @Test func `a rule that is off neither refuses a request nor is reported`() throws {
    let settings = RuleSettings(levels: [.requestParamSchema: .off, .requestDeprecated: .off])
    #expect(try rules(of: "/pets?limit=11", under: RuleSettings()).status == 422)
    let result = try rules(of: "/pets?limit=11", under: settings)
    #expect(result.status == 200)
    #expect(result.rules == [])
  }

  @Test func `a warning is reported and does not refuse the request`() throws {
    let result = try rules(of: "/owners?limit=11", under: RuleSettings(levels: [.requestParamSchema: .warning]))
    #expect(result.status == 200)
    #expect(result.rules == ["warning req.param.schema"])
  }

  @Test func `a rule at the level error refuses the request`() throws {
    #expect(try rules(of: "/owners?colour=red", under: RuleSettings()).status == 200)
    let result = try rules(of: "/owners?colour=red", under: RuleSettings(levels: [.requestParamUndeclared: .error]))
    #expect(result.status == 422)
    #expect(result.rules == ["error req.param.undeclared"])
  }

  @Test func `an optional rule is reported if it has a level`() throws {
    let header = ["X-Colour": "red"]
    #expect(try rules(of: "/owners", sending: header, under: RuleSettings()).rules == [])
    #expect(
      try rules(of: "/owners", sending: header, under: RuleSettings(levels: [.requestHeaderUndeclared: .info])).rules
        == ["info req.header.undeclared"])
    #expect(
      try rules(of: "/owners", sending: header, under: RuleSettings(levels: [.requestHeaderUndeclared: .off])).rules
        == [])
  }

  @Test func `the level of an operation wins over that of all`() throws {
    let settings = RuleSettings(
      levels: [.requestParamSchema: .off],
      scopes: [.init(operationId: "listPets", levels: [.requestParamSchema: .error, .requestDeprecated: .off])])
    #expect(try rules(of: "/pets?limit=11", under: settings).status == 422)
    #expect(try rules(of: "/owners?limit=11", under: settings).status == 200)
  }

  @Test func `an Accept that cannot be met is refused only where its rule is an error`() throws {
    let accept = ["Accept": "image/png"]
    let strict = RuleSettings(levels: [.requestNotAcceptable: .error])
    #expect(try rules(of: "/owners", sending: accept, under: strict).status == 406)
    let reported = try rules(of: "/owners", sending: accept, under: RuleSettings())
    #expect(reported.status == 200)
    #expect(reported.rules == ["warning req.accept.unmet"])
    let silent = try rules(of: "/owners", sending: accept, under: RuleSettings(levels: [.requestNotAcceptable: .off]))
    #expect(silent.status == 200)
    #expect(silent.rules == [])
  }

  @Test func `an unknown path is refused at every level`() throws {
    let result = try rules(of: "/dogs", under: RuleSettings(levels: [.requestPathUnknown: .off]))
    #expect(result.status == 404)
    #expect(result.rules == [])
  }

  @Test func `an unknown operation is reported with the nearest one`() throws {
    let settings = RuleSettings(scopes: [.init(operationId: "listPet", levels: [:])])
    try ContractFixture(Self.contract).withMock(configure: { $0.rules = settings }) { mock in
      #expect(mock.diagnostics.map(\.message) == ["`operations` names `listPet`, which no contract has"])
      #expect(mock.diagnostics.map(\.help) == ["did you mean `listPets`?"])
    }
  }

  @Test func `an operation's limit of time wins over that of all`() {
    let settings = RuleSettings(
      timeLimit: .seconds(2), scopes: [RuleSettings.Scope(operationId: "slow", levels: [:], timeLimit: .seconds(9))])
    #expect(settings.validationOptions().timeLimit == .seconds(2))
    #expect(settings.validationOptions(for: "quick").timeLimit == .seconds(2))
    #expect(settings.validationOptions(for: "slow").timeLimit == .seconds(9))
    #expect(RuleSettings().validationOptions(for: "slow").timeLimit == nil)
  }
}
