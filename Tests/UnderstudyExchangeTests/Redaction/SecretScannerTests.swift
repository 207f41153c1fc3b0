import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct SecretScannerTests {
  private static func findings(_ text: String) -> [String] {
    SecretScanner().findings(in: text).map { "\($0.offset) \($0.rule) \($0.pointer) \($0.excerpt)" }
  }

  @Test func `a file with a secret has a finding with its place and without its value`() {
    #expect(
      Self.findings(#"{"user": "u", "access_token": "abcdef0123456789"}"#)
        == ["30 redact.member /body/access_token abcd... (16 bytes)"])
    #expect(Self.findings("A=1\nDB_PASSWORD=hunter2") == ["16 redact.assignment /body ... (7 bytes)"])
  }

  @Test(arguments: PlantedSecret.all) func `what was redacted has no finding`(_ planted: PlantedSecret) throws {
    let contract = try PlantedSecret.contract.contract().compiled
    var redactor = Redactor([contract.secrets])
    let operation = planted.operation.flatMap { contract.api.operation($0) }
    let redacted = redactor.redact(planted.exchange, of: operation).value
    for body in [redacted.requestBody.bytes, redacted.responseBody] {
      #expect(SecretScanner().findings(in: body, MediaRange(redacted.request.headerFields[.contentType] ?? "")) == [])
    }
  }
}
