import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport

struct MultipartBodyTests {
  static let schema: JSON = [
    "type": "object",
    "properties": [
      "id": ["type": "integer"], "note": ["type": "string"], "tags": ["type": "array", "items": ["type": "string"]],
      "address": ["type": "object"], "photo": ["type": "string", "format": "binary"],
    ],
  ]

  /// A body of parts, each with its header and content; every line end is CRLF.
  static func body(_ parts: [(head: String, content: String)], boundary: String = "x") -> String {
    parts.map { "--\(boundary)\r\n\($0.head)\r\n\r\n\($0.content)\r\n" }.joined() + "--\(boundary)--\r\n"
  }

  static func part(_ name: String, _ content: String, _ more: String = "") -> (head: String, content: String) {
    ("Content-Disposition: form-data; name=\"\(name)\"" + more, content)
  }

  static func decode(
    _ body: some Sequence<UInt8>, type: String = "multipart/form-data; boundary=x", encodings: [Encoding] = [],
    _ specification: Specification = .openAPI31
  ) throws -> Decoded {
    let media = MediaTypeObject("multipart/form-data", schema: schema, encodings: encodings)
    return MultipartBody(media, specification: specification, schemas: .of(specification))
      .decode(Array(body), try #require(MediaRange(type)))
  }

  static func decode(
    _ parts: [(head: String, content: String)], encodings: [Encoding] = [], _ specification: Specification = .openAPI31
  ) throws -> String {
    FormBodyTests.text(try decode(body(parts).utf8, encodings: encodings, specification))
  }

  @Test func `parts become members by their names, and by the types of their properties`() throws {
    let parts = [
      Self.part("id", "7"), Self.part("note", "100% a+b %20"), Self.part("tags", "a"), Self.part("tags", "b,c"),
      Self.part("address", "{\"x\":1}", "\r\nContent-Type: application/json"),
      Self.part("photo", String(repeating: "1", count: 20), "; filename=\"cat.png\"\r\ncontent-type: image/png"),
    ]
    #expect(
      try Self.decode(parts)
        == #"{"id":7,"note":"100% a+b %20","tags":["a","b,c"],"address":{"x":1},"photo":"<cat.png, 20 bytes>."}"#)
  }

  @Test(arguments: [
    ("id", "x", "", "the form field `id` must be an integer, found `x`"),
    ("address", "{", "\r\nContent-Type: application/json", "the part `address` is not valid JSON: "),
    ("address", "{\"x\":1}", "", #"{"address":{"x":1}}"#),
    ("address", "{\"x\":1}", "; filename=blob\r\nContent-Type: application/json", #"{"address":{"x":1}}"#),
    (
      "photo", "{\"some\": \"json text\"}", "; filename=a.json\r\nContent-Type: application/json",
      #"{"photo":"<a.json, 21 bytes>..."}"#
    ),
    ("tags", "[\"a\"]", "\r\nContent-Type: application/json", #"{"tags":["a"]}"#),
    (
      "tags", "[\"a\"]", "",
      "the form field `tags` holds a JSON array as text; expected the key again for each item: `tags=a&tags=b`"
    ),
    (
      "tags[]", "a", "",
      "the form field `tags` was sent with brackets, as `tags[]=`; expected the key alone, again for each item: `tags=a&tags=b`"
    ),
    ("other", "5", "", #"{"other":5} | {"other":"5"}"#),
    ("no%22te", "a", "", #"{"no\"te":"a"}"#),
    ("nöte", "a", "", #"{"nöte":"a"}"#),
    ("photo", "", "; filename=\"\"\r\nContent-Type: application/octet-stream", #"{"photo":""}"#),
    ("photo", "ab", "; filename=\"x\"; filename*=UTF-8''n%C3%B6.png", #"{"photo":"<n"}"#),
    ("note", "a\r\n--xy\r\nb", "", #"{"note":"a\r\n--xy\r\nb"}"#),
  ])
  func `one part`(name: String, content: String, head: String, value: String) throws {
    let text = try Self.decode([Self.part(name, content, head)])
    #expect(value.hasSuffix(": ") ? text.hasPrefix(value) : text == value)
  }

  @Test func `a boundary inside a part ends it`() throws {
    #expect(try Self.decode([Self.part("note", "--x")]).hasPrefix("part 2 has no name"))
  }

  @Test func `preamble, epilogue, padding and bare line feeds are taken`() throws {
    let body = "preamble\r\n--x \t\r\nContent-Disposition: form-data; name=id\r\n\r\n1\r\n--x--\r\nepilogue --x"
    #expect(FormBodyTests.text(try Self.decode(body.utf8)) == #"{"id":1}"#)
    let lines = "--x\nContent-Disposition: form-data; name=id\n\n1\n--x--"
    #expect(FormBodyTests.text(try Self.decode(lines.utf8)) == #"{"id":1}"#)
    #expect(FormBodyTests.text(try Self.decode("--x--".utf8)) == "{}")
    let headOnly = "--x\r\nContent-Disposition: form-data; name=note\r\n--x--"
    #expect(FormBodyTests.text(try Self.decode(headOnly.utf8)) == #"{"note":""}"#)
  }

  @Test(arguments: [
    ("", "the multipart body is empty"),
    ("hello", "the multipart body has no line `--x`, its boundary"),
    ("--x", "the multipart body is cut off in part 1: its last line `--x--` is missing"),
    (
      "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nab",
      "the multipart body is cut off in part 1: its last line `--x--` is missing"
    ),
    ("--x\r\n--x--", "part 1 has no name; expected `Content-Disposition: form-data; name=\"...\"`"),
    (
      "--x\r\nhello\r\n\r\n--x--",
      "part 1 has a header line without a colon; is the empty line before its content missing?"
    ),
    ("--x\r\n\r\nhello\r\n--x--", "part 1 has no name; expected `Content-Disposition: form-data; name=\"...\"`"),
  ])
  func `a broken body is reported with its position`(body: String, sentence: String) throws {
    #expect(FormBodyTests.text(try Self.decode(body.utf8)) == sentence)
  }

  @Test func `a missing boundary is reported, and limits hold`() throws {
    let none = try Self.decode("--x--".utf8, type: "multipart/form-data")
    #expect(none.problems.map(\.kind) == [.contentType])
    let many = Self.body(Array(repeating: Self.part("id", "1"), count: MultipartMessage.partLimit + 1))
    #expect(try Self.decode(many.utf8).problems.map(\.kind) == [.limit])
    let large = Self.body([Self.part("id", "1", "\r\nX: " + String(repeating: "a", count: 20_000))])
    #expect(try Self.decode(large.utf8).problems.map(\.kind) == [.limit])
  }

  @Test func `bytes that are not UTF-8 are a file`() throws {
    let head = Array("--x\r\nContent-Disposition: form-data; name=photo\r\n\r\n".utf8)
    let decoded = try Self.decode(head + [0xFF, 0x00, 0x0D] + Array("\r\n--x--".utf8))
    #expect(FormBodyTests.text(decoded) == #"{"photo":"<3 "}"#)
  }

  @Test func `the type of a part must be one that its encoding lists`() throws {
    let encoding = Encoding("photo", contentType: "image/png, image/*", node: ["contentType": "image/png, image/*"])
    func problems(_ type: String) throws -> [Bool] {
      let part = Self.part("photo", "1", "; filename=a\(type)")
      return try Self.decode(Self.body([part]).utf8, encodings: [encoding]).problems.map(\.isRecovered)
    }
    #expect(try problems("\r\nContent-Type: image/gif") == [])
    #expect(try problems("\r\nContent-Type: text/html") == [false])
    #expect(try problems("") == [true])
  }

  @Test func `styles count from 3-1 on`() throws {
    let encoding = Encoding("tags", style: .form, explode: false, node: ["explode": false])
    let parts = [Self.part("tags", "a,b")]
    #expect(try Self.decode(parts, encodings: [encoding], .openAPI31) == #"{"tags":["a","b"]}"#)
    #expect(try Self.decode(parts, encodings: [encoding], .openAPI30) == #"{"tags":["a,b"]}"#)
  }

  @Test func `mixed parts are an array`() throws {
    let body = "--x\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--x\r\n\r\nhello\r\n--x--"
    let decoded = try Self.decode(body.utf8, type: "multipart/mixed; boundary=\"x\"")
    #expect(FormBodyTests.text(decoded) == #"[{"a":1},"hello"]"#)
  }

  // MARK: - Encoding Objects

  static func decode(
    media: MediaTypeObject, _ body: String, _ type: String, _ specification: Specification = .openAPI32
  ) throws -> Decoded {
    try MultipartBody(media, specification: specification, schemas: .of(specification))
      .decode(Array(body.utf8), #require(MediaRange(type)))
  }

  @Test func `headers of parts are read beside the body`() throws {
    let rate = Header("X-Rate", isRequired: true, schema: ["type": "integer"])
    var encoding = Encoding("photo", node: [:])
    encoding.headers = [rate]
    let head = "; filename=a.png\r\nContent-Type: image/png"
    let good = try Self.decode(
      Self.body([Self.part("photo", "1", head + "\r\nx-rate: 7")]).utf8, encodings: [encoding])
    #expect(good.problems.isEmpty)
    #expect(good.parts.map(\.pointer) == ["/photo/header/X-Rate"])
    #expect(good.parts.map(\.readings) == [[7]])
    let missing = try Self.decode(Self.body([Self.part("photo", "1", head)]).utf8, encodings: [encoding])
    #expect(missing.problems.map(\.sentence) == ["in the part `photo` the header `X-Rate` is required and missing"])
  }

  @Test func `parts of mixed bodies have encodings by position`() throws {
    var media = MediaTypeObject("multipart/mixed")
    media.prefixEncodings = [Encoding("", contentType: "application/json")]
    media.itemEncoding = Encoding("", contentType: "image/*")
    let json = (head: "Content-Type: application/json", content: "{\"a\":1}")
    let image = (head: "Content-Type: image/png", content: "0123456789")
    let type = "multipart/mixed; boundary=x"
    #expect(
      FormBodyTests.text(try Self.decode(media: media, Self.body([json, image]), type)) == #"[{"a":1},"<10 bytes>"]"#)
    #expect(
      try Self.decode(media: media, Self.body([image, image]), type).problems.map(\.sentence)
        == ["the part 1 is image/png; expected application/json"])
    #expect(
      try Self.decode(media: media, Self.body([json, image, json]), type).problems.map(\.sentence)
        == ["the part 3 is application/json; expected image/*"])
  }

  @Test func `a mixed body with an object schema goes by names`() throws {
    let media = MediaTypeObject(
      "multipart/mixed", schema: ["type": "object", "properties": ["id": ["type": "integer"]]])
    let decoded = try Self.decode(media: media, Self.body([Self.part("id", "7")]), "multipart/mixed; boundary=x")
    #expect(FormBodyTests.text(decoded) == #"{"id":7}"#)
  }

  @Test func `a multipart inside a part is read one level deep`() throws {
    var inner = MediaTypeObject("multipart/mixed")
    inner.itemEncoding = Encoding("", contentType: "text/plain")
    var encoding = Encoding("notes", contentType: "multipart/mixed", node: ["contentType": "multipart/mixed"])
    encoding.nested = [inner]
    var media = MediaTypeObject(
      "multipart/form-data",
      schema: [
        "type": "object", "properties": ["notes": ["type": "array", "items": ["type": "string"]]],
      ])
    media.encodings = [encoding]
    let notes = Self.body([("Content-Type: text/plain", "a"), ("Content-Type: text/plain", "b")], boundary: "y")
    let outer = Self.body([Self.part("notes", notes, "\r\nContent-Type: multipart/mixed; boundary=y")])
    #expect(
      FormBodyTests.text(try Self.decode(media: media, outer, "multipart/form-data; boundary=x"))
        == #"{"notes":["a","b"]}"#)
  }

  @Test func `XML parts and charsets of parts are read`() throws {
    let xml = Self.part("address", "<a><x>1</x></a>", "\r\nContent-Type: application/xml")
    #expect(try Self.decode([xml]) == #"{"address":{"x":1}}"#)
    let latin =
      Array(
        "--x\r\nContent-Disposition: form-data; name=note\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n".utf8)
      + [0xE9] + Array("\r\n--x--".utf8)
    #expect(FormBodyTests.text(try Self.decode(latin)) == "{\"note\":\"\u{E9}\"}")
  }

  @Test(arguments: [
    ("", "text/plain; charset=shift_jis", "unvalidated: the charset `shift_jis` is not supported"),
    ("; filename=a.txt", "text/plain; charset=shift_jis", #"{"note":"<a."}"#),
    ("", "text/plain; charset=us-ascii", #"{"note":"7 a"}"#),
  ])
  func `a text in a charset that is not known is not validated`(head: String, type: String, value: String) throws {
    #expect(try Self.decode([Self.part("note", "7 a", "\(head)\r\nContent-Type: \(type)")]) == value)
  }

  @Test func `a part that no rule maps is reported as not validated`() throws {
    let xml = Self.part("address", "<a>text<b/></a>", "\r\nContent-Type: application/xml")
    #expect(
      try Self.decode([xml])
        == "unvalidated: the element `a` holds text beside its elements, which no rule maps")
  }

  @Test func `lengths of files count bytes`() throws {
    let limited: JSON = ["type": "object", "properties": ["photo": ["type": "string", "maxLength": 4]]]
    let schema = SchemaLibrary(dialect: .openAPI31).schema(at: limited)
    func accepts(_ content: String) throws -> Bool {
      let body = Self.body([Self.part("photo", content, "; filename=a.png\r\nContent-Type: image/png")])
      return schema.accepts(try #require(Self.decode(body.utf8).readings.first))
    }
    #expect(try accepts("1234"))
    #expect(try !accepts("12345"))
    #expect(try !accepts("\u{E9}\u{E9}\u{E9}"))
  }
}
