import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Bodies that three versions of the specification describe in their own words.
struct TwinBodyTests {
  static let schema = """
    {type: object, required: [name], properties: {name: {type: string, minLength: 2}, age: {type: integer}}}
    """

  static let contracts =
    [
      """
      swagger: "2.0"
      info: {title: T, version: "1"}
      paths:
        /json:
          post:
            consumes: [application/json]
            parameters: [{name: pet, in: body, required: true, schema: \(schema)}]
            responses: {200: {description: OK}}
        /form:
          post:
            consumes: [application/x-www-form-urlencoded]
            parameters:
              - {name: name, in: formData, required: true, type: string, minLength: 2}
              - {name: ids, in: formData, type: array, items: {type: integer}, collectionFormat: multi}
            responses: {200: {description: OK}}
      """
    ]
    + ["3.0.4", "3.1.0", "3.2.0"].map { version in
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
        /json:
          post:
            requestBody: {required: true, content: {application/json: {schema: \(schema)}}}
            responses: {"200": {description: OK}}
        /form:
          post:
            requestBody:
              required: true
              content:
                application/x-www-form-urlencoded:
                  schema:
                    type: object
                    required: [name]
                    properties:
                      name: {type: string, minLength: 2}
                      ids: {type: array, items: {type: integer}}
            responses: {"200": {description: OK}}
      """
    }

  @Test(
    arguments: [
      ("json", "", ["req.body.missing /body"]),
      ("json", "{\"name\":\"ab\"}", []), ("json", "{\"name\":\"ab\",\"age\":1.0}", []),
      ("json", "{\"name\":\"a\"}", ["req.body.schema /body/name"]), ("json", "{}", ["req.body.schema /body"]),
      ("json", "{\"name\":\"ab\",\"age\":\"x\"}", ["req.body.schema /body/age"]),
      ("json", "{\"name\":null}", ["req.body.schema /body/name"]), ("json", "[", ["req.body.unparsable /body"]),
      ("json", "name=ab", ["req.body.unparsable /body"]),
      ("form", "name=ab&ids=1&ids=2", []), ("form", "name=a", ["req.body.schema /body/name"]),
      ("form", "ids=1", ["req.body.schema /body"]), ("form", "name=ab&ids=x", ["req.body.schema /body/ids"]),
      ("form", "name=ab&ids[]=1", ["req.param.encoding /body/ids[]"]),
      ("form", "name=%zz", ["req.param.encoding /body/name"]), ("form", "", ["req.body.missing /body"]),
    ] as [(String, String, [String])])
  func `a body is right or wrong by every version`(path: String, body: String, places: [String]) throws {
    let type = path == "json" ? "application/json" : "application/x-www-form-urlencoded"
    for contract in Self.contracts {
      #expect(
        try ContractFixture(contract).validator().validate("POST /\(path)\nContent-Type: \(type)\n\n\(body)").places
          == places,
        "\(contract.prefix(14))")
    }
  }
}
