import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Reads one parameter, and gives its likeliest value as JSON text, or the kind of the problem.
func decoded(
  _ parameter: Parameter, _ target: String = "/", headers: [(String, String)] = [], capture: String? = nil,
  others: [Parameter] = [], _ specification: Specification = .openAPI31
) -> String {
  var fields = HTTPFields()
  for (name, value) in headers {
    if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
  }
  var target = target
  var captures: [(name: String, range: Range<Int>)] = []
  if let capture {
    target = "/" + capture
    captures = [(parameter.name, 1..<target.utf8.count)]
  }
  let parameters = OperationParameters([parameter] + others, specification: specification, schemas: .of(specification))
  let result = parameters.decode(ParameterInput(target: target, fields: fields, captures: captures))[0]
  let problems = result.problems.map { $0.isRecovered ? " (\($0.kind))" : "\($0.kind)" }.joined()
  switch result.outcome {
  case .absent: return problems.isEmpty ? "absent" : problems
  case .empty: return "empty"
  case .broken: return problems
  case .unvalidated(let reason): return reason
  case .readings(let values): return values.map { JSONWriter.text($0) }.joined(separator: " | ") + problems
  }
}

/// The table "Style Examples" (OAS 3.1, 4.8.12.4), read back.
struct StyleTableTests {
  static let string: JSON = ["type": "string"]
  static let array: JSON = ["type": "array", "items": ["type": "string"]]
  static let integer: JSON = ["type": "integer"]
  /// Closed, else the neighbours in the query would be its members too.
  static let object: JSON = [
    "type": "object", "additionalProperties": false, "properties": ["R": integer, "G": integer, "B": integer],
  ]

  struct Row: CustomTestStringConvertible, Sendable {
    let style: Parameter.Style
    let location: Parameter.Location
    let explode: Bool
    /// String, array, object; `nil` where the table says n/a.
    let wires: [String?]
    var testDescription: String { "\(style) in \(location), explode \(explode)" }
  }

  static let rows = [
    Row(
      style: .matrix, location: .path, explode: false,
      wires: [";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
    Row(
      style: .matrix, location: .path, explode: true,
      wires: [";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"]),
    Row(style: .label, location: .path, explode: false, wires: [".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
    Row(style: .label, location: .path, explode: true, wires: [".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
    Row(style: .simple, location: .path, explode: false, wires: ["blue", "blue,black,brown", "R,100,G,200,B,150"]),
    Row(style: .simple, location: .path, explode: true, wires: ["blue", "blue,black,brown", "R=100,G=200,B=150"]),
    Row(style: .simple, location: .header, explode: false, wires: ["blue", "blue,black,brown", "R,100,G,200,B,150"]),
    Row(style: .simple, location: .header, explode: true, wires: ["blue", "blue,black,brown", "R=100,G=200,B=150"]),
    Row(
      style: .form, location: .query, explode: false,
      wires: ["color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
    Row(
      style: .form, location: .query, explode: true,
      wires: ["color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"]),
    Row(
      style: .form, location: .cookie, explode: false,
      wires: ["color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
    Row(
      style: .form, location: .cookie, explode: true, wires: ["color=blue", "color=blue&color=black&color=brown", nil]),
    Row(
      style: .spaceDelimited, location: .query, explode: false,
      wires: [nil, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"]),
    Row(
      style: .pipeDelimited, location: .query, explode: false,
      wires: [nil, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"]),
    Row(
      style: .deepObject, location: .query, explode: true,
      wires: [nil, nil, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"]),
    Row(
      style: .deepObject, location: .query, explode: false,
      wires: [nil, nil, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"]),
    Row(
      style: .cookie, location: .cookie, explode: false,
      wires: ["color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
    Row(
      style: .cookie, location: .cookie, explode: true,
      wires: ["color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"]),
  ]

  @Test(arguments: rows)
  func `every example of the table is read back`(row: Row) {
    let values = [
      (Self.string, "\"blue\""), (Self.array, #"["blue","black","brown"]"#),
      (Self.object, #"{"R":100,"G":200,"B":150}"#),
    ]
    #expect(row.wires.count == values.count)
    for (wire, (schema, value)) in zip(row.wires, values) {
      guard let wire else { continue }
      let parameter = Parameter("color", in: row.location, style: row.style, explode: row.explode, schema: schema)
      let result =
        switch row.location {
        case .path: decoded(parameter, capture: wire, .openAPI32)
        case .header: decoded(parameter, headers: [("Color", wire)], .openAPI32)
        case .cookie: decoded(parameter, headers: [("Cookie", "a=b; " + wire)], .openAPI32)
        case .query, .querystring: decoded(parameter, "/?x=1&" + wire + "&y=2", .openAPI32)
        }
      #expect(result == value, "\(wire)")
    }
  }

  @Test func `an absent variable is absent in every style, an empty text is empty`() {
    for row in Self.rows where row.location == .query || row.location == .cookie {
      #expect(
        decoded(
          Parameter("color", in: row.location, style: row.style, explode: row.explode, schema: Self.string), "/",
          .openAPI32)
          == "absent")
    }
    #expect(decoded(Parameter("c", in: .path, style: .matrix, schema: Self.string), capture: ";c") == "\"\"")
    #expect(decoded(Parameter("c", in: .path, style: .label, schema: Self.string), capture: ".") == "\"\"")
    #expect(decoded(Parameter("c", in: .query, schema: Self.string), "/?c=") == "\"\"")
    #expect(decoded(Parameter("c", in: .header, schema: Self.string), headers: [("c", "")]) == "\"\"")
  }

  @Test func `the default style replaces a style that is not allowed`() {
    let cases: [(Parameter, Specification)] = [
      (Parameter("c", in: .query, style: .matrix, schema: Self.string), .openAPI31),
      (Parameter("c", in: .query, style: .deepObject, schema: Self.string), .openAPI31),
      (Parameter("c", in: .query, style: .pipeDelimited, schema: Self.string), .openAPI31),
      (Parameter("c", in: .cookie, style: .cookie, schema: Self.string), .openAPI31),
      (Parameter("c", in: .query, style: .spaceDelimited, explode: true, schema: Self.array), .openAPI30),
    ]
    for (parameter, specification) in cases {
      let decoder = ParameterDecoder(parameter, specification: specification, schemas: .of(specification))
      #expect(decoder.style == .form)
    }
    #expect(decoded(cases[4].0, "/?c=a&c=b") == #"["a","b"]"#)
    let fine = ParameterDecoder(
      Parameter("c", in: .path, style: .pipeDelimited, schema: Self.array), specification: .swagger2,
      schemas: .of(.swagger2)
    )
    #expect(fine.style == .pipeDelimited)
  }
}
