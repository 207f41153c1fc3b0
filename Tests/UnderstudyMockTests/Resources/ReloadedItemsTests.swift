import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The items of clients after a reload.
struct ReloadedItemsTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths:
      /pets:
        get:
          operationId: findPets
          responses:
            "200":
              description: ok
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
                  example: [{id: 1, name: Rex}]
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
      /toys:
        get:
          operationId: findToys
          responses:
            "200":
              description: ok
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Toy"}}
                  example: [{id: 1, label: Ball}]
        post:
          operationId: addToy
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Toy"}}}}
          responses:
            "201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Toy"}}}}
      /toys/{id}:
        get:
          operationId: readToy
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Toy"}}}}
    components:
      schemas:
        Pet: {type: object, properties: {id: {type: integer}, name: {$ref: "#/components/schemas/Name"}}}
        Toy: {type: object, properties: {id: {type: integer}, label: {type: string}}}
        Name: {type: string}

    """

  private func mock(_ text: String) throws -> Mock {
    var options = Mock.Options()
    options.isStateful = true
    return Mock(contracts: [try Contract(text, name: "shop")], options: options)
  }

  private func list(_ path: String, of mock: Mock, in state: inout LaneState) -> String {
    mock.reply(to: HTTPRequest(method: .get, scheme: "http", authority: "a", path: path), in: &state).text
  }

  @Test(arguments: [
    ("title: a", "title: b", ""), ("name: Rex", "name: Max", "pets"),
    ("Name: {type: string}", "Name: {type: string, maxLength: 9}", "pets"),
    ("label: {type: string}", "label: {type: string, maxLength: 9}", "toys"),
  ]) func `only collections with other seeds or another schema begin anew`(
    before: String, after: String, reset: String
  ) throws {
    let (old, new) = (try mock(Self.contract), try mock(Self.contract.replacing(before, with: after)))
    var state = old.newState()
    for (path, body) in [("/pets", #"{"name": "Tom"}"#), ("/toys", #"{"label": "Bone"}"#)] {
      var request = HTTPRequest(method: .post, scheme: "http", authority: "a", path: path)
      request.headerFields[.contentType] = "application/json"
      #expect(old.reply(to: request, body: Array(body.utf8), in: &state).status == 201)
    }
    let kept = new.reloadedItems(of: state, from: old, playing: nil)
    let expected: Set<String> = reset.isEmpty ? [] : [reset]
    #expect(kept.reset == expected)
    var next = new.newState()
    next.resources = kept.items
    let (pets, toys) = (list("/pets", of: new, in: &next), list("/toys", of: new, in: &next))
    #expect(pets.contains("Tom") == (reset != "pets"))
    #expect(toys.contains("Bone") == (reset != "toys"))
    #expect(pets.contains(before == "name: Rex" ? "Max" : "Rex"))
  }
}
