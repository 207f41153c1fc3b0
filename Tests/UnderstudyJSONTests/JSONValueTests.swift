import Foundation
import Testing
import UnderstudyJSON

struct JSONValueTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.50", "1E400", "-12345678901234567890.5e-07", #""""#, "[]", "{}",
    #"{"b":1,"a":[{}, null, "x"],"b":2}"#, "[[],[[]]]", #""\"\\\n\r\t\u0000\u001f/é한😀\#u{7F}""#,
  ])
  func `a value is written as it was read, without white space`(text: String) throws {
    #expect(try JSONValue(parsing: " \n\t\r\(text) ").text == text.replacingOccurrences(of: ", ", with: ","))
  }

  @Test(arguments: [
    (#""\u00e9\/\b\f""#, "é/\u{8}\u{c}"), (#""\uD83D\uDE00\ud83d\ude00""#, "😀😀"), (#""\uFFFF""#, "\u{FFFF}"),
    (#""a\"b""#, #"a"b"#),
  ])
  func `escapes are decoded`(text: String, expected: String) throws {
    #expect(try JSONValue(parsing: text) == .string(expected))
  }

  @Test(arguments: [
    ("", "byte 0: expected a value"), ("nul", "byte 0: expected `null`"), ("[1,]", "byte 3: expected a value"),
    ("[1 2]", "byte 3: expected `,` or `]`"), (#"{"a" 1}"#, "byte 5: expected `:`"),
    ("{a: 1}", "byte 1: expected a name in double quotes"), (#"{"a":1,}"#, "byte 7: expected a name in double quotes"),
    (#"{"a":1"#, "byte 6: expected `,` or `}`"), ("[", "byte 1: expected a value"),
    ("01", "byte 1: expected the end of the text"), ("1.", "byte 0: expected a value"),
    ("+1", "byte 0: expected a value"), ("-", "byte 0: expected a value"), ("1e", "byte 0: expected a value"),
    ("NaN", "byte 0: expected a value"), ("1 1", "byte 2: expected the end of the text"),
    (#""a"#, "byte 2: expected the end of a string"),
    ("\"a\nb\"", "byte 2: expected an escape in place of a control character"),
    (#""\x""#, "byte 2: expected an escape"), (#""\u12"#, "byte 3: expected four hexadecimal digits"),
    (#""\u+123""#, "byte 3: expected four hexadecimal digits"),
    (#""\uD83D""#, "byte 2: expected both halves of a surrogate pair"),
    (#""\uDE00\uD83D""#, "byte 2: expected both halves of a surrogate pair"),
    (#""\uD83Dx""#, "byte 2: expected both halves of a surrogate pair"),
    (#""\uD83D\u0041""#, "byte 2: expected both halves of a surrogate pair"),
  ])
  func `invalid JSON is rejected at the first byte that JSON does not allow`(text: String, message: String) {
    let error = #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func `containers nest to the maximum depth`() throws {
    func text(_ depth: Int) -> String {
      String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
    }
    let deepest = text(JSONValue.maximumDepth)
    #expect(try JSONValue(parsing: deepest).text == deepest)
    let error = #expect(throws: JSONValue.SyntaxError.self) {
      try JSONValue(parsing: text(JSONValue.maximumDepth + 2))
    }
    #expect(error?.reason == "expected at most 1024 nested containers")
  }

  @Test(arguments: [
    ("1", "2"), ("1", "-1"), ("10", "1"), ("0.1", "0.01"), ("1e1", "1e-1"), (#"{"a":1}"#, #"{"a":1,"a":1}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#"{"a":1}"#, #"{"b":1}"#), (#""1""#, "1"), ("null", "false"),
    ("[]", "{}"), ("[1,2]", "[2,1]"), ("\"\u{e9}\"", "\"e\u{301}\""), ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
    ("9007199254740993", "9007199254740992"), ("1E400", "1E401"),
  ])
  func `values with different meanings differ`(one: String, other: String) throws {
    let (one, other) = (try JSONValue(parsing: one), try JSONValue(parsing: other))
    #expect(one != other && Set([one, other]).count == 2)
    #expect(one == one && other == other && Set([one, one]).count == 1)
  }

  @Test(arguments: [
    ("1", "1.0"), ("1e2", "1E+2"), ("100", "1e2"), ("0.00", "-0"), ("0", "0e7"), ("1.50", "15E-1"), ("-0.5", "-5e-1"),
    ("1E400", "10e399"),
    (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#), (#"{"a":1,"b":0,"a":2}"#, #"{"b":0,"a":1,"a":2}"#),
    ("1E99999999999999999999", "1E99999999999999999999"),
  ])
  func `values with equal meanings are equal, whatever their spelling and order`(one: String, other: String) throws {
    let (one, other) = (try JSONValue(parsing: one), try JSONValue(parsing: other))
    #expect(one == other && one.hashValue == other.hashValue)
  }

  @Test func `a value is found by a JSON pointer`() throws {
    let value = try JSONValue(parsing: #"{"a":[{"b/c":1,"~":2},3],"":4}"#)
    #expect(value.at("/a/0/b~1c") == 1 && value.at("/a/0/~0") == 2 && value.at("/a/1") == 3 && value.at("/") == 4)
    #expect(value.at("") == value && value.at("a") == nil && value.at("/a/2") == nil && value.at("/a/b") == nil)
  }

  @Test func `literals are values`() {
    let value: JSONValue = ["none": .null, "half": 0.5, "yes": true, "list": [1, "a"]]
    #expect(value.text == #"{"none":null,"half":0.5,"yes":true,"list":[1,"a"]}"#)
    #expect(JSONValue(floatLiteral: .infinity) == .null && JSONValue(floatLiteral: 1e300).text == "1e+300")
    #expect(value["yes"]?.bool == true && value["list"]?[0]?.int == 1 && value["half"]?.int == nil)
  }

  @Test func `values with equal texts are equal and have equal hashes`() throws {
    let text = #"{"a":[1.50,"é",null,true,{}],"b":{"c":-0}}"#
    let (one, other) = (try JSONValue(parsing: text), try JSONValue(parsing: " " + text))
    #expect(one == other && one.hashValue == other.hashValue)
    let literal: JSONValue = [
      "a": [.number(try #require(.init("1.50"))), "é", .null, true, [:]],
      "b": ["c": .number(try #require(.init("-0")))],
    ]
    #expect(literal == one)
  }

  @Test func `members are found by name, the last of duplicates, and elements by position`() throws {
    let value = try JSONValue(parsing: #"{"a":1,"e\u0301":2,"a":[3,"4"],"n":null}"#)
    #expect(value["a"]?[1]?.string == "4" && value["a"]?[0] == 3)
    #expect(value["a"]?[2] == nil && value["a"]?[-1] == nil && value["\u{e9}"] == nil && value[0] == nil)
    #expect(value["n"] == .null && value["a"]?["b"] == nil)
    #expect(value.object?.map(\.name) == ["a", "e\u{301}", "a", "n"] && value.array == nil && value.string == nil)
    #expect(value.plainText == value.text && JSONValue.string("a\"").plainText == "a\"")
  }

  @Test(
    arguments: [
      ("1", 1, 1), ("-7", -7, -7), ("1.0", nil, 1), ("1e2", nil, 100),
      ("9223372036854775808", nil, 9.223372036854775807e18),
      ("1E400", nil, .infinity),
    ] as [(String, Int?, Double)])
  func `a number has the value of its spelling`(spelling: String, int: Int?, double: Double) throws {
    let number = try #require(JSONValue.Number(spelling))
    #expect(number.spelling == spelling && number.int == int && number.double == double)
  }

  @Test(arguments: ["", "01", "1.", ".5", "+1", "1 ", " 1", "0x1", "Infinity", "1e", "--1", "1,0"])
  func `a spelling that JSON does not allow is no number`(spelling: String) {
    #expect(JSONValue.Number(spelling) == nil)
  }

  @Test func `a value is coded as a string, and decoded with its spelling and its order`() throws {
    struct Holder: Codable, Equatable {
      var value: JSONValue, list: [JSONValue], byName: [String: JSONValue], none: JSONValue?
    }
    let text = #"{"z":1.50,"a":[1E400,"\"\u0000😀"],"z":{}}"#
    let value = try JSONValue(parsing: text)
    let holder = Holder(value: value, list: [value, .null], byName: ["k": "text"], none: nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(holder)
    #expect(try JSONDecoder().decode(Holder.self, from: data) == holder)
    let read = try JSONDecoder().decode([String: StringOrList].self, from: data)
    #expect(read == ["value": .text(text), "list": .list([text, "null"]), "byName": .members(["k": #""text""#])])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONValue].self, from: Data(#"["{"]"#.utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONValue].self, from: Data("[{}]".utf8)) }
  }

  private enum StringOrList: Decodable, Equatable {
    case text(String), list([String]), members([String: String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([String].self) {
        self = .list(list)
      } else {
        self = .members(try container.decode([String: String].self))
      }
    }
  }

  @Test func `nesting and mentions are found at any depth`() throws {
    let value = try JSONValue(parsing: #"[{"a":["x"]},{"_placeholder":true}]"#)
    #expect(value.isNested(deeperThan: 2) && !value.isNested(deeperThan: 3) && !JSONValue.null.isNested(deeperThan: 0))
    #expect(JSONValue.array([]).isNested(deeperThan: 0))
    #expect(value.mentions("x") && value.mentions("_placeholder") && !value.mentions("y") && !value.mentions("true"))
  }
}
