import Testing
import Understudy

struct CoverageMergeTests {
  private static func row(
    _ path: String, _ status: String, _ marks: Coverage.Marks, request: String? = nil, tried: Int = 1
  ) -> Coverage.Row {
    Coverage.Row(
      contract: "shop", operation: path, method: "GET", path: path, requestType: request, status: status, meaning: nil,
      responseType: "application/json", isDeprecated: false, marks: marks, tried: tried, seen: 1)
  }

  private static func coverage(_ rows: [Coverage.Row], seen path: String? = nil) -> Coverage {
    var coverage = Coverage()
    coverage.rows = rows
    if let path {
      coverage.undocumented = [.init(contract: nil, method: "GET", path: path, status: 418, count: 2)]
    }
    return coverage
  }

  @Test func `marks are joined and counts added, in whatever order`() {
    let parts = [
      Self.coverage([Self.row("/a", "200", .fixture), Self.row("/a", "404", [])], seen: "/x"),
      Self.coverage([Self.row("/a", "200", [.served, .asserted], tried: 4)], seen: "/x"),
      Self.coverage([Self.row("/a", "200", .valid, request: "text/csv")], seen: "/w"),
    ]
    let merged = Coverage.merge(parts)
    #expect(merged.rows.map(\.marks) == [[.fixture, .served, .asserted], [], .valid])
    #expect(merged.rows.map(\.tried) == [5, 1, 1])
    #expect(merged.undocumented.map(\.path) == ["/w", "/x"])
    #expect(merged.undocumented.map(\.count) == [2, 4])
    #expect(Coverage.merge(parts.reversed()) == merged)
    #expect(Coverage.merge([parts[1], parts[0], parts[2]]) == merged)
  }

  @Test func `one part alone keeps the order of its contract`() {
    let part = Self.coverage([Self.row("/b", "200", []), Self.row("/a", "200", [])])
    #expect(Coverage.merge([part]) == part)
    #expect(Coverage.merge([]) == Coverage())
  }

  @Test func `JSON keeps everything`() throws {
    let coverage = Self.coverage([Self.row("/a", "200", [.fixture, .asserted], request: "text/csv")], seen: "/x")
    #expect(try CoverageJSON.coverage(CoverageJSON.value(coverage)) == coverage)
  }

  @Test func `an unknown mark is told`() throws {
    let value = CoverageJSON.value(Self.coverage([Self.row("/a", "200", .served)]))
    let text = JSONWriter.text(value).replacing("\"served\"", with: "\"seen\"")
    let problem = #expect(throws: RecordProblem.self) { try CoverageJSON.coverage(try SchemaText.parse(text)) }
    #expect(problem?.message == "expected one of `fixture`, `valid`, `served`, `asserted`")
  }
}
