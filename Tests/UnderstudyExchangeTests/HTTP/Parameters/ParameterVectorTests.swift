import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ParameterVectorTests {
  static let strings: JSON = ["type": "array", "items": ["type": "string"]]
  static let integers: JSON = ["type": "array", "items": ["type": "integer"]]
  static let string: JSON = ["type": "string"]
  static let rg: JSON = ["type": "object", "properties": ["R": ["type": "integer"], "G": ["type": "integer"]]]

  struct Vector: CustomTestStringConvertible, Sendable {
    let wire: String
    let parameter: Parameter
    let value: String
    var specification = Specification.openAPI31
    var testDescription: String { "\(wire) -> \(value)" }

    init(_ wire: String, _ parameter: Parameter, _ value: String, _ specification: Specification = .openAPI31) {
      (self.wire, self.parameter, self.value, self.specification) = (wire, parameter, value, specification)
    }
  }

  static func query(_ schema: JSON?, _ style: Parameter.Style = .form, explode: Bool? = nil) -> Parameter {
    Parameter("c", in: .query, style: style, explode: explode, schema: schema)
  }

  @Test(arguments: [
    Vector("c=a%2Cb&c=c", query(strings), #"["a,b","c"]"#),
    Vector("c=a%2Cb,c", query(strings, explode: false), #"["a,b","c"]"#),
    Vector("c=a", query(strings), #"["a"]"#),
    Vector("c=", query(strings), #"[""]"#),
    Vector("c=", Parameter("c", in: .query, allowEmptyValue: true, schema: strings), "empty"),
    Vector("c", Parameter("c", in: .query, allowEmptyValue: true, schema: strings), "empty", .swagger2),
    Vector("c", query(string), #""""#),
    Vector("c=a/b?d:[e]", query(string), #""a/b?d:[e]""#),
    Vector("c=a%2Fb%3Fd%3A%5Be%5D", query(string), #""a/b?d:[e]""#),
    Vector("c=1+2", query(string), #""1 2""#),
    Vector("c=1%2B2", query(string), #""1+2""#),
    Vector("c=a|b", query(strings, .pipeDelimited), #"["a","b"]"#),
    Vector("c=a%7Cb", query(strings, .pipeDelimited), #"["a","b"]"#),
    Vector("c=a%7cb", query(strings, .pipeDelimited), #"["a","b"]"#),
    Vector("c=a+b", query(strings, .spaceDelimited), #"["a","b"]"#),
    Vector("c=a%20b", query(strings, .spaceDelimited), #"["a","b"]"#),
    Vector("c=R,1,G", query(rg, explode: false), "style"),
    Vector("c[R]=1&c%5BG%5D=2", query(rg, .deepObject), #"{"R":1,"G":2}"#),
    Vector("c%255BR%255D=1", query(rg, .deepObject), "absent"),
  ])
  func `the query string is read by its declaration`(vector: Vector) {
    #expect(decoded(vector.parameter, "/p?" + vector.wire, vector.specification) == vector.value)
  }

  @Test func `an exploded object shares the query with other parameters`() {
    let x = Parameter("x", in: .query, schema: ["type": "integer"])
    #expect(decoded(Self.query(Self.rg), "/?R=1&G=2&x=9", others: [x]) == #"{"R":1,"G":2}"#)
    #expect(decoded(x, "/?R=1&G=2&x=9", others: [Self.query(Self.rg)]) == "9")
    #expect(decoded(Self.query(Self.rg), "/?x=9&_=1", others: [x]) == "absent")
    #expect(decoded(Self.query(Self.rg), "/?R=1&y=2&__code=4", others: [x]) == #"{"R":1,"y":2} | {"R":1,"y":"2"}"#)
  }

  @Test(arguments: [
    ("a%2Fb", Parameter.Style.simple, false, string, #""a/b""#),
    ("a+b", .simple, false, string, #""a+b""#),
    (";id=1,2", .matrix, false, integers, "[1,2]"),
    ("1,2", .matrix, false, integers, "style"),
    (";other=1", .matrix, false, integers, "style"),
    (";id=1;id=2", .matrix, false, integers, "style"),
    ("1,2", .label, false, integers, "style"),
    ("a%2Cb,c", .simple, false, strings, #"["a,b","c"]"#),
    ("%", .simple, false, string, "percentEncoding"),
    ("%zz", .simple, false, string, "percentEncoding"),
    ("%ff", .simple, false, string, "percentEncoding"),
    ("%F0%9F%8D%8F", .simple, false, string, "\"\u{1F34F}\""),
    (".1.2", .label, false, integers, "type"),
  ])
  func `a path segment is split before it is decoded`(
    capture: String, style: Parameter.Style, explode: Bool, schema: JSON, value: String
  ) {
    let parameter = Parameter("id", in: .path, isRequired: true, style: style, explode: explode, schema: schema)
    #expect(decoded(parameter, capture: capture) == value)
  }

  @Test func `the dots of the 3-0 table are read there`() {
    let parameter = Parameter("id", in: .path, style: .label, explode: false, schema: Self.integers)
    #expect(decoded(parameter, capture: ".1.2", .openAPI30) == "[1,2]")
    #expect(decoded(parameter, capture: ".1,2", .openAPI30) == "[1,2]")
  }

  @Test func `header lines are joined, and never percent-decoded`() {
    let list = Parameter("X", in: .header, schema: Self.strings)
    #expect(decoded(list, headers: [("X", " a , b ")]) == #"["a","b"]"#)
    #expect(decoded(list, headers: [("X", "a"), ("x", "b,c")]) == #"["a","b","c"]"#)
    #expect(decoded(Parameter("X", in: .header, schema: Self.string), headers: [("x", "a%20b")]) == #""a%20b""#)
  }

  @Test func `lines of Set-Cookie are never joined`() {
    let cookies = Parameter("Set-Cookie", in: .header, schema: Self.strings)
    let lines = [("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"), ("set-cookie", "b=2")]
    #expect(decoded(cookies, headers: lines) == #"["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT","b=2"]"#)
    let single = Parameter("Set-Cookie", in: .header, schema: Self.string)
    #expect(decoded(single, headers: lines) == #""a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT""#)
  }

  @Test func `cookies in style form are decoded, in style cookie they are not`() {
    let form = Parameter("c", in: .cookie, schema: Self.string)
    #expect(decoded(form, headers: [("Cookie", "b=1; c=a%20b+c")]) == #""a b+c""#)
    let plain = Parameter("c", in: .cookie, style: .cookie, schema: Self.string)
    #expect(decoded(plain, headers: [("Cookie", "c=a%20b"), ("Cookie", "d=1")], .openAPI32) == #""a%20b""#)
    let list = Parameter("c", in: .cookie, schema: Self.strings)
    #expect(decoded(list, headers: [("Cookie", "c=1; c=2")]) == #"["1","2"]"#)
    #expect(decoded(list, headers: [("Cookie", "c=1&c=2")]) == #"["1","2"]"#)
    let plainList = Parameter("c", in: .cookie, style: .cookie, schema: Self.strings)
    #expect(decoded(plainList, headers: [("Cookie", "c=1&2; c=3")], .openAPI32) == #"["1&2","3"]"#)
  }

  @Test(arguments: [
    ("c=7", "{\"type\":\"integer\"}", "7"), ("c=-0", "{\"type\":\"integer\"}", "-0"),
    ("c=07", "{\"type\":\"integer\"}", "type"), ("c=1.0", "{\"type\":\"integer\"}", "type"),
    ("c=%2B7", "{\"type\":\"integer\"}", "type"), ("c=0x1p3", "{\"type\":\"number\"}", "type"),
    ("c=nan", "{\"type\":\"number\"}", "type"), ("c=1e400", "{\"type\":\"number\"}", "1e400"),
    ("c=true", "{\"type\":\"boolean\"}", "true"), ("c=True", "{\"type\":\"boolean\"}", "type"),
    ("c=1", "{\"type\":\"boolean\"}", "type"),
    ("c=7", "{}", "7 | \"7\""), ("c=x", "{}", "\"x\""),
    ("c=true", "{\"type\":[\"boolean\",\"string\"]}", "true | \"true\""),
    ("c=", "{\"type\":[\"integer\",\"null\"]}", "null"), ("c=", "{\"type\":[\"string\",\"null\"]}", "\"\""),
    // `nullable` is not a keyword of OpenAPI 3.1.
    ("c=", "{\"type\":\"integer\",\"nullable\":true}", "type"),
    ("c=7", "{\"allOf\":[{\"type\":[\"integer\",\"string\"]},{\"type\":[\"integer\",\"boolean\"]}]}", "7"),
    ("c=1&c=2", "{\"anyOf\":[{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},{\"type\":\"null\"}]}", "[1,2]"),
    ("c=1&c=x", "{\"type\":\"array\"}", "[1,\"x\"] | [\"1\",\"x\"]"),
    ("c=2", "{\"enum\":[1,2]}", "2"), ("c=2", "{\"const\":\"2\"}", "\"2\""),
    ("c=1&c=2", "{\"type\":\"integer\"}", "1 (duplicate)"),
    ("c=e%CC%81", "{\"type\":\"string\"}", "\"e\u{301}\""),
  ])
  func `text becomes a value of the declared types`(wire: String, schema: String, value: String) throws {
    let parameter = Self.query(try JSONParser.parse(Array(schema.utf8)).root)
    #expect(decoded(parameter, "/?" + wire) == value)
  }

  @Test func `references are followed`() throws {
    let document: JSON = ["c": ["$ref": "#/x"], "x": ["allOf": [["type": "integer"]]]]
    let parameter = Self.query(document["c"])
    let decoder = ParameterDecoder(parameter, specification: .openAPI31, schemas: .of(.openAPI31))
    #expect(decoder.decode(ParameterInput(target: "/?c=1")).readings == [1])
    let loop: JSON = ["$ref": "#"]
    let endless = ParameterDecoder(Self.query(loop), specification: .openAPI31, schemas: .of(.openAPI31))
    #expect(endless.decode(ParameterInput(target: "/?c=x")).readings == ["x"])
  }

  @Test func `content is decoded as one text and then parsed`() {
    let json = Parameter("c", in: .query, content: MediaTypeObject("application/json", schema: Self.rg))
    #expect(decoded(json, "/?c=%7B%22R%22:+1%7D") == #"{"R":1}"#)
    #expect(decoded(json, "/?c=%7B") == "syntax")
    #expect(decoded(json, "/") == "absent")
    let whole = Parameter("q", in: .querystring, content: MediaTypeObject("application/json"))
    #expect(decoded(whole, "/?%5B1%5D", .openAPI32) == "[1]")
    let form = MediaTypeObject("application/x-www-form-urlencoded", schema: Self.rg)
    #expect(decoded(Parameter("q", in: .querystring, content: form), "/?R=1&G=2", .openAPI32) == #"{"R":1,"G":2}"#)
  }

  @Test func `nested arrays of Swagger 2-0 have delimiters of their own`() {
    let schema: JSON = [
      "type": "array", "items": ["type": "array", "collectionFormat": "pipes", "items": ["type": "integer"]],
    ]
    #expect(decoded(Self.query(schema, explode: false), "/?c=1|2,3%7C4", .swagger2) == "[[1,2],[3,4]]")
    let tabs = Self.query(Self.strings, .tabDelimited)
    #expect(decoded(tabs, "/?c=a%09b", .swagger2) == #"["a","b"]"#)
    let pipes = Parameter("c", in: .path, style: .pipeDelimited, schema: Self.strings)
    #expect(decoded(pipes, capture: "a|b%7Cc", .swagger2) == #"["a","b","c"]"#)
  }

  @Test(arguments: [
    ("c[a][b]=1", #"{"a":{"b":1}} | {"a":{"b":"1"}} (style)"#),
    ("c[a]=1&c[a]=x", #"{"a":[1,"x"]} | {"a":["1","x"]} (style)"#),
    ("c[a][]=x&c[a][]=y", #"{"a":["x","y"]} (style)"#),
    ("c[a][0]=x&c[a][1]=y", #"{"a":["x","y"]} (style)"#),
    ("c[0]=x", #"{"0":"x"}"#),
    ("c[a]=1&c[a][b]=2", "style"),
    ("c[a][a][a][a][a][a][a][a][a]=1", "limit"),
    ("c=%7B%7D", "style"),
    ("c[a=1", "style"),
  ])
  func `deep objects nest with a note`(wire: String, value: String) {
    let parameter = Parameter("c", in: .query, style: .deepObject, schema: ["type": "object"])
    #expect(decoded(parameter, "/?" + wire) == value)
  }

  @Test func `headers of the protocol are parameters only in Swagger 2-0`() {
    let parameters = ["Accept", "content-type", "AUTHORIZATION", "X"].map { Parameter($0, in: .header) }
    #expect(OperationParameters(parameters, specification: .openAPI30, schemas: .of(.openAPI30)).decoders.count == 1)
    #expect(OperationParameters(parameters, specification: .swagger2, schemas: .of(.swagger2)).decoders.count == 4)
  }

  @Test func `undeclared names are listed`() {
    let parameters = OperationParameters(
      [Self.query(Self.rg, .deepObject), Parameter("x", in: .query)], specification: .openAPI31,
      schemas: .of(.openAPI31)
    )
    let input = ParameterInput(target: "/?c[R]=1&x=1&y=2&y=3&__code=1&&=&X=1")
    // That of `=` is empty.
    #expect(parameters.undeclaredNames(in: input) == ["", "y", "X"])
  }
}
