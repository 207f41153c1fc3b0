import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct ExampleVerifierTests {
  /// A contract with marks (`↓`) before every example that does not fit.
  @Test(arguments: [
    // Answers, by `example` and by name, with a value and with a file.
    """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          responses:
            "200":
              description: OK
              headers:
                X-Total: {schema: {type: integer}, example: 4}
                X-Next: {schema: {type: integer}, example: ↓next}
              content:
                application/json:
                  schema: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}
                  examples:
                    two: {value: [{id: 1}, {id: 2}]}
                    text: {value: [{id: 1}, {id: ↓two}]}
                    bare: {value: [↓{}]}
                text/plain:
                  schema: {type: integer}
                  example: "42"
                text/csv:
                  example: "a,b"
            4XX:
              description: No
              content: {application/json: {schema: {type: string}, example: ↓4}}
    """,
    // Parameters: the value or the text on the wire.
    """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets/{id}:
        get:
          parameters:
            - {name: id, in: path, required: true, schema: {type: string}, example: 12}
            - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}, example: "1,2"}
            - {name: all, in: query, schema: {type: array, items: {type: integer}}, example: all=1&all=2}
            - {name: list, in: query, schema: {type: array, items: {type: integer}}, example: [1, 2]}
            - {name: some, in: query, schema: {type: array, items: {type: integer}}, example: [1, ↓b]}
            - {name: size, in: query, schema: {type: integer}, examples: {a: {value: 3}, b: {value: ↓large}}}
            - {name: X-Day, in: header, schema: {type: string, format: date}, example: ↓today}
          responses: {"200": {description: OK}}
    """,
    // Requests: what only the server sends need not be there.
    """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        post:
          requestBody:
            content:
              application/json:
                schema: &pet {type: object, required: [id, name, pin], properties: {id: {type: integer, readOnly: true}, name: {type: string}, pin: {type: string, writeOnly: true}}}
                example: {name: Tom, pin: "1"}
          responses:
            "200":
              description: OK
              content:
                application/json: {schema: *pet, example: {id: 1, name: Tom}}
                application/problem+json: {schema: *pet, example: ↓{name: Tom, pin: "1"}}
    """,
    // Examples and defaults within schemas.
    """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    x-understudy: {formats: assert}
    paths: {}
    components:
      schemas:
        Pet:
          type: object
          required: [id, name]
          properties:
            id: {type: integer, readOnly: true, example: 3}
            name: {type: string, examples: [Tom, ↓7]}
            kind: {type: string, enum: [cat, dog], default: ↓cow}
            born: {type: string, format: date-time, example: ↓"2021-04-18"}
          example: {name: Tom}
    """,
    // Swagger 2.0: answers by media type, parameters by extension.
    """
    swagger: "2.0"
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          produces: [application/json]
          parameters:
            - {name: size, in: query, type: integer, x-example: ↓large}
            - {name: page, in: query, type: integer, default: ↓first}
          responses:
            "200":
              description: OK
              schema: {type: object, properties: {id: {type: integer}}}
              examples: {application/json: {id: ↓one}}
    """,
    // A request that is meant to be refused: it shares its name with an example of a 4xx.
    """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        post:
          requestBody:
            content:
              application/json:
                schema: {type: object, required: [name]}
                examples: {good: {value: {name: Tom}}, nameless: {value: {}}, wrong: {value: ↓{}}}
          responses:
            "200": {description: OK, content: {application/json: {schema: {}, examples: {good: {value: 1}, wrong: {value: 2}}}}}
            "422": {description: No, content: {application/json: {schema: {}, examples: {nameless: {value: 1}}}}}
    """,
    // Text on the wire, as 3.2 has it.
    """
    openapi: 3.2.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          responses:
            "200":
              description: OK
              content:
                application/json:
                  schema: {type: object, required: [id]}
                  examples:
                    data: {dataValue: {id: 1}}
                    wire: {serializedValue: '{"id": 1}'}
                    torn: ↓{serializedValue: '{"id":'}
    """,
  ]) func `an invalid example is reported at the value that breaks its schema`(contract: String) async throws {
    let verified = try await ContractFixture(contract).verified()
    let reported = verified.report.findings.filter { $0.rule == "example.schema" }
    let places = reported.compactMap { finding in
      finding.location?.line.map { "api.yaml \($0):\(finding.location?.column ?? 0)" }
    }
    #expect(Set(places).sorted() == verified.marks.sorted())
    #expect(reported.allSatisfy { $0.severity == .warning && $0.owner == .contract })
  }

  @Test func `the file of an external example is validated, and a missing one is reported`() async throws {
    let contract = """
      openapi: 3.0.3
      info: {title: Pets, version: "1"}
      paths:
        /pets:
          get:
            responses:
              "200":
                description: OK
                content:
                  application/json:
                    schema: {type: object, required: [id]}
                    examples:
                      good: {externalValue: good.json}
                      bad: {externalValue: bad.json}
                      gone: {externalValue: gone.json}
                      far: {externalValue: "https://example.com/far.json"}
      """
    let verified = try await ContractFixture(contract, files: ["good.json": #"{"id": 1}"#, "bad.json": "{}"]).verified()
    #expect(verified.rules == ["example.external", "example.schema"])
    #expect(verified.report.notValidated.map(\.reason) == ["`https://example.com/far.json` is on another machine"])
  }

  @Test func `JSON within a string is reported once, with advice`() async throws {
    let operation = """
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: OK
          content: {application/json: {schema: {type: object}, example: '{"id": 1}'}}
      """
    let verified = try await ContractFixture(operation: operation, version: "3.0.3").verified()
    #expect(verified.report.findings.map(\.help) == ["this is JSON inside a string: write it as data"])
  }

  @Test func `names without a partner are reported where names pair`() async throws {
    func contract(_ requests: String, _ responses: String) -> String {
      """
      openapi: 3.0.3
      info: {title: Pets, version: "1"}
      paths:
        /pets:
          post:
            requestBody: {content: {application/json: {schema: {}, examples: {\(requests)}}}}
            responses:
              "200": {description: OK, content: {application/json: {schema: {}, examples: {\(responses)}}}}
      """
    }
    let paired = try await ContractFixture(
      contract(
        "cat: {value: 1}, dog: {value: 2}, cow: ↓{value: 3}", "cat: {value: 1}, dog: {value: 2}, pig: ↓{value: 3}")
    ).verified()
    #expect(paired.rules == ["example.pair.unmatched", "example.pair.unmatched"])
    #expect(paired.places == paired.marks.sorted())
    let apart = try await ContractFixture(
      contract("cat: {value: 1}, dog: {value: 2}", "cat: {value: 1}, pig: {value: 2}")
    ).verified()
    #expect(apart.rules == [])
  }

  @Test func `an example that several operations share is validated once`() async throws {
    let contract = """
      openapi: 3.0.3
      info: {title: Pets, version: "1"}
      paths:
        /a: {get: {parameters: [{$ref: "#/components/parameters/size"}], responses: {"200": {description: OK}}}}
        /b: {get: {parameters: [{$ref: "#/components/parameters/size"}], responses: {"200": {description: OK}}}}
      components:
        parameters:
          size: {name: size, in: query, schema: {type: integer}, example: ↓large}
      """
    let verified = try await ContractFixture(contract).verified()
    #expect(verified.rules == ["example.schema"])
  }
}
