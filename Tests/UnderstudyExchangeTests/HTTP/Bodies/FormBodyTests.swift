import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FormBodyTests {
  static let profile: JSON = [
    "type": "object",
    "properties": [
      "lat": ["type": "number"], "nick": ["type": "string"], "gender": ["type": "integer"],
      "studylist": ["type": "array", "items": ["type": "string"]],
      "ages": ["type": "array", "items": ["type": "integer"]],
      "place": ["type": "object", "properties": ["x": ["type": "integer"]]],
      "search": ["type": ["boolean", "null"]],
    ],
  ]

  static func decode(_ body: String, _ schema: JSON = profile, encodings: [Encoding] = []) -> Decoded {
    let media = MediaTypeObject("application/x-www-form-urlencoded", schema: schema, encodings: encodings)
    return FormBody(media, specification: .openAPI31, schemas: .of(.openAPI31)).decode(Array(body.utf8))
  }

  static func text(_ decoded: Decoded) -> String {
    switch decoded.outcome {
    case .readings(let values): values.map { JSONWriter.text($0) }.joined(separator: " | ")
    case .broken: decoded.problems.first { !$0.isRecovered }?.sentence ?? "broken"
    case .absent: "absent"
    case .empty: "empty"
    case .unvalidated(let reason): "unvalidated: \(reason)"
    }
  }

  @Test(arguments: [
    ("nick=a+b%26c&lat=37.5&gender=1", #"{"lat":37.5,"nick":"a b&c","gender":1}"#),
    ("studylist=Swift&studylist=%EC%95%8C", #"{"studylist":["Swift","알"]}"#),
    ("studylist=anything", #"{"studylist":["anything"]}"#),
    ("studylist=a%2Cb", #"{"studylist":["a,b"]}"#),
    ("place=%7B%22x%22%3A1%7D", #"{"place":{"x":1}}"#),
    ("ages=1&ages=2", #"{"ages":[1,2]}"#),
    ("ages=1&lat=2&ages=3&gender=4&ages=5", #"{"lat":2,"gender":4,"ages":[1,3,5]}"#),
    ("nick=%C3%A9t%C3%A9&lat=-1.5e2", #"{"lat":-1.5e2,"nick":"été"}"#),
    ("search=", #"{"search":null}"#), ("search=true", #"{"search":true}"#),
    ("nick=", #"{"nick":""}"#), ("", "{}"), ("&&=&", "{}"),
    ("nick=a&extra=7", #"{"nick":"a","extra":7} | {"nick":"a","extra":"7"}"#),
    ("extra=x&extra=y", #"{"extra":["x","y"]}"#),
    ("nick=a=b", #"{"nick":"a=b"}"#),
  ])
  func `a form becomes an object`(body: String, value: String) {
    #expect(Self.text(Self.decode(body)) == value)
  }

  static let brackets = "expected the key alone, again for each item: `studylist=a&studylist=b`"

  @Test(arguments: [
    ("studylist[]=Swift", "the form field `studylist` was sent with brackets, as `studylist[]=`; " + brackets),
    ("studylist%5B%5D=Swift", "the form field `studylist` was sent with brackets, as `studylist[]=`; " + brackets),
    (
      "studylist[0]=Swift&studylist[1]=B",
      "the form field `studylist` was sent with brackets, as `studylist[0]=`; " + brackets
    ),
    (
      "studylist=[%22a%22,+%22b%22]",
      "the form field `studylist` holds a JSON array as text; expected the key again for each item: `studylist=a&studylist=b`"
    ),
    (
      "ages=1,2",
      "the form field `ages` holds 2 items joined by commas; expected the key again for each: `ages=a&ages=b`"
    ),
    (
      "{\"nick\": \"a\"}",
      "the body is JSON, but Content-Type says application/x-www-form-urlencoded; send `name=value&name=value`, or Content-Type: application/json where the contract allows it"
    ),
    ("gender=one", "the form field `gender` must be an integer, found `one`"),
    ("nick=caf%E9", "`caf%E9` in `nick` has bytes that are not UTF-8: é is written %C3%A9"),
    ("nick=100%", "`100%` in `nick` is not percent-encoded UTF-8: a literal % is written %25"),
    ("place=x", "the form field `place` is not valid JSON: "),
  ])
  func `common mistakes are distinguished`(body: String, sentence: String) {
    let text = Self.text(Self.decode(body))
    #expect(sentence.hasSuffix(": ") ? text.hasPrefix(sentence) : text == sentence)
  }

  @Test func `a property that is really named with brackets is that property`() {
    let schema: JSON = ["properties": ["a[]": ["type": "array", "items": ["type": "integer"]]]]
    #expect(Self.text(Self.decode("a[]=1&a%5B%5D=2", schema)) == #"{"a[]":[1,2]}"#)
  }

  @Test func `a bare ampersand inside a value is suspected`() {
    let decoded = Self.decode("nick=Tom&Jerry&gender=1")
    #expect(
      decoded.problems.map(\.sentence) == [
        "`nick` is followed by `&Jerry` without `=`: if the & belongs to the value, send it as %26"
      ])
    #expect(!decoded.problems.contains { !$0.isRecovered })
  }

  @Test(arguments: ["nick=c+d 한글", "nick=ab+cd/ef=="])
  func `text that no form encoder writes is suspected`(body: String) {
    let problems = Self.decode(body).problems
    #expect(
      problems.map(\.sentence) == [
        "the value of `nick` was not percent-encoded: in it `&` would start another field and `+` be a space"
      ])
    #expect(!problems.contains { !$0.isRecovered })
    #expect(Self.decode("nick=ab%2Bcd%2Fef%3D%3D+%ED%95%9C").problems.isEmpty)
  }

  @Test func `each byte that is not visible ASCII is suspected at every place`() {
    for length in [1, 8, 9, 16, 19] {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max where !"&%+=".utf8.contains(byte) {
          var value = Array(repeating: UInt8(ascii: "b"), count: length)
          value[position] = byte
          let form = FormBody(nil, specification: .openAPI31, schemas: .of(.openAPI31))
          let decoded = form.decode(Array("nick=".utf8) + value)
          #expect(decoded.problems.isEmpty == (33...126 ~= byte), "\(byte) at \(position) of \(length)")
        }
      }
    }
  }

  @Test(arguments: ["a=1,2,3&x=one", "a=1,2&b=3&x=one", "x=one&a=1", "b=1&b=2&x=one", "c[k]=1&c[l]=2&x=one"])
  func `a field that is not declared is read beside lists and objects`(body: String) {
    let schema: JSON = [
      "properties": ["a": ["type": "array"], "b": ["type": "string"], "c": ["type": "object"]],
      "additionalProperties": ["type": "integer"],
    ]
    let encodings = [
      Encoding("a", style: .form, explode: false), Encoding("c", style: .deepObject, explode: true),
    ]
    let problems = Self.decode(body, schema, encodings: encodings).problems
    #expect(problems.map(\.key).contains("x"), "\(problems)")
  }

  @Test func `an encoding with a style is read like a query parameter`() {
    func text(_ body: String, _ style: Parameter.Style, explode: Bool) -> String {
      let properties = ["studylist", "place"].map { Encoding($0, style: style, explode: explode) }
      return Self.text(Self.decode(body, encodings: properties))
    }
    #expect(text("studylist=a,b", .form, explode: false) == #"{"studylist":["a","b"]}"#)
    #expect(text("studylist=a%7Cb", .pipeDelimited, explode: false) == #"{"studylist":["a","b"]}"#)
    #expect(text("place[x]=1", .deepObject, explode: true) == #"{"place":{"x":1}}"#)
    #expect(text("x=1", .form, explode: true) == #"{"place":{"x":1}}"#)
    #expect(text("place=x,1", .form, explode: false) == #"{"place":{"x":1}}"#)
  }

  @Test func `a content type alone does not make a style`() throws {
    let node: JSON = ["contentType": "application/json"]
    let encoding = Encoding("place", contentType: "application/json", node: node)
    #expect(Self.text(Self.decode("place=%7B%22x%22:1%7D", encodings: [encoding])) == #"{"place":{"x":1}}"#)
  }

  @Test func `a form sent as JSON and fields sent in the query are explained`() {
    #expect(BodyDecodingError.notJSON(Array("nick=a&lat=1".utf8))?.sentence.hasPrefix("the body is a form") == true)
    #expect(BodyDecodingError.notJSON(Array("studylist%5B%5D=1".utf8)) != nil)
    #expect(BodyDecodingError.notJSON(Array("{\"a\":\"b=c\"}".utf8)) == nil)
    #expect(BodyDecodingError.notJSON(Array("hello".utf8)) == nil)
    let input = ParameterInput(target: "/user?nick=a&lat=1&z=1")
    #expect(
      BodyDecodingError.inQuery(["lat", "gender", "nick"], input)?.sentence
        == "`lat`, `nick` were sent in the query; expected in the body")
    #expect(BodyDecodingError.inQuery(["gender"], input) == nil)
  }

  @Test(arguments: [
    ("ids=1,2", "csv", Parameter.Style.form, false, "[1,2]"), ("ids=1&ids=2", "multi", .form, true, "[1,2]"),
    ("ids=1%7C2", "pipes", .pipeDelimited, false, "[1,2]"), ("ids=1+2", "ssv", .spaceDelimited, false, "[1,2]"),
  ])
  func `collectionFormat of Swagger 2-0 is read as a style`(
    body: String, format: String, style: Parameter.Style, explode: Bool, value: String
  ) {
    let field: JSON = ["in": "formData", "type": "array", "items": ["type": "integer"]]
    let schema = JSON.object([("type", "object"), ("properties", .object([("ids", field)]))])
    let encoding = Encoding("ids", style: style, explode: explode, node: field)
    let media = MediaTypeObject("application/x-www-form-urlencoded", schema: schema, encodings: [encoding])
    let form = FormBody(media, specification: .swagger2, schemas: .of(.swagger2)).decode(Array(body.utf8))
    #expect(Self.text(form) == "{\"ids\":\(value)}")
    guard format == "csv" else { return }
    let multipart = MultipartBody(media, specification: .swagger2, schemas: .of(.swagger2))
    let parts = MultipartBodyTests.body([MultipartBodyTests.part("ids", "1,2")])
    #expect(
      MediaRange("multipart/form-data; boundary=x").map { Self.text(multipart.decode(Array(parts.utf8), $0)) }
        == "{\"ids\":\(value)}")
  }
}
