import Testing
import UnderstudySchema

struct JSONWriterTests {
  @Test(arguments: [
    "null", "[]", "{}", "[1,1.0,1e5,-0]", #"{"b":1,"a":{"c":[true,false,null]}}"#, #"["\"\\/\n\r\t\u0001é😀"]"#,
    #"{"":""}"#,
  ])
  func `compact text is written as read`(_ text: String) throws {
    #expect(JSONWriter.text(try JSONParser.parse(Array(text.utf8)).root) == text)
  }

  @Test func `pretty text has a member a line and no white space in empty containers`() throws {
    let value = try JSONParser.parse(Array(#"{"a":[1,{"b":{}}],"c":[]}"#.utf8)).root
    let text = """
      {
        "a": [
          1,
          {
            "b": {}
          }
        ],
        "c": []
      }
      """
    #expect(JSONWriter.text(value, .pretty) == text)
    #expect(try JSONParser.parse(Array(text.utf8)).root == value)
  }

  @Test func `a part of a document is written without the rest`() throws {
    let document = try JSONParser.parse(Array(#"{"a":[1,{"b":2}]}"#.utf8))
    #expect(try JSONWriter.text(#require(document.root["a"]?[1])) == #"{"b":2}"#)
  }

  @Test func `the deepest text is written`() throws {
    let depth = JSONParser.maximumDepth
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(JSONWriter.text(try JSONParser.parse(Array(text.utf8)).root) == text)
  }
}
