import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// What the mock makes up as XML, its own validate must take.
struct XMLSampleTests {
  static let contract = """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          responses:
            "200":
              description: d
              content: {application/xml: {schema: {type: array, xml: {name: pets}, items: {$ref: "#/components/schemas/Pet"}}}}
      /pet:
        get:
          responses:
            "200":
              description: d
              content:
                application/xml:
                  schema: {$ref: "#/components/schemas/Pet"}
                  example: {id: 7, name: Rex, photos: [a, b], tags: [{id: 1}]}
    components:
      schemas:
        Pet:
          type: object
          required: [name, photos]
          xml: {name: pet}
          properties:
            id: {type: integer, xml: {attribute: true}}
            name: {type: string, minLength: 3}
            photos: {type: array, minItems: 1, xml: {wrapped: true}, items: {type: string, xml: {name: photo}}}
            tags: {type: array, items: {type: object, xml: {name: tag}, properties: {id: {type: integer}}}}
    """

  @Test func `the mock answers XML that its contract accepts`() throws {
    let engine = try ContractFixture(Self.contract).mock()
    let bench = try ContractFixture(Self.contract).validator()
    for path in ["/pets", "/pet", "/pets?__seed=3", "/pet?__dynamic=true&__seed=9"] {
      let (request, _) = TextValidator.request("GET \(path)")
      let reply = engine.reply(to: request, body: [])
      #expect(reply.header("Content-Type") == "application/xml")
      let body = String(decoding: reply.body, as: UTF8.self)
      let validation = bench.validate("GET \(path)", "200\nContent-Type: application/xml\n\n\(body)")
      #expect(validation.findings.filter { $0.severity == .error }.isEmpty, "\(body) \(validation.places)")
      #expect(validation.notValidated.isEmpty)
    }
    let (request, _) = TextValidator.request("GET /pet")
    #expect(
      String(decoding: engine.reply(to: request, body: []).body, as: UTF8.self).hasSuffix(
        "<pet id=\"7\"><name>Rex</name><photos><photo>a</photo><photo>b</photo></photos><tag><id>1</id></tag></pet>"))
  }
}
