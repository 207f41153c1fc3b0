import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport

/// `null` in every dialect, spelling and place: the schema engine decides, and every other reader agrees with it.
struct NullTests {
  static let spellings: [(name: String, schema: String)] = [
    ("type", "{type: integer}"),
    ("nullable", "{type: integer, nullable: true}"),
    ("x-nullable", "{type: integer, x-nullable: true}"),
    ("nullable without type", "{nullable: true}"),
    ("list of types", "{type: [integer, 'null']}"),
    ("type null", "{type: 'null'}"),
    ("enum with null", "{enum: [1, null]}"),
    ("type, enum with null", "{type: integer, enum: [1, null]}"),
    ("nullable, enum with null", "{type: integer, nullable: true, enum: [1, null]}"),
    ("nullable, enum without null", "{type: integer, nullable: true, enum: [1]}"),
    ("x-nullable, enum with null", "{type: integer, x-nullable: true, enum: [1, null]}"),
    ("x-nullable, enum without null", "{type: integer, x-nullable: true, enum: [1]}"),
    ("list of types, enum without null", "{type: [integer, 'null'], enum: [1]}"),
    ("const", "{const: null}"),
    ("reference to nullable", "{$ref: 'HOME/Nullable'}"),
    ("reference to x-nullable", "{$ref: 'HOME/XNullable'}"),
    ("nullable beside a reference", "{$ref: 'HOME/Plain', nullable: true}"),
    ("type and nullable beside a reference", "{$ref: 'HOME/Nullable', type: integer}"),
    ("allOf of nullable", "{allOf: [{$ref: 'HOME/Nullable'}]}"),
    ("allOf of x-nullable", "{allOf: [{$ref: 'HOME/XNullable'}]}"),
    ("allOf of nullable and plain", "{allOf: [{$ref: 'HOME/Nullable'}, {$ref: 'HOME/Plain'}]}"),
    ("nullable beside allOf", "{nullable: true, allOf: [{$ref: 'HOME/Plain'}]}"),
    ("type and nullable beside allOf", "{type: integer, nullable: true, allOf: [{$ref: 'HOME/Plain'}]}"),
    ("oneOf with type null", "{oneOf: [{type: integer}, {type: 'null'}]}"),
    ("anyOf with nullable", "{anyOf: [{type: integer, nullable: true}, {type: boolean}]}"),
    ("anyOf with enum of null", "{anyOf: [{type: integer}, {enum: [null]}]}"),
  ]

  static let places: [(name: String, request: String)] = [
    ("body", "POST /body\nContent-Type: application/json\n\n{\"v\": null}"),
    ("XML, empty element", "POST /body\nContent-Type: application/xml\n\n<r><v/></r>"),
    (
      "XML, xsi:nil",
      "POST /body\nContent-Type: application/xml\n\n"
        + "<r xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><v xsi:nil=\"true\"/></r>"
    ),
    ("query", "GET /query?v="), ("header", "GET /header\nX-V:  "), ("cookie", "GET /cookie\nCookie: v="),
    // A segment is never empty, but a value of style matrix may be.
    ("path", "GET /path/;v"),
    ("form", "POST /form\nContent-Type: application/x-www-form-urlencoded\n\nv=&w=1"),
    (
      "multipart",
      "POST /form\nContent-Type: multipart/form-data; boundary=b\n\n"
        + "--b\r\nContent-Disposition: form-data; name=\"v\"\r\n\r\n\r\n--b--\r\n"
    ),
  ]

  @Test(arguments: ["2.0", "3.0.4", "3.1.1", "3.2.0"])
  func `every reader allows null exactly where the engine does`(version: String) throws {
    var disagreements: [String] = []
    for (spelling, schema) in Self.spellings {
      let text = Self.contract(version, schema)
      let validator = try ContractFixture(text).validator()
      let (library, root) = (validator.contract.schemas, validator.contract.api.root)
      let components = try #require(root["components"]?["schemas"] ?? root["definitions"])
      let allowsNull = library.schema(at: try #require(components["Subject"])).accepts(.null)
      func note(_ place: String, _ found: Bool) {
        guard found != allowsNull else { return }
        disagreements.append(
          "\(version) \(spelling): the engine \(allowsNull ? "allows" : "refuses") null, \(place) does not")
      }
      for (place, request) in Self.places where version != "2.0" || Self.isInSwagger(place, schema) {
        let result = validator.validate(request)
        #expect(result.checked > 0, "\(version) \(spelling) \(place)")
        note(place, result.findings.isEmpty)
      }
      let generator = SampleGenerator(schemas: library, seed: "0")
      note("sample", generator.sample(of: try #require(components["Null"]), direction: .request)?.isNull == true)
      if schema.contains("null]"), schema.contains("type: integer") {
        let findings = Linter.lint(validator.contract.api).filter { $0.rule.id == "spec.schema.unsatisfiable" }
        note("lint", findings.isEmpty)
      }
    }
    #expect(disagreements == [])
  }

  /// Whether Swagger 2.0 can have a schema at a place: it has neither cookies nor styles.
  private static func isInSwagger(_ place: String, _ schema: String) -> Bool {
    switch place {
    case "cookie", "path": false
    case "query", "header", "form", "multipart": isInline(schema)
    default: true
    }
  }

  /// Whether a parameter of Swagger 2.0, which is not a schema, can be written so.
  private static func isInline(_ schema: String) -> Bool { schema.hasPrefix("{type: ") && !schema.contains("$ref") }

  private static func contract(_ version: String, _ schema: String) -> String {
    let isOld = version == "2.0"
    let home = isOld ? "#/definitions" : "#/components/schemas"
    let subject = schema.replacing("HOME", with: home)
    let inline = isInline(schema) ? String(subject.dropFirst().dropLast()) : "type: integer"
    let object = "{type: object, xml: {name: r}, properties: {v: \(subject), w: {type: string}}}"
    let schemas = """
      {Subject: \(subject), Null: {allOf: [\(subject), {enum: [null]}]}, Plain: {type: integer},
       Nullable: {type: integer, nullable: true}, XNullable: {type: integer, x-nullable: true}}
      """
    func operation(_ rest: String) -> String { "{responses: {'200': {description: OK}}, \(rest)}" }
    if isOld {
      return """
        swagger: "2.0"
        info: {title: Null, version: "1"}
        definitions: \(schemas)
        paths:
          /body: {post: \(operation("consumes: [application/json, application/xml], parameters: [{name: b, in: body, schema: \(object)}]"))}
          /query: {get: \(operation("parameters: [{name: v, in: query, \(inline)}]"))}
          /header: {get: \(operation("parameters: [{name: X-V, in: header, \(inline)}]"))}
          /form:
            post: \(operation("consumes: [application/x-www-form-urlencoded, multipart/form-data], parameters: [{name: v, in: formData, \(inline)}, {name: w, in: formData, type: string}]"))
        """
    }
    let body = ["application/json", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data"]
    let content = "requestBody: {content: {\(body.map { "\($0): {schema: \(object)}" }.joined(separator: ", "))}}"
    return """
      openapi: \(version)
      info: {title: Null, version: "1"}
      components: {schemas: \(schemas)}
      paths:
        /body: {post: \(operation(content))}
        /form: {post: \(operation(content))}
        /query: {get: \(operation("parameters: [{name: v, in: query, schema: \(subject)}]"))}
        /header: {get: \(operation("parameters: [{name: X-V, in: header, schema: \(subject)}]"))}
        /cookie: {get: \(operation("parameters: [{name: v, in: cookie, schema: \(subject)}]"))}
        /path/{v}: {get: \(operation("parameters: [{name: v, in: path, required: true, style: matrix, schema: \(subject)}]"))}
      """
  }
}
