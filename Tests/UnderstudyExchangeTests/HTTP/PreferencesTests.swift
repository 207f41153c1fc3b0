import HTTPTypes
import Testing
import UnderstudyMock

struct PreferencesTests {
  static func preferences(_ lines: [(String, String)], _ query: String = "") throws -> Preferences {
    var fields = HTTPFields()
    for (name, value) in lines { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
    return Preferences(fields, query: Query(Array(query.utf8)))
  }

  @Test(arguments: [
    ("code=404", Preferences.StatusPreference.code(404)), ("statusCode=404", .code(404)),
    ("Code = \"404\"", .code(404)),
    ("respond-async, code=404; wait=10", .code(404)), ("code=404, code=500", .code(404)),
    ("code=penaltyFirst", .named("penaltyFirst")), ("code=4XX", .named("4XX")), ("code=default", .named("default")),
  ])
  func `a status may be a code or a meaning`(line: String, status: Preferences.StatusPreference) throws {
    let preferences = try Self.preferences([("Prefer", line)])
    #expect(preferences.status == status)
    #expect(preferences.problems.isEmpty)
  }

  @Test(arguments: [
    "code=999", "code=99", "code=4040", "code=", "code", "code=1e2", "dynamic=maybe", "example=",
  ])
  func `an invalid preference is reported`(line: String) throws {
    let preferences = try Self.preferences([("Prefer", line)])
    #expect(preferences.problems.count == 1)
    #expect(preferences.status == nil && preferences.isDynamic == nil && preferences.example == nil)
  }

  @Test func `a name similar to a preference is reported, other names are ignored`() throws {
    #expect(try Self.preferences([("Prefer", "kode=404")]).problems.map(\.help) == ["did you mean `code`?"])
    #expect(try Self.preferences([], "__exmaple=a&__x=1&_cod=1").problems.map(\.help) == ["did you mean `__example`?"])
    let others = "respond-async, return=minimal, wait=10, handling=lenient, safe, depth-noroot, odata.continue-on-error"
    #expect(try Self.preferences([("Prefer", others)]).problems == [])
  }

  @Test func `a problem knows its place and what was expected`() throws {
    let dynamic = try Self.preferences([("Prefer", "dynamic=maybe")]).problems
    #expect(dynamic.map(\.help) == ["expected `true` or `false`"])
    #expect(dynamic.map(\.place) == ["/header/Prefer"])
    #expect(try Self.preferences([], "__dynamic=1").problems.map(\.place) == ["/query/__dynamic"])
    let code = try Self.preferences([("X-Mock-Response-Code", "1000")]).problems
    #expect(code.map(\.place) == ["/header/x-mock-response-code"])
    #expect(code.map(\.message) == ["`x-mock-response-code=1000` is not a status"])
    let preferred = try Self.preferences([], "__code=404&__example=a")
    #expect(preferred.statusPlace == "/query/__code")
    #expect(preferred.examplePlace == "/query/__example")
  }

  @Test func `all four may be combined, on several lines and with a semicolon`() throws {
    let preferences = try Self.preferences([("Prefer", "code=200; example=cat"), ("prefer", "dynamic=false, seed=7")])
    #expect(preferences.status == .code(200))
    #expect(preferences.example == "cat")
    #expect(preferences.isDynamic == false)
    #expect(preferences.seed == "7")
  }

  @Test func `the query has twins, which a Prefer header outranks as a whole`() throws {
    let query = "x=1&__code=401&__example=a%20b&__dynamic&__seed=s"
    let alone = try Self.preferences([("Prefer", "respond-async")], query)
    #expect(alone.status == .code(401))
    #expect(alone.example == "a b")
    #expect(alone.isDynamic == true)
    #expect(alone.seed == "s")
    let outranked = try Self.preferences([("Prefer", "example=c")], query)
    #expect(outranked.status == nil)
    #expect(outranked.example == "c")
  }

  @Test func `the names that other mocks use are understood`() throws {
    let preferences = try Self.preferences(
      [("x-mock-response-code", "503"), ("X-Mock-Response-Name", "down")], "__code=401")
    #expect(preferences.status == .code(503))
    #expect(preferences.example == "down")
  }

  @Test func `a request without preferences has none`() throws {
    #expect(try Self.preferences([]) == Self.preferences([("Prefer", "wait=10")], "a=1"))
  }
}
