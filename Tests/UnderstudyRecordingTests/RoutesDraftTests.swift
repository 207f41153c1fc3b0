import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Drafts of contracts from routes files.
struct RoutesDraftTests {
  private static func draft(_ routes: String) throws -> String {
    let contract = try ContractFixture(contracts: ["routes.yaml": "routes:\n" + routes]).contract()
    return ContractDraft(of: [contract]).yaml(title: "Shop")
  }

  @Test func `schemas, parameters and headers follow from the replies and their conditions`() throws {
    let yaml = try Self.draft(
      """
        GET /users/{id:[0-9]+}: {200: {json: {id: "{{request.path.id}}", tags: [a]}}, 404: {json: {error: none}}}
        POST /users: {201: {headers: {Location: /users/1}}}
        GET /search:
          - {when: {query: {q: cats}}, json: [{name: Tom}]}
          - {json: []}
      """)
    #expect(
      yaml == """
        openapi: "3.1.0"
        info:
          title: Shop
          version: "0.1.0"
        paths:
          /search:
            get:
              operationId: getSearch
              parameters:
                - name: q
                  in: query
                  schema:
                    type: string
              responses:
                "200":
                  description: OK
                  content:
                    application/json:
                      schema:
                        type: array
                        items:
                          type: object
                          properties:
                            name:
                              type: string
                      example:
                        - name: Tom
          /users:
            post:
              operationId: postUsers
              responses:
                "201":
                  description: Created
                  headers:
                    Location:
                      schema:
                        type: string
          "/users/{id}":
            get:
              operationId: getUsersById
              parameters:
                - name: id
                  in: path
                  required: true
                  schema:
                    type: integer
              responses:
                "200":
                  description: OK
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          id:
                            type: string
                          tags:
                            type: array
                            items:
                              type: string
                      example:
                        id: "123"
                        tags:
                          - a
                "404":
                  description: Not Found
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          error:
                            type: string
                      example:
                        error: none

        """)
  }

  @Test func `a draft is a contract without findings`() throws {
    let yaml = try Self.draft("  GET /a/{x}.json: {json: 1}\n  /static/{kind}/*: {json: {}}\n  DELETE /a/{x}: 204\n")
    let (api, diagnostics) = ContractFixture(yaml).read()
    #expect(api != nil && diagnostics.map(\.message) == [])
  }
}
