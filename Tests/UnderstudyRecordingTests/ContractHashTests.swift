import Testing
import UnderstudyRecording
import UnderstudyTestSupport
import UnderstudyVerification

/// When a recorded fixture is stale: the contract says something else about its operation since.
struct ContractHashTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Users, version: "1"}
    paths:
      /user:
        get:
          operationId: readUser
          responses:
            "200":
              description: A user.
              content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}
    components:
      schemas:
        User:
          type: object
          required: [id]
          properties: {id: {type: string}, friend: {$ref: "#/components/schemas/User"}, description: {type: string}}
    """

  private func hash(_ contract: String) throws -> String {
    try #require(try ContractFixture(contract).contract().compiled.operations.first).contractHash
  }

  @Test(arguments: [
    ("required: [id]", "required: [id, friend]"), ("id: {type: string}", "id: {type: integer}"),
    ("description: {type: string}", "description: {type: integer}"), (#""200":"#, #""201":"#),
  ]) func `a change of what is sent, or of a schema that it refers to, makes another hash`(
    old: String, new: String
  ) throws {
    let changed = Self.contract.replacing(old, with: new)
    #expect(changed != Self.contract)
    #expect(try hash(changed) != hash(Self.contract))
  }

  @Test(arguments: [
    ("operationId: readUser", "operationId: readUser\n      deprecated: true"),
    ("description: A user.", "description: The user."), ("type: object", "description: Anybody.\n      type: object"),
  ]) func `words alone make no other hash`(old: String, new: String) throws {
    let changed = Self.contract.replacing(old, with: new)
    #expect(changed != Self.contract)
    #expect(try hash(changed) == hash(Self.contract))
  }

  @Test func `a chain of references may be longer than the stack is deep`() throws {
    let links = 20_000
    let schemas = (0..<links).map { "    S\($0): {properties: {next: {$ref: \"#/components/schemas/S\($0 + 1)\"}}}" }
    func contract(_ last: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Long, version: "1"}
      paths:
        /user:
          get:
            operationId: readUser
            responses:
              "200":
                description: A user.
                content: {application/json: {schema: {$ref: "#/components/schemas/S0"}}}
      components:
        schemas:
      \(schemas.joined(separator: "\n"))
          S\(links): {type: \(last)}
      """
    }
    #expect(try hash(contract("string")) != hash(contract("integer")))
  }
}
