import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudySockets

struct JSONLinesTests {
  private func items(_ text: String, by count: Int = .max) -> [JSONLinesParser.Item] {
    var parser = JSONLinesParser()
    var items: [JSONLinesParser.Item] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      items += parser.receive(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    if let last = parser.finish() { items.append(last) }
    return items
  }

  @Test func `a value is a line, and a record begins with a separator`() {
    #expect(String(decoding: JSONLines.line(["a": [1, 2]]), as: UTF8.self) == "{\"a\":[1,2]}\n")
    #expect(String(decoding: JSONLines.record(1), as: UTF8.self) == "\u{1E}1\n")
  }

  @Test(arguments: [1, 3, .max]) func `lines and records are read in any pieces`(count: Int) {
    #expect(
      items("{\"a\":1}\n\r\n 2 \n\u{1E}3\n\"안녕\"", by: count) == [.value(["a": 1]), .value(2), .value(3), .value("안녕")])
  }

  @Test func `a line that is not JSON is named by its number, and the next one is read`() throws {
    let items = items("1\n{\n2\n")
    #expect(items.count == 3)
    guard case .malformed(line: 2, _) = items[1] else { return #expect(Bool(false)) }
    #expect(items[2] == .value(2))
  }

  @Test func `a line over the limit is malformed`() {
    let long = String(repeating: "1", count: JSONLinesParser.limit + 1)
    guard case .malformed(line: 1, _)? = items(long + "\n2\n").first else { return #expect(Bool(false)) }
  }
}
