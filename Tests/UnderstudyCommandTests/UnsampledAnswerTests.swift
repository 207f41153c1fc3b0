import Testing
import UnderstudyTestSupport

struct UnsampledAnswerTests {
  private static let contract = Shop.contract.replacing(
    "\"404\": {description: No such pet.}",
    with: """
      "404":
                description: No such pet.
                content: {application/json: {schema: {oneOf: [{type: object, maxProperties: 0}, {type: object, maxProperties: 0}]}}}
      """)

  @Test func `an answer without a valid sample is reported at the start and with each answer`() throws {
    try withProject(["shop.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      #expect(
        mock.waits(
          for: """
            warning: 1 answer of shop has no valid sample: readPet/404
              readPet/404: all attempted values fit more than one branch of `oneOf`
              help: the body only resembles its schema; correct the schema, or write a fixture

            """), "\(mock.printed)")
      let answer = try Curl.get(mock.url + "/pets/1", ("Prefer", "code=404"))
      #expect(answer.status == 404)
      #expect(answer.body == "{}")
      #expect(answer.headers["sl-violations"]?.contains("expected exactly one of 2 alternatives") == true)
      #expect(mock.waits(for: "404 "))
      #expect(mock.end().printed.contains("[resp.body.schema]"))
    }
  }

  @Test func `init writes no fixture without a valid sample`() throws {
    try withProject(["shop.yaml": Self.contract]) { folder in
      let result = try Command.run("init", "shop.yaml", in: folder)
      #expect(result.error.contains("no fixture for readPet/404: no valid sample was found"), "\(result.error)")
      #expect(try Command.run("verify", in: folder).code == 0)
    }
  }
}
