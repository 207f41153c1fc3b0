import Testing
import UnderstudyTestSupport
import UnderstudyVerification

struct FixtureRepairTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          operationId: readPet
          responses:
            "200":
              description: OK
              content:
                application/json:
                  schema: {$ref: "#/components/schemas/Pet"}
                  example: {id: 12, name: Tom, born: "2021-04-18T00:00:00Z", owner: {nick: Ann}, day: "2021-04-18"}
    components:
      schemas:
        Pet:
          type: object
          required: [id, name, owner]
          properties:
            id: {type: integer}
            name: {type: string}
            born: {type: string, format: date-time}
            day: {type: string, format: date}
            owner: {type: object, required: [nick], properties: {nick: {type: string}, age: {type: integer}}}
            secret: {type: string, writeOnly: true}

    """

  /// The text of a fixture after its repair; `nil` where nothing is repaired.
  private func repaired(_ text: String, as file: String = "200.json", sorting: Bool = false) async throws -> String? {
    let fixture = ContractFixture(Self.contract, fixtures: ["readPet/\(file)": text])
    return try await fixture.repairs(sortingMembers: sorting).first.map { String(decoding: $0.new, as: UTF8.self) }
  }

  @Test func `a report counts the fixtures that can be repaired, and names the command`() async throws {
    let lacking = #"{"id": 1, "name": "Tom"}"#
    let broken = #"{"id": "x", "name": "Tom", "owner": {"nick": "Ann"}}"#
    let fixtures = ["readPet/200.json": lacking, "readPet/200.other.json": lacking, "readPet/200.wrong.json": broken]
    let report = try await ContractFixture(Self.contract, fixtures: fixtures).verified().report
    #expect(report.remarks == ["2 fixtures of api can be repaired: `understudy verify --fix`"])
    let rest = try await ContractFixture(Self.contract, fixtures: ["readPet/200.json": broken]).verified().report
    #expect(rest.remarks == [])
  }

  @Test(arguments: [
    // Missing members come from the contract's example, laid out as the others.
    (#"{"id": 1, "name": "Tom"}"#, #"{"id": 1, "name": "Tom", "owner": {"nick":"Ann"}}"#),
    (
      "{\r\n\t\"name\": \"Tom\",\r\n\t\"owner\": {}\r\n}\r\n",
      "{\r\n\t\"name\": \"Tom\",\r\n\t\"owner\": {\"nick\": \"Ann\"},\r\n\t\"id\": 12\r\n}\r\n"
    ),
    (
      "{\n  \"id\": 1,\n  \"name\": \"Tom\"\n}",
      "{\n  \"id\": 1,\n  \"name\": \"Tom\",\n  \"owner\": {\n    \"nick\": \"Ann\"\n  }\n}"
    ),
    // Dates that can be read in one way.
    (
      #"{"id": 1, "name": "é", "owner": {"nick": "A"}, "born": "2021-04-18 09:30:00", "day": "2021/4/8"}"#,
      #"{"id": 1, "name": "é", "owner": {"nick": "A"}, "born": "2021-04-18T09:30:00Z", "day": "2021-04-08"}"#
    ),
  ]) func `a repair leaves the rest byte for byte`(text: String, expected: String) async throws {
    #expect(try await repaired(text) == expected)
  }

  @Test(arguments: [
    #"{"id": 1, "name": "Tom", "owner": {"nick": "A"}}"#,
    #"{"id": "1", "name": "Tom", "owner": {"nick": "A"}}"#,
    #"{"id": 1, "name": "Tom", "owner": {"nick": "A"}, "day": "03/04/2021"}"#,
    #"{"id": 1, "name": "Tom", "owner": {"nick": "A"}, "day": "2021-02-31"}"#,
    #"{"id": 1, "name": "Tom""#, "[]", "",
  ]) func `what needs a choice is left alone`(text: String) async throws {
    #expect(try await repaired(text) == nil)
  }

  @Test func `a fixture that breaks its contract on purpose is left alone`() async throws {
    #expect(try await repaired("body: {id: 1, born: yesterday}\nviolates: [resp.body.schema]\n", as: "200.yaml") == nil)
  }

  @Test func `dates in descriptions are repaired where they stand`() async throws {
    let text =
      "# Tom\nbody:\n  id: 1   # one\n  name: Tom\n  owner: {nick: A}\n  born: 2021-04-18 09:30\n  day: '20210418'\n"
    let expected =
      "# Tom\nbody:\n  id: 1   # one\n  name: Tom\n  owner: {nick: A}\n  born: \"2021-04-18T09:30:00Z\"\n  day: \"2021-04-18\"\n"
    #expect(try await repaired(text, as: "200.yaml") == expected)
  }

  @Test func `members are sorted only when that is asked for`() async throws {
    let text = "{\n  \"owner\": {\"age\": 3, \"nick\": \"A\"},\n  \"x\": 1, \"id\": 1,\n  \"name\": \"Tom\"\n}\n"
    #expect(try await repaired(text) == nil)
    #expect(
      try await repaired(text, sorting: true)
        == "{\n  \"id\": 1,\n  \"name\": \"Tom\", \"owner\": {\"nick\": \"A\", \"age\": 3},\n  \"x\": 1\n}\n")
  }
}
