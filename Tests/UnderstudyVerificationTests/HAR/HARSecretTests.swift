import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The table of planted secrets, through a recording.
struct HARSecretTests {
  private static func entry(_ planted: PlantedSecret) throws -> String {
    var redactor = Redactor([try PlantedSecret.contract.contract().compiled.secrets])
    let content = planted.exchange
    let response = content.response?.head ?? HTTPResponse(status: .ok)
    let exchange = ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(content.request), body: content.requestBody.bytes,
      reply: Reply(.made(response, body: content.responseBody), reason: "test"), status: response.status.code)
    let text = try #require(HARWriter(version: "1").entry(exchange, &redactor))
    return String(decoding: text.value, as: UTF8.self)
  }

  @Test(arguments: PlantedSecret.all.filter { $0.operation == nil })
  func `a planted secret is in no recording`(_ planted: PlantedSecret) throws {
    let text = Spelled(text: try Self.entry(planted))
    for secret in planted.secrets { #expect(!text.holds(secret), "\(secret) is left in:\n\(text.text)") }
  }

  @Test func `a form that is not UTF-8 loses its password and keeps every other byte`() throws {
    let body = Array("a=%FF&password=s3cr3t99&b=".utf8) + [0xFC, 0xFF]
    let request = HTTPRequest(
      method: .post, scheme: "http", authority: "h", path: "/",
      headerFields: [.contentType: "application/x-www-form-urlencoded"])
    let exchange = ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: body,
      reply: Reply(.made(HTTPResponse(status: .ok), body: []), reason: "test"), status: 200)
    var redactor = Redactor()
    let text = try #require(HARWriter(version: "1").entry(exchange, &redactor))
    let entry = try HAREntry.read(try JSONParser.parse(text.value).root, index: 0, line: 1)
    #expect(entry.requestBody == .bytes(Array("a=%FF&password=redacte1&b=".utf8) + [0xFC, 0xFF]))
    #expect(entry.redactedPlaces == ["request /body/password"])
  }
}
