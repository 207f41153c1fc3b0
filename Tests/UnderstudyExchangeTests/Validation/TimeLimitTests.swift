import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct TimeLimitTests {
  static let birth = "{type: string, format: date, x-understudy-latest: -17y}"
  static let start = "{type: string, format: date-time, x-understudy-earliest: -1d}"

  @Test(
    arguments: [
      ("{properties: {birth: \(birth)}}", #"{"birth": "1997-03-21"}"#, []),
      ("{properties: {birth: \(birth)}}", #"{"birth": "2999-03-21"}"#, ["/body/birth"]),
      ("{properties: {birth: {oneOf: [\(birth), {type: integer}]}}}", #"{"birth": "2999-03-21"}"#, ["/body/birth"]),
      ("{type: array, items: \(birth)}", #"["1997-03-21", "2999-03-21"]"#, ["/body/1"]),
      ("{properties: {start: \(start)}}", #"{"start": "2999-03-21T10:00:00Z"}"#, []),
      ("{properties: {start: \(start)}}", #"{"start": "1997-03-21T10:00:00+09:00"}"#, ["/body/start"]),
      ("{properties: {birth: {x-understudy-latest: -17y}}}", #"{"birth": "soon"}"#, []),
      ("{properties: {birth: {x-understudy-latest: 17 years}}}", #"{"birth": "2999-03-21"}"#, []),
    ] as [(String, String, [String])])
  func `a date outside the limits of its schema breaks it`(schema: String, body: String, places: [String]) throws {
    let validation = try RequestFactsTests.json(schema).validate(RequestFactsTests.post(body))
    #expect(validation.places == places.map { "req.body.schema \($0)" })
    #expect(validation.isValid == places.isEmpty)
  }

  @Test func `the finding shows the limit and the date`() throws {
    let schema = "{properties: {birth: \(Self.birth)}}"
    let result = try RequestFactsTests.json(schema).validate(RequestFactsTests.post(#"{"birth": "2999-03-21"}"#))
    #expect(result.findings.map(\.message) == [#"expected a time at the latest `now -17y`, found "2999-03-21""#])
  }
}
