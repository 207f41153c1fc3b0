import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// Variants that are branches of alternatives.
struct VariantNameTests {
  private static let contract = ContractFixture.text(
    paths: """
        /tagged:
          get:
            operationId: tagged
            responses: {"200": {description: A pet., content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
        /plain:
          get:
            operationId: plain
            responses:
              "200":
                description: A pet, a fault or a list.
                content:
                  application/json:
                    schema:
                      anyOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Fault"},
                        {title: list of pets, type: array}, {type: integer}]
        /nested:
          get:
            operationId: nested
            responses:
              "200":
                description: A visit.
                content:
                  application/json:
                    schema:
                      properties:
                        pet: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Fault"}, {type: "null"}]}
                        all: {type: array, items: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Fault"}]}}
      components:
        schemas:
          Pet:
            oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]
            discriminator:
              propertyName: kind
              mapping: {kitty: "#/components/schemas/Cat", Dog: "#/components/schemas/Dog"}
          Cat: {type: object, required: [kind, lives], properties: {kind: {type: string}, lives: {type: integer}}}
          Dog: {type: object, required: [kind, barks], properties: {kind: {type: string}, barks: {type: boolean}}}
          Fault: {type: object, required: [fault], properties: {fault: {type: string}}}

      """)

  @Test(arguments: [
    ("tagged", #"{"kind": "Dog", "barks": true}"#, #"{"kind": "kitty", "lives": 9}"#, "kitty"),
    ("tagged", #"{"kind": "kitty", "lives": 9}"#, #"{"kind": "Dog", "barks": true, "more": 1}"#, "dog"),
    ("plain", #"{"kind": "cat", "lives": 9}"#, #"{"fault": "down"}"#, "fault"),
    ("plain", #"{"fault": "down"}"#, #"{"kind": "cat", "lives": 9}"#, "cat"),
    ("plain", #"{"fault": "down"}"#, "[1]", "listOfPets"),
    // A branch without a name has no name to give.
    ("plain", #"{"fault": "down"}"#, "7", "number"),
    ("nested", #"{"pet": {"kind": "cat", "lives": 9}}"#, #"{"pet": {"fault": "gone"}}"#, "petFault"),
    ("nested", #"{"pet": {"kind": "cat", "lives": 9}}"#, #"{"pet": null}"#, "nullPet"),
    ("nested", #"{"all": [{"kind": "cat", "lives": 9}]}"#, #"{"all": [{"fault": "gone"}]}"#, "allFault"),
  ])
  func `another branch names the variant`(_ id: String, _ first: String, _ second: String, _ name: String) throws {
    var session = RecordedSession(contract: Self.contract)
    session.settings.infersWhen = false
    let files = try session.record([("GET /\(id)", "200 \(first)"), ("GET /\(id)", "200 \(second)")]).files
    #expect(
      files.keys.filter { $0.hasPrefix("\(id)/200.") }.sorted()
        == ["\(id)/200.json", "\(id)/200.\(name).json"].sorted(),
      "\(files.keys)")
  }
}
