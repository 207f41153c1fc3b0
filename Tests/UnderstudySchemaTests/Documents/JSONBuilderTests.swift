import Testing
import UnderstudySchema

struct JSONBuilderTests {
  @Test func `containers nest and count their elements`() {
    var builder = JSONBuilder()
    builder.begin(.object)
    builder.append(key: "list")
    builder.begin(.array)
    builder.append(1)
    builder.begin(.array)
    #expect(builder.depth == 3)
    builder.end()
    builder.append(JSON.object([("inner", .array([.string("x"), .null]))]))
    builder.end()
    #expect(builder.depth == 1)
    builder.append(key: "last")
    builder.append("z")
    builder.end()
    #expect(builder.depth == 0)
    let root = builder.finish().root
    #expect(JSONWriter.text(root) == #"{"list":[1,[],{"inner":["x",null]}],"last":"z"}"#)
    #expect(Array(root.members).count == 2)
    #expect(root["list"].map { Array($0.elements).count } == 3)
  }
}
