import Testing
import UnderstudyExchange
import UnderstudyTestSupport

/// Exploded objects in a query, whose members a pattern names.
struct ExplodedPatternTests {
  private static let operation = """
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - name: filter
        in: query
        schema:
          type: object
          properties: {name: {type: string}}
          patternProperties: {"^(age|size)_(gt|lt)$": {type: array, items: {type: number}}}
          additionalProperties: false
    responses: {"200": {description: OK}}
    """

  @Test(arguments: [
    ("name=a", []), ("age_gt=1", []), ("age_gt=1&age_gt=2&size_lt=3", []), ("age_gt=old", ["req.param.schema"]),
    ("age=1", ["req.param.undeclared"]), ("nam=a", ["req.param.undeclared"]),
  ])
  func `a member that a pattern names is declared and typed`(_ query: String, _ rules: [String]) throws {
    let validator = try ContractFixture(operation: Self.operation).validator()
    let findings = validator.validate("POST /pets/1?\(query)").findings
    #expect(findings.map(\.rule.id) == rules)
  }

  @Test func `a member that is nearly declared is suggested`() throws {
    let validator = try ContractFixture(operation: Self.operation).validator()
    #expect(validator.validate("POST /pets/1?nam=a").findings.map(\.help) == ["did you mean `name`?"])
  }
}
