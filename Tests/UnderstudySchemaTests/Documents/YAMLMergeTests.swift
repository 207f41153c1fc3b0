import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct YAMLMergeTests {
  @Test(arguments: [
    ("b: &b {x: 1, y: 2}\nr: {<<: *b}", #"{"x":1,"y":2}"#),
    ("b: &b {x: 1, y: 2}\nr: {a: 0, <<: *b, y: 3, z: 4}", #"{"a":0,"x":1,"y":3,"z":4}"#),
    ("b: &b {x: 1}\nc: &c {x: 2, y: 2}\nr: {<<: [*b, *c]}", #"{"x":1,"y":2}"#),
    ("r: {<<: {x: 1}}", #"{"x":1}"#),
    ("b: &b {x: 1, y: 1}\nc: &c {<<: *b, y: 2}\nr: {<<: *c, z: 3}", #"{"x":1,"y":2,"z":3}"#),
    ("r: {<<: {<<: {a: 1, b: 1}, b: 2}, c: 3}", #"{"a":1,"b":2,"c":3}"#),
    ("b: &b {x: {deep: [1]}}\nr: [{<<: *b}]", #"[{"x":{"deep":[1]}}]"#),
    ("r: {<<: []}", "{}"), ("r: {<<: {}}", "{}"), ("r: {'<<': 1}", #"{"<<":1}"#), ("r: {!!str <<: 1}", #"{"<<":1}"#),
    ("b: &b {x: 1}\nr: {<<: *b, <<: {y: 2}}", #"{"x":1,"y":2}"#),
    ("s: {<<: &late {x: 1}}\nr: *late", #"{"x":1}"#),
  ])
  func `new members are merged at the position of the key`(_ text: String, _ expected: String) throws {
    let document = try YAMLReader.parse(SourceFile(path: "text.yaml", text: text))
    let value = try #require(document.root["r"])
    #expect(JSONWriter.text(value) == expected)
    // The table is sound: its last value ends where the table ends.
    #expect(document.end(of: 0) == document.nodes.count && document.ranges?.count == document.nodes.count)
  }

  @Test func `merged members keep their positions`() throws {
    let marked = MarkedText("b: &b {↓x↑: 1}\nr: {<<: *b, y: 2}")
    let document = try YAMLReader.parse(marked.source)
    #expect(document.root["r"]?.key("x")?.range == marked.ranges[0])
    #expect(
      document.root["r"]?.range.map { String(decoding: marked.source.bytes[$0], as: UTF8.self) } == "{<<: *b, y: 2}")
  }

  @Test(arguments: ["r: {<<: ↓1↑}", "r: {<<: ↓text↑}", "r: {<<: [{a: 1}, ↓[]↑]}", "r: {<<: ↓↑}"])
  func `only mappings can be merged`(_ text: String) throws {
    let marked = MarkedText(text)
    let found = try #require(throws: TextProblem.self) { try YAMLReader.parse(marked.source) }
    #expect(found.message.hasPrefix("a merge key `<<` needs a mapping or a list of mappings, found"))
    #expect(found.range == marked.ranges[0])
  }

  @Test func `a long chain of merges takes linear time`() throws {
    let many = (0..<2_000).map { "k\($0): 1" }.joined(separator: ", ")
    let text = String(repeating: "{<<: ", count: 900) + "{\(many)}" + String(repeating: "}", count: 900)
    #expect(try YAMLReader.parse(SourceFile(path: "text.yaml", text: text)).root.count == 2_000)
  }
}
