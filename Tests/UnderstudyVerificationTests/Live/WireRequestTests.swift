import HTTPTypes
import Testing
import UnderstudyVerification

struct WireRequestTests {
  private func wire(_ path: String, _ fields: HTTPFields = [:]) -> WireRequest {
    WireRequest(
      HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: path, headerFields: fields))
  }

  @Test func `in a curl line a secret is a variable, however it is spelled`() {
    let redactor = Redactor(secrets: [
      Secret("s3cr3t/+", variable: "TOKEN"), Secret("me:pass", variable: "LOGIN"),
    ])
    #expect(
      wire("/", [.authorization: "Bearer s3cr3t/+"]).curl(redactor)
        == #"curl -i http://api.test/ -H "Authorization: Bearer ${TOKEN}""#)
    // As a key in a query, and as a Basic credential.
    #expect(wire("/?key=s3cr3t%2F%2B").curl(redactor) == #"curl -i "http://api.test/?key=${TOKEN}""#)
    #expect(!wire("/", [.authorization: "Basic bWU6cGFzcw=="]).curl(redactor).contains("bWU6cGFzcw"))
  }
}
