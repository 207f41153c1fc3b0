import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Dates are rewritten only by way of repairs, so a contract with one date tries the table.
struct DateTextTests {
  @Test(arguments: [
    ("2021-04-18 09:30", "2021-04-18T09:30:00Z"), ("2021-04-18T09:30:00", "2021-04-18T09:30:00Z"),
    ("2021-04-18", "2021-04-18T00:00:00Z"), ("2021/4/8 9:30:05.25 +0900", "2021-04-08T09:30:05.25+09:00"),
    ("20210418 09:30:00 UTC", "2021-04-18T09:30:00Z"), ("2021-04-18 09:30:00-03", "2021-04-18T09:30:00-03:00"),
    ("2021.04.18, 09:30", "2021-04-18T09:30:00Z"), ("2021-04-18T09:30:00,5Z", "2021-04-18T09:30:00.5Z"),
  ]) func `a time that can be read in one way is rewritten`(text: String, expected: String) async throws {
    #expect(try await repaired(text, "date-time") == #""\#(expected)""#)
  }

  @Test(arguments: [
    "18.04.2021", "04/18/2021", "2021-13-01", "2021-04-18 25:00", "2021-04-18 9:3", "2021-04", "yesterday",
    "1618738200",
    "2021-04-18 09:30 CET", "2021-04-18 09:30:00+25:00", "2021-04/18", "2021-04-18T09:30:61Z", "２０２１-04-18",
  ]) func `a time that asks for a guess is left alone`(text: String) async throws {
    #expect(try await repaired(text, "date-time") == nil)
  }

  @Test(arguments: [
    ("2021/4/18", "2021-04-18"), ("20210418", "2021-04-18"), ("2021-04-18T09:30:00Z", "2021-04-18"),
  ]) func `a day is rewritten`(text: String, expected: String) async throws {
    #expect(try await repaired(text, "date") == #""\#(expected)""#)
  }

  private func repaired(_ text: String, _ format: String) async throws -> String? {
    let contract = "x-understudy: {formats: assert}\n" + VerifiedContract.pet("{type: string, format: \(format)}")
    let fixture = ContractFixture(contract, fixtures: ["readPet/200.json": #""\#(text)""#])
    return try await fixture.repairs().first.map { String(decoding: $0.new, as: UTF8.self) }
  }
}
