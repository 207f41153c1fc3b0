import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct PlaceholderTests {
  private static func placeholder(_ secret: String) -> String {
    var redactor = Redactor()
    let head = HTTPRequest(
      method: .post, scheme: nil, authority: nil, path: "/", headerFields: [.contentType: "application/json"])
    let body = JSONWriter.bytes(["token": .string(secret)])
    let redacted = redactor.redact(Exchange(head, body: body)).value.requestBody.bytes
    return (try? JSONParser.parse(redacted).root["token"]?.string) ?? ""
  }

  @Test(arguments: [
    ("123e4567-e89b-42d3-a456-426614174000", "00000000-0000-4000-a000-000000000001"),
    ("d41d8cd98f00b204e9800998ecf8427e", "00000000000000000000000000000001"), ("84629173", "00000001"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIA0000000000000001"),
    ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_live_000000000000000000000001"),
    ("hunter2hunter2", "redacted000001"), ("Hunter2Hunter2", "Redacted000001"), ("HUNTER2HUNTER2", "REDACTED000001"),
    ("hunter_2_hunter", "redacted_000001"), ("hunter2", "redact1"), ("Ab1/cD2+eF3gH4==", "cmVkYWN0ZWQtMQ=="),
  ])
  func `a placeholder has the shape and the length of the secret`(_ secret: String, _ expected: String) {
    #expect(Self.placeholder(secret) == expected)
    #expect(Self.placeholder(secret).utf8.count == secret.utf8.count)
  }

  @Test func `a token becomes a token that can be decoded and expires in the year 2100`() throws {
    let parts = Self.placeholder(PlantedSecret.token).split(separator: ".").map(String.init)
    #expect(parts.count == 3)
    let header = try JSONParser.parse(try #require(Base64.decode(url: Array(parts[0].utf8)))).root
    let claims = try JSONParser.parse(try #require(Base64.decode(url: Array(parts[1].utf8)))).root
    #expect(header.description == #"{"alg":"HS256","typ":"JWT"}"#)
    #expect(claims.description == #"{"sub":"123","exp":4102444800,"jti":"redacted-1"}"#)
    #expect(Base64.decode(url: Array(parts[2].utf8)) != nil)
    #expect(parts[2].utf8.count == PlantedSecret.signature.utf8.count)
  }
}
