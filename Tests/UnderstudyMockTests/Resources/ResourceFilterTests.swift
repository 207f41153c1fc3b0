import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Filters, order and links that a contract declares.
struct ResourceFilterTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Things, version: "1"}
    x-understudy: {stateful: true}
    paths:
      /things:
        get:
          operationId: listThings
          parameters:
            - {name: name_like, in: query, schema: {type: string}}
            - {name: size_ne, in: query, schema: {type: integer}}
            - {name: owner.name, in: query, schema: {type: string}}
            - {name: name_in, in: query, schema: {type: string}}
            - {name: other_like, in: query, schema: {type: string}}
            - {name: q, in: query, schema: {type: string}}
            - {name: sort, in: query, schema: {type: string}}
            - {name: order, in: query, schema: {type: string}}
            - {name: page, in: query, schema: {type: integer}}
            - {name: limit, in: query, schema: {type: integer}}
            - name: filter
              in: query
              schema: {type: object, properties: {size: {type: integer}}, additionalProperties: {type: string}}
          responses:
            "200":
              description: d
              headers: {Link: {schema: {type: string}}}
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}
                  example:
                    - {id: 1, name: Ant, size: 3, owner: {name: Ada}}
                    - {id: 2, name: Bee, size: 3, owner: {name: Bob}}
                    - {id: 3, name: Cat, size: 1, owner: {name: Ada}}
        post:
          operationId: makeThing
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
          responses: {"201": {description: d}}
      /things/{id}:
        get:
          operationId: readThing
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
    components:
      schemas:
        Thing:
          type: object
          properties:
            id: {type: integer}
            name: {type: string}
            size: {type: integer}
            owner: {type: object, properties: {name: {type: string}}}
    """

  @Test(arguments: [
    ("name_like=A", "1 3"), ("size_ne=3", "3"), ("owner.name=Ada", "1 3"), ("name_in=Ant,Bee", "1 2"),
    ("other_like=A", "1 2 3"), ("q=bob", "2"), ("sort=size,-name", "3 2 1"), ("sort=size&order=desc", "1 2 3"),
    ("sort=size desc,name", "1 2 3"), ("order=-id", "3 2 1"), ("size=1", "3"), ("unknown=1", "1 2 3"),
  ])
  func `a declared parameter filters or orders the items`(_ query: String, _ expected: String) throws {
    let mock = try ContractFixture(Self.contract).mock()
    let reply = mock.send("/things?\(query.replacing(" ", with: "%20"))")
    let ids = try JSONParser.parse(reply.body).root.elements.map { $0["id"]?.plainText ?? "-" }
    #expect(ids.joined(separator: " ") == expected)
  }

  @Test func `a page has the documented links`() throws {
    let mock = try ContractFixture(Self.contract).mock()
    #expect(
      mock.send("/things?page=2&limit=1").header("Link")
        == "</things?limit=1&page=1>; rel=\"first\", </things?limit=1&page=1>; rel=\"prev\", "
        + "</things?limit=1&page=3>; rel=\"next\", </things?limit=1&page=3>; rel=\"last\"")
    #expect(mock.send("/things?page=2").header("Link") == nil)
  }
}
