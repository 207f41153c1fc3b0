import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ParameterEncoderTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var location: Parameter.Location
    var style: Parameter.Style
    var explode: Bool
    var value: JSON
    var wire: String

    var testDescription: String { "\(location) \(style) \(explode) \(JSONWriter.text(value))" }
  }

  static let list: JSON = ["blue", "black"]
  static let object: JSON = ["R": 100, "G": 200]

  /// The table "Style Examples" of OpenAPI 3.1, delimiters of values percent-encoded.
  static let vectors: [Vector] = [
    Vector(location: .path, style: .simple, explode: false, value: "a b/c", wire: "a%20b%2Fc"),
    Vector(location: .path, style: .simple, explode: false, value: list, wire: "blue,black"),
    Vector(location: .path, style: .simple, explode: false, value: object, wire: "R,100,G,200"),
    Vector(location: .path, style: .simple, explode: true, value: object, wire: "R=100,G=200"),
    Vector(location: .path, style: .label, explode: false, value: "blue", wire: ".blue"),
    Vector(location: .path, style: .label, explode: false, value: list, wire: ".blue,black"),
    Vector(location: .path, style: .label, explode: true, value: list, wire: ".blue.black"),
    Vector(location: .path, style: .label, explode: true, value: object, wire: ".R=100.G=200"),
    Vector(location: .path, style: .matrix, explode: false, value: "blue", wire: ";color=blue"),
    Vector(location: .path, style: .matrix, explode: false, value: list, wire: ";color=blue,black"),
    Vector(location: .path, style: .matrix, explode: true, value: list, wire: ";color=blue;color=black"),
    Vector(location: .path, style: .matrix, explode: true, value: object, wire: ";R=100;G=200"),
    Vector(location: .query, style: .form, explode: true, value: "a&b=c", wire: "color=a%26b%3Dc"),
    Vector(location: .query, style: .form, explode: false, value: list, wire: "color=blue,black"),
    Vector(location: .query, style: .form, explode: true, value: list, wire: "color=blue&color=black"),
    Vector(location: .query, style: .form, explode: false, value: object, wire: "color=R,100,G,200"),
    Vector(location: .query, style: .form, explode: true, value: object, wire: "R=100&G=200"),
    Vector(location: .query, style: .spaceDelimited, explode: false, value: list, wire: "color=blue%20black"),
    Vector(location: .query, style: .pipeDelimited, explode: false, value: list, wire: "color=blue%7Cblack"),
    Vector(
      location: .query, style: .deepObject, explode: true, value: object, wire: "color%5BR%5D=100&color%5BG%5D=200"),
    Vector(location: .header, style: .simple, explode: false, value: list, wire: "blue,black"),
    Vector(location: .header, style: .simple, explode: true, value: object, wire: "R=100,G=200"),
    Vector(location: .cookie, style: .form, explode: true, value: "blue", wire: "color=blue"),
  ]

  @Test(arguments: vectors) func `a value is written in its style, and read back as the same`(
    vector: Vector
  ) throws {
    let schema: JSON =
      vector.value.isArray
      ? ["type": "array", "items": ["type": "string"]]
      : vector.value.isObject
        ? [
          "type": "object", "properties": ["R": ["type": "integer"], "G": ["type": "integer"]],
          "additionalProperties": false,
        ] : ["type": "string"]
    let parameter = Parameter(
      "color", in: vector.location, style: vector.style, explode: vector.explode, schema: schema)
    let wire = try #require(ParameterEncoder(parameter).encode(vector.value))
    var input = ParameterInput(target: "/")
    switch wire {
    case .path(let text):
      #expect(text == vector.wire)
      let target = "/\(text)"
      input = ParameterInput(target: target, captures: [("color", 1..<target.utf8.count)])
    case .query(let pieces):
      #expect(pieces.joined(separator: "&") == vector.wire)
      input = ParameterInput(target: "/?" + pieces.joined(separator: "&"))
    case .header(let text):
      #expect(text == vector.wire)
      input = ParameterInput(target: "/", fields: Self.fields("color", text))
    case .cookies(let pairs):
      #expect(pairs.joined(separator: "; ") == vector.wire)
      input = ParameterInput(target: "/", fields: Self.fields("Cookie", pairs.joined(separator: "; ")))
    }
    let decoder = ParameterDecoder(parameter, specification: .openAPI31, schemas: .of(.openAPI31))
    #expect(decoder.decode(input).readings.first == vector.value)
  }

  private static func fields(_ name: String, _ value: String) -> HTTPFields {
    var fields = HTTPFields()
    if let name = HTTPField.Name(name) { fields[name] = value }
    return fields
  }

  @Test func `what has no form is not written`() {
    let inPath = Parameter("id", in: .path, schema: ["type": "string"])
    #expect(ParameterEncoder(inPath).encode("") == nil)
    #expect(ParameterEncoder(inPath).encode("..") == nil)
    #expect(ParameterEncoder(inPath).encode(.null as JSON) == nil)
    #expect(ParameterEncoder(Parameter("X", in: .header, schema: [:])).encode("a\nb") == nil)
    #expect(ParameterEncoder(Parameter("q", in: .query, schema: [:])).encode([["a": 1]]) == nil)
  }
}
