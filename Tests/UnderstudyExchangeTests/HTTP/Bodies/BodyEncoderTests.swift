import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct BodyEncoderTests {
  static let pet: JSON = [
    "type": "object",
    "properties": [
      "name": ["type": "string"], "age": ["type": "integer"], "tags": ["type": "array", "items": ["type": "string"]],
    ],
  ]

  @Test(arguments: [
    "application/json", "application/vnd.api+json", "application/x-www-form-urlencoded", "multipart/form-data",
    "application/xml",
  ])
  func `a body is read back as what was written`(range: String) throws {
    let value: JSON = ["name": "a & b=ü", "age": 3, "tags": ["x", "y,z"]]
    let media = MediaTypeObject(range, schema: Self.pet)
    let encoded = try #require(BodyEncoder(media, schemas: .of(.openAPI31)).encode(value))
    let decoder = BodyDecoder([media], specification: .openAPI31, schemas: .of(.openAPI31))
    let result = decoder.decode(encoded.bytes, contentType: encoded.contentType)
    #expect(result.decoded.readings.first == value, "\(String(decoding: encoded.bytes, as: UTF8.self))")
    #expect(result.decoded.problems.isEmpty)
  }

  @Test func `the encoding object of a form's property decides its style`() throws {
    let media = MediaTypeObject(
      "application/x-www-form-urlencoded", schema: Self.pet,
      encodings: [Encoding("tags", style: .form, explode: false)])
    let encoded = try #require(BodyEncoder(media, schemas: .of(.openAPI31)).encode(["tags": ["x", "y"]]))
    #expect(String(decoding: encoded.bytes, as: UTF8.self) == "tags=x,y")
  }

  @Test func `a range is sent as a type that falls into it`() throws {
    let ranges = [
      "*/*": "application/json", "application/*+json": "application/vnd.understudy+json", "image/*": "image/png",
    ]
    for (range, type) in ranges {
      #expect(BodyEncoder(MediaTypeObject(range), schemas: .of(.openAPI31)).encode("x")?.contentType == type)
    }
  }

  @Test func `a file goes with a name, and an object as JSON`() throws {
    let schema: JSON = [
      "type": "object",
      "properties": ["file": ["type": "string", "format": "binary"], "about": ["type": "object"]],
    ]
    let encoded = try #require(
      BodyEncoder(MediaTypeObject("multipart/form-data", schema: schema), schemas: .of(.openAPI31)).encode([
        "file": "abc", "about": ["a": 1],
      ]))
    let text = String(decoding: encoded.bytes, as: UTF8.self)
    #expect(text.contains("name=\"file\"; filename=\"file.bin\"\r\nContent-Type: application/octet-stream\r\n\r\nabc"))
    #expect(text.contains("name=\"about\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}"))
  }

  @Test func `an object is not a text`() {
    #expect(BodyEncoder(MediaTypeObject("text/plain"), schemas: .of(.openAPI31)).encode(["a": 1]) == nil)
  }
}
