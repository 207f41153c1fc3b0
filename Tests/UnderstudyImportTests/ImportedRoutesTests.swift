import Testing
import UnderstudyTestSupport

@testable import UnderstudyImport

/// Small files of each tool, as routes.
struct ImportedRoutesTests {
  /// The routes file, and the remarks as `kind feature`.
  private func routes(_ text: String, _ tool: ForeignTool) throws -> (yaml: String, remarks: [String]) {
    try withProject(["a.json": text]) { folder in
      let input = try ImportInput.read("\(folder)/a.json")
      #expect(input.tool == tool)
      let output = ImportOutput(Importer.read([input], of: tool), name: tool.rawValue, title: tool.title)
      let file = output.files.first { $0.path == output.routes }
      return (
        String(decoding: file?.bytes ?? [], as: UTF8.self), output.remarks.map { "\($0.kind.rawValue) \($0.feature)" }
      )
    }
  }

  @Test func `conditions of WireMock keep their meaning`() throws {
    let (yaml, remarks) = try routes(
      """
      {"request": {"method": "POST", "urlPathTemplate": "/pets/{id}",
        "queryParameters": {"a": {"equalTo": "X", "caseInsensitive": true}},
        "headers": {"B": {"doesNotMatch": "x.*"}}, "cookies": {"c": {"absent": true}},
        "bodyPatterns": [{"equalToJson": {"id": "${json-unit.ignore}", "n": 1}, "ignoreArrayOrder": true},
          {"matchesJsonPath": {"expression": "$.n", "equalTo": "1"}}]},
       "response": {"status": 202, "fault": "CONNECTION_RESET_BY_PEER", "transformers": ["response-template"],
         "body": "{{request.path.id}} {{jsonPath request.body '$.n'}} {{now offset='1 days' format='unix'}}"}}
      """, .wiremock)
    #expect(
      yaml == """
        # Imported from WireMock.
        routes:
          "POST /pets/{id}":
            status: 202
            when:
              query:
                a:
                  matches: "^[Xx]$"
              cookie:
                c: null
              body:
                $:
                  equalsJson:
                    id: "${json-unit.ignore}"
                    "n": 1
                  ignore:
                    - $.id
                  ignoreOrder: true
                $.n: "1"
              not:
                header:
                  B:
                    matches: "^(?:x.*)$"
            fault: reset
            headers:
              Content-Type: null
            text: "{{request.path.id}} {{jsonPath request.body '$.n'}} {{now offset='1 days' format=epoch}}"
            template: true

        """)
    #expect(remarks == [])
  }

  @Test func `stubs of a pattern respond on the routes that the pattern covers`() throws {
    let (yaml, remarks) = try routes(
      """
      [{"request": {"method": "GET", "urlPathPattern": "/a/.*"}, "response": {"status": 404}},
       {"request": {"method": "GET", "urlPath": "/a/b", "headers": {"X": {"equalTo": "1"}}}, "response": {"status": 204}}]
      """, .wiremock)
    #expect(
      yaml
        == """
        # Imported from WireMock.
        routes:
          GET /a/b:
            - status: 204
              when:
                header:
                  X: "1"
            - status: 404
          "GET /*":
            status: 404
            when:
              path:
                "*":
                  matches: "^(?:a\\/.*)$"

        """.replacing("\\/", with: "/"))
    #expect(remarks == [])
  }

  @Test func `rules, templates and collections of Mockoon`() throws {
    let (yaml, remarks) = try routes(
      """
      {"lastMigration": 33, "endpointPrefix": "api", "latency": 10, "headers": [{"key": "X-A", "value": "1"}],
       "data": [{"id": "b", "value": "[{\\"id\\": 1}]"}],
       "routes": [
        {"type": "http", "method": "get", "endpoint": "users/:id", "responses": [
          {"statusCode": 200, "default": true, "body": "{{urlParam 'id'}} {{queryParam 'q' 'none'}}", "rules": []},
          {"statusCode": 404, "body": "", "rules": [{"target": "params", "modifier": "id", "value": "0", "operator": "equals"}]}]},
        {"type": "ws", "endpoint": "chat", "responses": []}]}
      """, .mockoon)
    #expect(
      yaml == """
        # Imported from Mockoon.
        routes:
          "GET /api/users/{id}":
            - status: 404
              when:
                path:
                  id: "0"
              delay: 10ms
              headers:
                X-A: "1"
            - status: 200
              delay: 10ms
              headers:
                X-A: "1"
                Content-Type: null
              text: "{{request.path.id}} {{default request.query.q 'none'}}"
              template: true

        """)
    #expect(remarks == ["lost WebSocket route"])
  }

  @Test func `saved responses of Postman`() throws {
    let (yaml, remarks) = try routes(
      """
      {"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [{"name": "folder", "item": [
        {"name": "pet", "request": {"method": "GET", "url": "{{base}}/pets/:id"}, "response": [
          {"name": "Found", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}], "body": "{}"},
          {"name": "Gone", "code": 404, "body": ""}]},
        {"name": "new", "request": {"method": "POST", "url": "{{base}}/pets"}, "response": []}]}]}
      """, .postman)
    #expect(
      yaml == """
        # Imported from Postman.
        routes:
          "GET /pets/{id}":
            - status: 200
              contentType: application/json
              text: "{}"
            - status: 404
              name: gone

        """)
    #expect(remarks == ["lost request without a saved response"])
  }

  @Test func `matchers and uses of MockServer`() throws {
    let (yaml, remarks) = try routes(
      """
      [{"httpRequest": {"method": "GET", "path": "/a/[0-9]+", "headers": {"X": ["!b"]}}, "httpResponse": {"body": {"a": 1}}},
       {"httpRequest": {"path": "/b"}, "httpForward": {"host": "example.com"}},
       {"httpRequest": {"path": "/c", "body": {"type": "JSON", "json": {"a": 1}}}, "httpError": {"dropConnection": true}}]
      """, .mockserver)
    #expect(
      yaml == """
        # Imported from MockServer.
        routes:
          "GET /a/{p2:[0-9]+}":
            status: 200
            when:
              not:
                header:
                  X: b
            contentType: application/json
            json:
              a: 1
          ANY /c:
            status: 200
            when:
              body:
                $:
                  containsJson:
                    a: 1
                  ignoreOrder: true
            fault: close

        """)
    #expect(remarks == ["lost forward"])
  }

  @Test func `interactions of Pact with matching rules`() throws {
    let (yaml, remarks) = try routes(
      """
      {"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [
        {"description": "a pet", "request": {"method": "post", "path": "/pets", "query": {"q": ["1"]}, "body": {"name": "Tom", "age": 3},
          "matchingRules": {"body": {"$.name": {"matchers": [{"match": "type"}]}}}},
         "response": {"status": 201, "body": {"id": 1}}}]}
      """, .pact)
    #expect(
      yaml == """
        # Imported from Pact.
        routes:
          POST /pets:
            status: 201
            name: a-pet
            when:
              query:
                q: "1"
              body:
                $:
                  equalsJson:
                    name: Tom
                    age: 3
                  ignore:
                    - $.name
                $.name:
                  schema:
                    type: string
            contentType: application/json
            json:
              id: 1

        """)
    #expect(remarks == [])
  }

  @Test func `matchers and templates of Hoverfly`() throws {
    let (yaml, remarks) = try routes(
      """
      {"data": {"pairs": [{"request": {"method": [{"matcher": "exact", "value": "GET"}], "path": [{"matcher": "exact", "value": "/a"}],
        "query": {"q": [{"matcher": "glob", "value": "x*"}]}, "destination": [{"matcher": "exact", "value": "a.example.com"}]},
        "response": {"status": 200, "body": "{{ Request.QueryParam.q }}", "templated": true, "fixedDelay": 20}}]}}
      """, .hoverfly)
    #expect(
      yaml == """
        # Imported from Hoverfly.
        routes:
          GET /a:
            status: 200
            when:
              query:
                q:
                  matches: "^x[\\\\s\\\\S]*$"
            delay: 20ms
            headers:
              Content-Type: null
            text: "{{request.query.q}}"
            template: true

        """)
    #expect(remarks == ["differs destination"])
  }
}
