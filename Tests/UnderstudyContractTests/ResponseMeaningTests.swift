import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct ResponseMeaningTests {
  private func meanings(_ responses: String) throws -> [String] {
    try ContractFixture(operation: "responses: {\(responses)}").api.operations.first?.responses.map(\.meaning) ?? []
  }

  @Test(arguments: [
    ("OK", "ok"),
    ("Not found", "notFound"),
    ("User not found. See the manual.", "userNotFound"),
    ("A list of all the pets there are", "aListOfAllThe"),
    ("  The user's **token** has expired", "theUsersTokenHasExpired"),
    ("No. Nothing at all", "no"),
    ("이미 가입한 유저", "이미가입한유저"),
    ("ÜBER größe", "überGröße"),
  ])
  func `the first words of a description are the name`(_ description: String, _ meaning: String) throws {
    #expect(try meanings("\"200\": {description: \"\(description)\"}") == [meaning])
  }

  @Test(arguments: ["", "...", "200 OK", "🎉", "Default"])
  func `a description without a leading word leaves the status`(_ description: String) throws {
    #expect(try meanings("\"200\": {description: \"\(description)\"}") == ["200"])
  }

  @Test func `a name that reads like a status is none`() throws {
    #expect(
      try meanings("\"200\": {description: Fine, x-meaning: \"404\"}, \"404\": {description: \"\"}") == ["fine", "404"])
  }

  @Test func `names are unique within an operation`() throws {
    #expect(
      try meanings(
        "\"400\": {description: Error}, \"404\": {description: error}, 5XX: {description: Error}, default: {description: Error}"
      )
        == ["error", "error404", "error5XX", "errorDefault"])
  }

  @Test func `an explicit meaning takes precedence at any position`() throws {
    #expect(
      try meanings(
        "\"200\": {description: Twice}, \"201\": {description: X, x-meaning: twice}, \"202\": {x-meaning: twice}")
        == ["twice200", "twice", "twice202"])
  }

  @Test func `a long word is cut at no place but its end`() throws {
    let long = String(repeating: "a", count: 60)
    #expect(try meanings("\"200\": {description: short \(long)}") == ["short"])
  }
}
