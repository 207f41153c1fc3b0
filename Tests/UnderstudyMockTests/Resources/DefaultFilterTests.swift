import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Filters of lists that requests leave out, and that have defaults.
struct DefaultFilterTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: findPets
          parameters:
            - {name: status, in: query, schema: {type: string, default: free}}
            - {name: kind, in: query, schema: {type: string}}
            - {name: limit, in: query, schema: {type: integer, default: 10}}
          responses:
            "200":
              description: ok
              headers: {X-Total-Count: {schema: {type: integer}}}
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
                  example:
                    - {id: 1, status: free, kind: dog}
                    - {id: 2, status: sold, kind: dog}
                    - {id: 3, status: sold, kind: cat}
        post:
          operationId: addPet
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
          responses:
            "201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
    components:
      schemas:
        Pet: {type: object, properties: {id: {type: integer}, status: {type: string}, kind: {type: string}}}

    """

  @Test(arguments: [
    ("/pets", "pets, 1 of 1, 2 hidden by the default of status", "1"),
    ("/pets?kind=dog", "pets, 1 of 1, 1 hidden by the default of status", "1"),
    ("/pets?status=sold", "pets, 2 of 2", "2"), ("/pets?status=free&kind=cat", "pets, 0 of 0", "0"),
  ]) func `a list counts the items that only a default filters out`(
    path: String, action: String, total: String
  ) throws {
    try ContractFixture(Self.contract).withMock(configure: { $0.isStateful = true }) { mock in
      let reply = LaneClient(mock).send(path)
      #expect(reply.reason == "resource \(action)")
      #expect(reply.header("X-Total-Count") == total)
    }
  }
}
