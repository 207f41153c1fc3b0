import HTTPTypes
import TestSupport
import Testing
import Understudy

struct CurlLineTests {
  private func wire(
    _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], body: [UInt8] = []
  ) -> WireRequest {
    WireRequest(
      HTTPRequest(method: method, scheme: "http", authority: "api.test", path: path, headerFields: fields), body: body)
  }

  @Test func `a plain request is a short line`() {
    #expect(CurlLine().text(wire(.get, "/pets?limit=3")) == "curl -i 'http://api.test/pets?limit=3'")
    #expect(CurlLine().text(wire(.head, "/pets")) == "curl --head http://api.test/pets")
    #expect(CurlLine().text(wire(.delete, "/pets/7")) == "curl -i -X DELETE http://api.test/pets/7")
  }

  @Test func `what a shell would read is quoted`() {
    let line = CurlLine().text(
      wire(.post, "/pets", [.contentType: "application/json"], body: Array(#"{"name":"O'Neil $HOME"}"#.utf8)))
    #expect(
      line == #"curl -i -X POST http://api.test/pets -H 'Content-Type: application/json' "#
        + #"--data-binary '{"name":"O'\''Neil $HOME"}'"#)
  }

  @Test func `a secret is a variable, however it is spelled`() {
    let curl = CurlLine(secrets: [
      LiveSettings.Secret("s3cr3t/+", variable: "TOKEN"), LiveSettings.Secret("me:pass", variable: "LOGIN"),
    ])
    #expect(
      curl.text(wire(.get, "/", [.authorization: "Bearer s3cr3t/+"]))
        == #"curl -i http://api.test/ -H "Authorization: Bearer ${TOKEN}""#)
    // As a key in a query, and as a Basic credential.
    #expect(curl.text(wire(.get, "/?key=s3cr3t%2F%2B")) == #"curl -i "http://api.test/?key=${TOKEN}""#)
    #expect(!curl.text(wire(.get, "/", [.authorization: "Basic bWU6cGFzcw=="])).contains("bWU6cGFzcw"))
  }

  @Test func `the line does in a shell what it says`() throws {
    let wire = wire(.post, "/a b", [.contentType: "text/plain"], body: Array("$x `id` \"'\\\n!".utf8))
    let line = CurlLine().text(wire).replacing("curl -i", with: "printf '%s|'")
    let result = try Command.run("/bin/sh", ["-c", line])
    #expect(result.output == "-X|POST|http://api.test/a b|-H|Content-Type: text/plain|--data-binary|$x `id` \"'\\\n!|")
  }

  @Test func `bytes that are no text go through base64`() {
    #expect(CurlLine().text(wire(.put, "/f", body: [0xFF, 0xFE])).hasPrefix("echo //4= | base64 -d | curl -i -X PUT"))
  }
}
