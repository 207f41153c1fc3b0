import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct CurlLineTests {
  private func line(
    _ method: String, _ path: String, _ fields: HTTPFields = [:], body: String? = nil
  ) -> String {
    CurlLine(
      method: method, url: "http://api.test\(path)", fields: fields,
      body: body.map { .bytes(Array($0.utf8)) } ?? .none
    ).text()
  }

  @Test func `a plain request is a short line`() {
    #expect(line("GET", "/pets?limit=3") == "curl -i 'http://api.test/pets?limit=3'")
    #expect(line("HEAD", "/pets") == "curl --head http://api.test/pets")
    #expect(line("DELETE", "/pets/7") == "curl -i -X DELETE http://api.test/pets/7")
  }

  @Test func `brackets are not patterns, and an empty field is sent empty`() {
    #expect(line("GET", "/pets?a[]=1") == "curl -i -g 'http://api.test/pets?a[]=1'")
    #expect(line("GET", "/", [.range: ""]) == "curl -i http://api.test/ -H 'Range;'")
  }

  @Test func `a body without a type is not called a form`() {
    #expect(line("GET", "/", body: "x") == "curl -i -X GET http://api.test/ -H Content-Type: --data-raw x")
  }

  @Test func `the line sends the request in a shell`() throws {
    let line = line("POST", "/a b", [.contentType: "text/plain"], body: "$x `id` \"'\\\n!")
    let result = try Command.run("/bin/sh", ["-c", line.replacing("curl -i", with: "printf '%s|'")])
    #expect(result.output == "-X|POST|http://api.test/a b|-H|Content-Type: text/plain|--data-raw|$x `id` \"'\\\n!|")
  }

  @Test func `a body that begins with an at sign names no file`() {
    #expect(line("POST", "/", [.contentType: "text/plain"], body: "@/etc/passwd").hasSuffix("--data-raw @/etc/passwd"))
  }

  @Test func `binary bodies are sent through base64, long ones through a file`() {
    var line = CurlLine(method: "PUT", url: "http://api.test/f", fields: [:], body: .bytes([0xFF, 0xFE]))
    #expect(line.text().hasPrefix("echo //4= | base64 -d | curl -i -X PUT"))
    line.body = .file
    #expect(line.text().hasSuffix("--data-binary @body"))
  }
}
