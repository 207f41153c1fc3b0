import Testing
import UnderstudyReport
import UnderstudyTestSupport

struct CoverageMergeTests {
  /// A row, by way of the JSON that jobs hand on.
  private static func row(
    _ path: String, _ status: String, _ marks: [String], request: String? = nil, tried: Int = 1
  ) -> String {
    let type = request.map { "\"requestType\": \"\($0)\", " } ?? ""
    return """
      {"contract": "shop", "operation": "\(path)", "method": "GET", "path": "\(path)", \(type)"status": "\(status)",
      "responseType": "application/json", "deprecated": false, "marks": \(marks), "tried": \(tried), "seen": 1}
      """
  }

  private static func coverage(_ rows: [String], seen path: String? = nil) throws -> Coverage {
    let unknown = path.map { "{\"method\": \"GET\", \"path\": \"\($0)\", \"status\": 418, \"count\": 2}" } ?? ""
    let text = "{\"rows\": [\(rows.joined(separator: ","))], \"undocumented\": [\(unknown)]}"
    return try CoverageJSON.coverage(try SchemaText.parse(text))
  }

  @Test func `marks are joined and counts added in any order`() throws {
    let parts = [
      try Self.coverage([Self.row("/a", "200", ["fixture"]), Self.row("/a", "404", [])], seen: "/x"),
      try Self.coverage([Self.row("/a", "200", ["served", "asserted"], tried: 4)], seen: "/x"),
      try Self.coverage([Self.row("/a", "200", ["valid"], request: "text/csv")], seen: "/w"),
    ]
    let merged = Coverage.merge(parts)
    #expect(merged.rows.map(\.marks) == [[.fixture, .served, .asserted], [], [.valid]])
    #expect(merged.rows.map(\.tried) == [5, 1, 1])
    #expect(merged.undocumented.map(\.path) == ["/w", "/x"])
    #expect(merged.undocumented.map(\.count) == [2, 4])
    #expect(Coverage.merge(parts.reversed()) == merged)
    #expect(Coverage.merge([parts[1], parts[0], parts[2]]) == merged)
  }

  @Test func `one part alone keeps the order of its contract`() throws {
    let part = try Self.coverage([Self.row("/b", "200", []), Self.row("/a", "200", [])])
    #expect(Coverage.merge([part]) == part)
    #expect(Coverage.merge([]) == Coverage())
  }

  @Test func `JSON keeps everything`() throws {
    let coverage = try Self.coverage([Self.row("/a", "200", ["fixture", "asserted"], request: "text/csv")], seen: "/x")
    #expect(try CoverageJSON.coverage(CoverageJSON.value(coverage)) == coverage)
  }

  @Test func `an unknown mark is reported`() throws {
    let value = CoverageJSON.value(try Self.coverage([Self.row("/a", "200", ["served"])]))
    let text = JSONWriter.text(value).replacing("\"served\"", with: "\"seen\"")
    let problem = #expect(throws: RecordProblem.self) { try CoverageJSON.coverage(try SchemaText.parse(text)) }
    #expect(problem?.message == "expected one of `fixture`, `valid`, `served`, `asserted`")
  }
}
