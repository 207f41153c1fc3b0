import Foundation
import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// `--write-overlay`: what a contract lacks, as an OpenAPI Overlay 1.0.
struct ContractOverlayTests {
  private static let contract = ContractFixture.text(
    paths: """
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readPet
            responses:
              "200":
                description: A pet.
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      components:
        schemas:
          Pet:
            type: object
            additionalProperties: false
            properties:
              name: {type: string}
              status: {enum: [available, sold]}
              owner: {type: object, additionalProperties: false, properties: {nick: {type: string}}}

      """)

  private static let session: [(request: String, answer: String)] = [
    ("GET /pets/1", #"200 {"name": "a", "status": "available"}"#),
    ("GET /pets/2", #"200 {"name": "b", "status": "reserved", "born": "2026-01-01", "owner": {"age": 3}}"#),
    ("GET /pets/3", #"418 {"reason": "teapot"}"#), ("GET /dogs/7", #"200 {"breed": "pug"}"#),
  ]

  private func overlay(
    of contract: String = contract, _ exchanges: [(request: String, answer: String)]
  ) throws -> String? {
    var session = RecordedSession(contract: contract)
    session.settings.wantsOverlay = true
    return try session.record(exchanges).report.overlays.first?.text
  }

  @Test func `a secret is hidden in the answers before the request that shows it to be one`() throws {
    let text = try overlay([
      ("GET /notes", #"200 {"text": "autumn-meadow-42"}"#), ("GET /dogs?access_token=autumn-meadow-42", "200 {}"),
    ])
    #expect(text?.contains("text:") == true)
    #expect(text?.contains("autumn-meadow-42") == false, "\(text ?? "")")
  }

  @Test func `an overlay adds paths, statuses, fields and values`() throws {
    #expect(
      try overlay(Self.session) == """
        overlay: "1.0.0"
        info:
          title: What api lacks
          version: "0.1.0"
        actions:
          - target: $.paths
            description: operations that the contract lacks
            update:
              "/dogs/{dogId}":
                get:
                  operationId: getDogsById
                  parameters:
                    - name: dogId
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
                              breed:
                                type: string
                          example:
                            breed: pug
          - target: "$.paths['/pets/{id}'].get.responses"
            description: undocumented statuses
            update:
              "418":
                description: Status 418
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        reason:
                          type: string
                    example:
                      reason: teapot
          - target: $.components.schemas.Pet
            description: undocumented fields
            update:
              properties:
                born:
                  type: string
                  format: date
          - target: $.components.schemas.Pet.properties.owner
            description: undocumented fields
            update:
              properties:
                age:
                  type: number
          - target: $.components.schemas.Pet.properties.status.enum
            description: an undocumented value
            update: reserved

        """)
  }

  @Test func `a contract with its overlay documents the whole recording`() throws {
    let overlay = try #require(try overlay(Self.session))
    let extended = try OverlayApplication.apply(overlay, to: Self.contract)
    let contract = try ContractFixture(extended).contract()
    let validator = TrafficValidator([contract.compiled], rules: RuleSettings(), scope: TrafficScope([contract.api]))
    for (index, exchange) in Self.session.enumerated() {
      let entry = try RecordedSession.entry(exchange.request, exchange.answer, index)
      guard case .validated(let result) = validator.validate(entry, isOwn: true) else {
        Issue.record("\(exchange.request) is not in the contract:\n\(extended)")
        continue
      }
      #expect(result.request.isValid && result.answer.isValid, "\(exchange.request): \(result.answer.findings)")
    }
    #expect(try self.overlay(of: extended, Self.session) == nil)
  }

  @Test func `an operation that a path lacks goes to that path, under an id of its own`() throws {
    let contract = Self.contract.replacing("operationId: readPet", with: "operationId: deletePetsById")
    let session = [
      (request: "DELETE /pets/tom", answer: "204"), (request: "DELETE /pets/7", answer: "204"),
      (request: "PUT /pets/7 {}", answer: "204"),
    ]
    let overlay = try #require(try overlay(of: contract, session))
    let extended = try ContractFixture(OverlayApplication.apply(overlay, to: contract)).read()
    #expect(extended.diagnostics.map(\.message) == [], "\(overlay)")
    #expect(
      extended.api?.operations.map { "\($0.method) \($0.path) \($0.id)" }.sorted() == [
        "DELETE /pets/{id} deletePetsById2", "GET /pets/{id} deletePetsById", "PUT /pets/{id} putPetsById",
      ], "\(overlay)")
  }

  @Test func `a contract that lacks nothing has no overlay`() throws {
    #expect(try overlay([("GET /pets/1", #"200 {"name": "a", "status": "sold"}"#)]) == nil)
  }

  @Test func `the keys of a map are not fields`() throws {
    let tags = "tags: {type: object, additionalProperties: {type: integer}}"
    let contract = Self.contract.replacing("name: {type: string}\n", with: "name: {type: string}\n        \(tags)\n")
    #expect(try overlay(of: contract, [("GET /pets/1", #"200 {"name": "a", "tags": {"x": 1, "y": 2}}"#)]) == nil)
  }
}

/// Applies overlays whose targets are paths of names: `$.paths['/pets'].get`.
enum OverlayApplication {
  static func apply(_ overlay: String, to contract: String) throws -> String {
    var root = try value(contract)
    let actions = try #require((value(overlay) as? [String: Any])?["actions"] as? [[String: Any]])
    for action in actions {
      let target = try #require(action["target"] as? String)
      root = merge(try #require(action["update"]), into: root, at: names(target)[...])
    }
    return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
  }

  private static func value(_ text: String) throws -> Any {
    let root = try TextDocument.read(SourceFile(path: "a.yaml", bytes: Array(text.utf8))).root
    return try JSONSerialization.jsonObject(with: Data(JSONWriter.text(root).utf8), options: .fragmentsAllowed)
  }

  private static func names(_ target: String) -> [String] {
    target.matches(of: /\.([A-Za-z_]+)|\['([^']*)'\]/).map { String($0.output.1 ?? $0.output.2 ?? "") }
  }

  /// Overlay 1.0, 4.4.3: an object is merged into an object, and a value appended to an array.
  private static func merge(_ update: Any, into node: Any, at path: ArraySlice<String>) -> Any {
    if let name = path.first {
      var object = node as? [String: Any] ?? [:]
      object[name] = merge(update, into: object[name] ?? [:] as [String: Any], at: path.dropFirst())
      return object
    }
    if let list = node as? [Any] { return list + [update] }
    guard var object = node as? [String: Any], let members = update as? [String: Any] else { return update }
    for (name, member) in members { object[name] = object[name].map { merge(member, into: $0, at: []) } ?? member }
    return object
  }
}
