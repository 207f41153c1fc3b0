import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudySockets

struct JSONConversionTests {
  @Test(arguments: [
    "null", "true", "false", "1.50", "-0", "1E400", "12345678901234567890", #""\"\\\u0001é😀""#, "[]", "{}",
    #"{"b":[1,{"x":[]}],"a":null,"c":"d","":{}}"#,
  ])
  func `a value keeps its text between the engine and a state`(text: String) throws {
    let node = try JSONParser.parse(Array(text.utf8)).root
    #expect(JSONValue(node).text == text)
    #expect(try JSONValue(parsing: text) == JSONValue(node))
    #expect(JSONWriter.text(JSON(JSONValue(node))) == text)
    #expect(JSON(JSONValue(node)) == node)
  }

  @Test func `duplicate names keep their values`() throws {
    let text = #"{"a":1,"b":2,"a":3}"#
    #expect(JSONWriter.text(JSON(try JSONValue(parsing: text))) == text)
  }

  @Test func `a node within a document becomes a value of its own`() throws {
    let root = try JSONParser.parse(Array(#"[1,{"a":[2.0]},3]"#.utf8)).root
    #expect(root[1].map { JSONValue($0) } == ["a": [.number(try #require(JSONValue.Number("2.0")))]])
  }
}
